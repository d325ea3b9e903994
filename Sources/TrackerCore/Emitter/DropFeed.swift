/// Passes a namespace's dropped events to its tracker's closures, on a thread that lives as long as there are any.
///
/// The closures may be slow: they hold up no delivery and no other namespace, and what waits for it is bounded.
final class DropFeed: Sendable {
    /// A closure of the service.
    typealias Action = @Sendable ([DroppedEvent], DropReason) -> Void

    private struct Batch: Sendable {
        let handlers: Handlers<Action>
        let events: [StoredEvent]
        let reason: DropReason
        let bytes: Int
    }

    private struct State: Sendable {
        var handlers = Handlers<Action>()
        /// The oldest first.
        var waiting: [Batch] = []
        /// The bytes of events that wait or that the closures have.
        var bytes = 0
        var hasThread = false
        /// The callers of ``waitUntilEmpty()``.
        var waiters: [CheckedContinuation<Void, Never>] = []
    }

    /// The most bytes of payloads that wait; a first batch waits however large it is.
    static let maxBytes = 16 << 20

    private let namespace: String
    private let state = Locked(State())

    init(namespace: String) {
        self.namespace = namespace
    }

    /// Whether there is a closure.
    var isOpen: Bool { state.withLock { !$0.handlers.isEmpty } }

    /// Changes the closures; events that wait go to those that they came for, unless they are cancelled.
    /// - Returns: The closures before, to be released outside all locks.
    func change(_ change: (inout Handlers<Action>) -> Void) -> Handlers<Action> {
        state.withLock { state in
            let old = state.handlers
            change(&state.handlers)
            return old
        }
    }

    /// Lets the closures have events.
    /// - Returns: How many events they do not get, because too many wait for them.
    func add(_ events: [StoredEvent], _ reason: DropReason) -> Int {
        let bytes = events.reduce(0) { $0 + $1.payload.count }
        let (missed, needsThread) = state.withLock { state -> (Int, Bool) in
            guard !state.handlers.isEmpty else { return (0, false) }
            guard state.bytes == 0 || state.bytes + bytes <= Self.maxBytes else { return (events.count, false) }
            state.bytes += bytes
            state.waiting.append(Batch(handlers: state.handlers, events: events, reason: reason, bytes: bytes))
            defer { state.hasThread = true }
            return (0, !state.hasThread)
        }
        if needsThread { WorkerThread.start(name: "tracker-drops") { self.run() } }
        return missed
    }

    private func run() {
        while let batches = next() {
            for batch in batches {
                let events = batch.events.compactMap { DroppedEvent($0, of: namespace) }
                if !events.isEmpty { batch.handlers.call { $0(events, batch.reason) } }
                state.withLock { $0.bytes -= batch.bytes }
            }
        }
    }

    /// All batches that wait; nil stops the thread.
    private func next() -> [Batch]? {
        let (batches, waiters) = state.withLock { state -> ([Batch]?, [CheckedContinuation<Void, Never>]) in
            defer { state.waiting = [] }
            if !state.waiting.isEmpty { return (state.waiting, []) }
            state.hasThread = false
            defer { state.waiters = [] }
            return (nil, state.waiters)
        }
        for waiter in waiters { waiter.resume() }
        return batches
    }

    /// Returns as soon as the closures have had all events.
    func waitUntilEmpty() async {
        await withCheckedContinuation { continuation in
            let isEmpty = state.withLock { state in
                if state.hasThread { state.waiters.append(continuation) }
                return !state.hasThread
            }
            if isEmpty { continuation.resume() }
        }
    }
}
