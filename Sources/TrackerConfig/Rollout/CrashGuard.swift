/// The conditions under which a version counts as one that crashes processes.
///
/// A process counts if it ends soon after it applied the version without ``Setup/shutdown(timeout:)``, whatever ended it.
/// So a service that handles SIGTERM calls ``Setup/shutdown(timeout:)`` before it ends. After so many of these processes in a
/// row, processes skip the version when they start or fetch it; it is `held` until a higher one arrives. If there is neither
/// a document before it nor a default, the version is used anyway. A process that survives the startup window, calls
/// ``Setup/confirmHealthy()`` or shuts down resets the count.
///
/// It needs a state directory.
public struct CrashGuard: Sendable, Hashable {
    /// The number of consecutive processes; 1 … 1,000; built in: 3.
    public var processes = 3

    /// The startup window after a version is applied; 0.1 s … 1 day; built in: 30 s.
    public var window = Duration.seconds(30)

    /// Creates a guard with the default values.
    public init() {}
}
