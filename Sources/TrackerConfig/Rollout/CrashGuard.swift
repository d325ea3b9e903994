/// When a version is taken for one that kills its processes.
///
/// A process counts where it vanishes soon after it applied the version: without ``Setup/shutdown(timeout:)``, SIGTERM,
/// SIGINT or an exit with status 0. After so many of them in a row, processes that start skip the version, and so do
/// those that fetch it; it is `held` until a higher one comes. If there is nothing to use in its place, no document
/// before it and no default, it is used all the same. A process that outlives the time, that calls
/// ``Setup/confirmHealthy()``, or that shuts down in order within it, resets the count.
///
/// It needs a state directory. The first setup of a process installs a handler for SIGTERM and SIGINT, which hands the
/// signal on to what was there before; a service that ignores the signals by then, or installs its own handlers later, ends
/// with ``Setup/shutdown(timeout:)`` or counts.
public struct CrashGuard: Sendable, Hashable {
    /// How many processes in a row; 1 … 1,000; built in: 3.
    public var processes = 3

    /// How soon after applying a version; 0.1 s … 1 day; built in: 30 s.
    public var window = Duration.seconds(30)

    /// Creates a guard with what is built in.
    public init() {}
}
