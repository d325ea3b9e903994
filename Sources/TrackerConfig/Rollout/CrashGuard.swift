/// The conditions under which a version is held back because processes end soon after they applied it.
///
/// A process counts if it ends within the startup window without ``Setup/shutdown(timeout:)``, whatever ended it: a service
/// that handles SIGTERM calls ``Setup/shutdown(timeout:)`` before it ends. After so many of these processes in a row, others
/// skip the version when they start or fetch it; the outcome is `held`. If there is neither a document before it nor a
/// default, the version is used anyway.
///
/// The version is tried again after an hour, if it is released in the console, or once, as soon as a process survives the
/// startup window with another configuration. One more process that ends so holds it back again. A version with which a
/// process survived, or called ``Setup/confirmHealthy()``, is never held back again in this state directory. A shutdown
/// within the window resets the count.
///
/// It needs a state directory.
public struct CrashGuard: Sendable, Hashable {
    /// The number of consecutive processes; 1 … 1,000; built in: 3.
    public var processes = 3

    /// The startup window after a version is applied; 0.1 s … 1 day; built in: 30 s.
    public var window = Duration.seconds(30)

    /// Creates a guard with the default values.
    public init() {}

    var clamped: CrashGuard {
        var clamped = self
        clamped.processes = min(max(processes, 1), 1000)
        clamped.window = min(max(window, .milliseconds(100)), .seconds(86_400))
        return clamped
    }
}
