/// Leads configurations along a ``DocumentPath``: fetches, waits, and answers callers, on a thread of its own.
///
/// The user's callbacks run here too: a slow one delays the next update and nothing else.
package actor ConfigurationUpdater {
    typealias Lifecycle = ConfigurationLifecycle

    /// How a fetch ended.
    struct FetchEnd: Sendable {
        let outcome: ConfigurationOutcome
        /// nil if the fetch applied no document.
        let update: ConfigurationUpdate?
    }

    package nonisolated let parts: DocumentPath.Parts
    private let thread = ThreadExecutor(name: "tracker-config")

    let path: DocumentPath
    /// The latest switch to another user.
    var lastSwitch: Task<Void, Never>?
    var timers: [Lifecycle.Timer: Task<Void, Never>] = [:]
    /// Shuts down the trackers of namespaces that the configuration no longer names.
    var formerTrackers: Task<Void, Never>?
    /// The fetches that are in progress, by the URLs of their documents.
    var fetches: [String: Task<Void, Never>] = [:]
    /// The connection over which the source signals.
    var stream: Task<Void, Never>?
    /// The review of a document that came with a signal.
    var adoption: Task<Void, Never>?
    /// The callers of each fetch.
    private var callers: [String: [CheckedContinuation<FetchEnd, Never>]] = [:]
    /// What is read without waiting for the actor.
    nonisolated let standing: Locked<Status>

    package nonisolated var isStopped: Bool { standing.withLock { $0.isStopped } }

    /// The watchdogs of this process.
    nonisolated var watchdogs: [StartupWatchdog] { status.lifecycle.documents.watchdogs }

    package nonisolated var unownedExecutor: UnownedSerialExecutor { thread.asUnownedSerialExecutor() }

    /// - Parameter path: The path, which the configuration of the start has taken already.
    init(_ path: sending DocumentPath) {
        (parts, standing) = (path.parts, path.standing)
        self.path = path
    }

    var lifecycle: ConfigurationLifecycle { path.lifecycle }

    /// The state at one moment.
    package nonisolated var status: Status { standing.withLock { $0 } }

    /// Begins the setup's own first fetch, and all that follows it.
    func start() {
        if lifecycle.active == nil { parts.warnings.logPending() }
        handle(.started)
        sendFormerEvents()
    }

    /// Fetches once, or joins the fetch of the current user's document that is in progress.
    /// - Parameter onSuccess: Called after the setup's own if the fetch applied a document.
    /// - Returns: The outcome of the fetch.
    func refresh(_ onSuccess: (@Sendable (ConfigurationUpdate) -> Void)? = nil) async -> ConfigurationOutcome {
        let end = await withCheckedContinuation { (continuation: CheckedContinuation<FetchEnd, Never>) in
            callers[lifecycle.scope.url, default: []].append(continuation)
            handle(.refreshRequested)
        }
        if let update = end.update, !isStopped { onSuccess?(update) }
        return end.outcome
    }

    /// Stops all that is in progress and lets nothing begin.
    nonisolated func stop() {
        standing.exchange(\.isStopped, true)
        parts.broadcast.finish()
        Task.unbound { _ = await run(.stopped) }
    }

    /// Handles an event and executes the actions that it leads to, without a pause.
    /// - Returns: The results.
    @discardableResult
    func handle(_ event: Lifecycle.Event) -> DocumentPath.Results {
        if isStopped { _ = run(.stopped) }
        return run(event)
    }

    private func run(_ event: Lifecycle.Event) -> DocumentPath.Results {
        path.handle(event) { follow($0, $1) }
    }

    /// Does what an action needs of the updater.
    /// - Parameters:
    ///   - action: The action, which the path has executed.
    ///   - update: The update that the event has led to until now.
    /// - Returns: The event that answers the action at once.
    private func follow(_ action: Lifecycle.Action, _ update: ConfigurationUpdate?) -> Lifecycle.Event? {
        switch action {
        case .fetch(let fetch): begin(fetch)
        case .adopt(let fetch, let fetched): adopt(fetch, fetched)
        case .openStream(let number): return openStream(number)
        case .closeStream:
            stream?.cancel()
            stream = nil
        case .apply: tendFormerTrackers()
        case .loadCache: loadCache()
        case .findRollbackTarget(let search): return find(search)
        case .startTimer(let timer, let duration): start(timer, duration)
        case .cancelTimer(let timer): timers.removeValue(forKey: timer)?.cancel()
        case .cancelAll:
            for task in Array(fetches.values) + Array(timers.values) { task.cancel() }
            stream?.cancel()
            adoption?.cancel()
            formerTrackers?.cancel()
        case .report(let outcome, let url?, _):
            fetches[url] = nil
            for caller in callers.removeValue(forKey: url) ?? [] {
                caller.resume(returning: FetchEnd(outcome: outcome, update: update))
            }
        case .cache, .recordReversion, .enter, .refuse, .publish, .withdraw, .markStale, .report, .log: break
        }
        return nil
    }
}
