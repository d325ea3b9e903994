public import FoundationEssentials

/// The process of a status.
public struct ProcessIdentity: Sendable, Equatable, Encodable {
    /// The name of the service: ``SetupOptions/serviceName``, or the executable's name.
    public var service: String

    /// The name of the host.
    public var host: String

    /// The id of the process.
    public var processID: Int

    /// The time when the setup was created.
    public var startTime: Date

    /// The version of this SDK.
    public var sdkVersion: String

    /// The instance's id, by which rollouts select it; nil if it has none, so that no rollout selects it.
    public var instanceID: String?

    /// The service's state directory; nil if no directory is known.
    public var stateDirectory: String?

    /// The directory of fetched documents; nil if the service has its own cache, or if no directory is known.
    public var cacheDirectory: String?

    /// Creates an identity.
    /// - Parameters:
    ///   - service: The name of the service.
    ///   - host: The name of the host.
    ///   - processID: The id of the process.
    ///   - startTime: The time when the setup was created.
    ///   - sdkVersion: The version of this SDK.
    ///   - instanceID: The instance's id, by which rollouts select it.
    ///   - stateDirectory: The service's state directory.
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
