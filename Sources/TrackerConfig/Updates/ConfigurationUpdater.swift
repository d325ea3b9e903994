import TrackerCore

/// Runs a configuration's lifecycle on its own thread: answers callers, and handles the results of the source, timers
/// and trackers.
///
/// The user's callbacks run on this thread too: a slow callback delays only the next update.
package actor ConfigurationUpdater {
    typealias Lifecycle = ConfigurationLifecycle

    /// The published state, which is read without waiting for the actor, because a user's callback may block it.
    package struct Status: Sendable {
        package var lifecycle: ConfigurationLifecycle
        /// Set immediately by a shutdown.
        package var isStopped = false
        /// Whether a fetch is in progress; false when the callbacks of its outcome begin.
        package var isFetching = false
    }

    package nonisolated let parts: ConfigurationHost.Parts
    private let thread = ThreadExecutor(name: "tracker-config")
    private let host: ConfigurationHost
    private(set) var lifecycle: ConfigurationLifecycle
    /// The state that is read without waiting for the actor.
    private nonisolated let published: Locked<Status>

    package nonisolated var isStopped: Bool { published.withLock { $0.isStopped } }

    package nonisolated var unownedExecutor: UnownedSerialExecutor { thread.asUnownedSerialExecutor() }

    /// - Parameters:
    ///   - host: The host, which has applied the initial configuration.
    ///   - lifecycle: The lifecycle, which has begun.
    init(_ host: sending ConfigurationHost, _ lifecycle: ConfigurationLifecycle) {
        (parts, published) = (host.parts, host.published)
        self.host = host
        self.lifecycle = lifecycle
    }

    /// The published state.
    package nonisolated var status: Status { published.withLock { $0 } }

    /// Starts the setup's first fetch, the polls and the stream.
    func start() {
        if lifecycle.active == nil { parts.warnings.logPending() }
        let canary = Lifecycle.EarlierCanary(lifecycle.active, parts.registry) { active in
            let fallback = parts.documents.fallback(excluding: active)
            parts.warnings.note(fallback.warnings)
            return fallback.configuration
        }
        run { $0.start(canary, $1) }
    }

    /// Fetches once, or joins the fetch in progress.
    /// - Parameter onSuccess: Called after the setup's own closure if the fetch applied a document.
    /// - Returns: The outcome of the fetch.
    func refresh(_ onSuccess: (@Sendable (ConfigurationUpdate) -> Void)? = nil) async -> ConfigurationOutcome {
        let end = await withCheckedContinuation { continuation in
            host.callers.append(continuation)
            run { $0.refresh($1) }
        }
        if let update = end.update, !isStopped { onSuccess?(update) }
        return end.outcome
    }

    /// Stops all work and prevents further work.
    nonisolated func stop() {
        published.exchange(\.isStopped, true)
        parts.broadcast.finish()
        Task.unbound { await run { $0.stop($1) } }
    }

    /// Passes an event to the lifecycle without suspension, and then calls users' code.
    func run(_ event: @Sendable (inout Lifecycle, ConfigurationHost) -> Void) {
        host.updater = self
        if isStopped { lifecycle.stop(host) }
        event(&lifecycle, host)
        host.conclude(lifecycle)
    }

    /// Handles a timer.
    /// - Parameters:
    ///   - timer: The timer.
    ///   - version: The version that was watched when it started; nil for a default.
    /// - Returns: Whether it goes on.
    func elapsed(_ timer: Lifecycle.Timer, _ version: Int?) async -> Bool {
        if timer == .canary { return await observeCanary() }
        if timer == .startup { survived(version) } else { run { $0.elapsed(timer, $1) } }
        return false
    }

    /// Notes the end of the startup window.
    private func survived(_ version: Int?) {
        guard let watch = parts.versions.watch, watch.watched == version else { return }
        watch.end(.survived)
        parts.versions.survived(version)
    }

    /// Notes that the service has confirmed a version.
    func confirmed(_ version: Int) {
        // Another version may have been applied as a canary in the meantime.
        if parts.versions.watch?.watched == nil { host.cancel(.startup) }
        parts.versions.survived(version)
    }

    /// Releases a version that is held back because of crashes, so that the next fetch or start may apply it.
    /// - Returns: Whether it was held back.
    package func release(_ version: Int, by author: String) -> Bool {
        guard parts.versions.heldVersions.contains(version) else { return false }
        parts.versions.release(version)
        parts.log.about(version).info("version \(version) was released by \(author.oneLine(most: 100))")
        return true
    }
}
