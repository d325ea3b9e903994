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
    var timers: [Lifecycle.Timer: Task<Void, Never>] = [:]
    /// The fetch that is in progress.
    var fetch: Task<Void, Never>?
    /// The connection over which the source hints at changes.
    var stream: Task<Void, Never>?
    /// The callers of the fetch.
    private var callers: [CheckedContinuation<FetchEnd, Never>] = []
    /// What is read without waiting for the actor.
    nonisolated let standing: Locked<Status>

    package nonisolated var isStopped: Bool { standing.withLock { $0.isStopped } }

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
        handle(.started(rollbackTarget))
    }

    /// Fetches once, or joins the fetch that is in progress.
    /// - Parameter onSuccess: Called after the setup's own if the fetch applied a document.
    /// - Returns: The outcome of the fetch.
    func refresh(_ onSuccess: (@Sendable (ConfigurationUpdate) -> Void)? = nil) async -> ConfigurationOutcome {
        let end = await withCheckedContinuation { (continuation: CheckedContinuation<FetchEnd, Never>) in
            callers.append(continuation)
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
        path.handle(event, follow: follow)
    }

    /// Does what an action needs of the updater.
    /// - Parameters:
    ///   - action: The action, which the path has executed.
    ///   - update: The update that the event has led to until now.
    /// - Returns: The event that answers the action at once.
    private func follow(_ action: Lifecycle.Action, _ update: ConfigurationUpdate?) -> Lifecycle.Event? {
        switch action {
        case .fetch(let fetch): begin(fetch)
        case .openStream(let number): return openStream(number)
        case .startTimer(let timer, let duration): start(timer, duration)
        case .cancelTimer(let timer): timers.removeValue(forKey: timer)?.cancel()
        case .cancelAll:
            for task in timers.values { task.cancel() }
            fetch?.cancel()
            stream?.cancel()
        case .report(let outcome, _):
            fetch = nil
            let answered = callers
            callers = []
            for caller in answered { caller.resume(returning: FetchEnd(outcome: outcome, update: update)) }
        case .apply, .cache, .recordReversion, .refuse, .publish, .markStale, .log: break
        }
        return nil
    }
}
