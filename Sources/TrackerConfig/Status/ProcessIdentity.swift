public import FoundationEssentials

/// The process that a status is of.
public struct ProcessIdentity: Sendable, Equatable, Codable {
    /// The name of the service: ``SetupOptions/serviceName``, or the executable's name.
    public var service: String

    /// The name of the host.
    public var host: String

    /// The id of the process.
    public var processID: Int

    /// When the setup was made.
    public var startTime: Date

    /// The version of this SDK.
    public var sdkVersion: String

    /// By what this instance is drawn for rollouts; nil draws it for none.
    public var instanceID: String?

    /// The service's directory for what outlives its processes; nil if no directory is known.
    public var stateDirectory: String?

    /// The directory of fetched documents; nil for a cache of the service's own, or if no directory is known.
    public var cacheDirectory: String?

    /// Creates an identity.
    /// - Parameters:
    ///   - service: The name of the service.
    ///   - host: The name of the host.
    ///   - processID: The id of the process.
    ///   - startTime: When the setup was made.
    ///   - sdkVersion: The version of this SDK.
    ///   - instanceID: By what this instance is drawn for rollouts.
    ///   - stateDirectory: The service's directory for what outlives its processes.
    ///   - cacheDirectory: The directory of fetched documents.
    public init(
        service: String, host: String, processID: Int, startTime: Date, sdkVersion: String, instanceID: String? = nil,
        stateDirectory: String? = nil, cacheDirectory: String? = nil
    ) {
        self.service = service
        self.host = host
        self.processID = processID
        self.startTime = startTime
        self.sdkVersion = sdkVersion
        self.instanceID = instanceID
        self.stateDirectory = stateDirectory
        self.cacheDirectory = cacheDirectory
    }
}
