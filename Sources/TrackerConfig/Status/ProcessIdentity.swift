package import FoundationEssentials

/// The process of a status.
package struct ProcessIdentity: Sendable, Equatable, Encodable {
    /// The name of the service: ``SetupOptions/serviceName``, or the executable's name.
    package var service: String

    /// The name of the host.
    package var host: String

    /// The id of the process.
    package var processID: Int

    /// The time when the setup was created.
    package var startTime: Date

    /// The version of this SDK.
    package var sdkVersion: String

    /// The instance's id, by which rollouts select it; nil if it has none, so that no rollout can select it.
    package var instanceID: String?

    /// The service's state directory; nil if no directory is known.
    package var stateDirectory: String?

    /// The directory of fetched documents; nil if the service has its own cache, or if no directory is known.
    package var cacheDirectory: String?
}
