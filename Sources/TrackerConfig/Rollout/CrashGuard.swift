/// The conditions under which a version counts as one that crashes processes.
///
/// A process counts if it ends soon after it applied the version without ``Setup/shutdown(timeout:)``, SIGTERM, SIGINT
/// or an exit with status 0. After so many of them in a row, processes skip the version when they start or fetch it; it
/// is `held` until a higher one arrives. If there is neither a document before it nor a default, the version is used
/// anyway. A process that survives the startup window, calls ``Setup/confirmHealthy()`` or shuts down normally resets
/// the count.
///
/// It needs a state directory. The first setup of a process installs a handler for SIGTERM and SIGINT, which forwards
/// the signal to the previous handler. A service that ignores the signals before that, or installs its own handlers
/// later, must call ``Setup/shutdown(timeout:)`` before it ends; otherwise it counts as crashed.
public struct CrashGuard: Sendable, Hashable {
    /// The number of consecutive processes; 1 … 1,000; built in: 3.
    public var processes = 3

    /// The startup window after a version is applied; 0.1 s … 1 day; built in: 30 s.
    public var window = Duration.seconds(30)

    /// Creates a guard with the default values.
    public init() {}
}
