/// The conditions under which a version is held back because processes crash soon after they applied it.
///
/// A process counts if it ends within the startup window without ``Setup/shutdown(timeout:)``, whatever the reason: a
/// service that handles SIGTERM calls ``Setup/shutdown(timeout:)`` before it ends. After ``processes`` of these in a
/// row, other processes skip the version when they start or fetch it; the outcome is `held`. If there is neither a
/// previous document nor a default, the version is used anyway.
///
/// The version is tried again after an hour, if it is released in the console, or once, as soon as a process survives
/// the startup window with another configuration. If one more process crashes, it is held back again. If a
/// process survives with a version, or calls ``Setup/confirmHealthy()``, the version is never held back again in this
/// state directory. A shutdown within the window resets the count.
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
