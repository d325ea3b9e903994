public import FoundationEssentials

/// The process of a status.
public struct ProcessIdentity: Sendable, Equatable, Encodable {
    /// The name of the service: ``SetupOptions/serviceName``, or the executable's name.
    public package(set) var service: String

    /// The name of the host.
    public package(set) var host: String

    /// The id of the process.
    public package(set) var processID: Int

    /// The time when the setup was created.
    public package(set) var startTime: Date

    /// The version of this SDK.
    public package(set) var sdkVersion: String

    /// The instance's id, by which rollouts select it; nil if it has none, so that no rollout can select it.
    public package(set) var instanceID: String?

    /// The service's state directory; nil if no directory is known.
    public package(set) var stateDirectory: String?

    /// The directory of fetched documents; nil if the service has its own cache, or if no directory is known.
    public package(set) var cacheDirectory: String?

    package init(
        service: String, host: String, processID: Int, startTime: Date, sdkVersion: String,
        stateDirectory: String? = nil, cacheDirectory: String? = nil
    ) {
        (self.service, self.host, self.processID) = (service, host, processID)
        (self.startTime, self.sdkVersion) = (startTime, sdkVersion)
        (self.stateDirectory, self.cacheDirectory) = (stateDirectory, cacheDirectory)
    }
}
