/// Passes a namespace's dropped events to its tracker's closure, on a thread that lives as long as there are any.
///
/// The closure may be slow: it holds up no delivery and no other namespace, and what waits for it is bounded.
final class DropFeed: Sendable {
    /// A closure of the service.
    typealias Action = @Sendable ([DroppedEvent], DropReason) -> Void

    private struct Batch: Sendable {
        let action: Action
        let events: [StoredEvent]
        let reason: DropReason
        let bytes: Int
    }

    private struct State: Sendable {
        var action: Action?
        /// The next one last.
        var waiting: [Batch] = []
        /// The bytes of events that wait or that the closure has.
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
    var isOpen: Bool { state.withLock { $0.action != nil } }

    /// Replaces the closure; events that wait go to the old one.
    /// - Parameter action: The closure; nil for none.
    /// - Returns: The old closure, to be released outside all locks.
    func exchange(_ action: Action?) -> Action? {
        state.exchange(\.action, action)
    }

    /// Lets the closure have events.
    /// - Returns: How many events it does not get, because too many wait for it.
    func add(_ events: [StoredEvent], _ reason: DropReason) -> Int {
        let bytes = events.reduce(0) { $0 + $1.payload.count }
        let (missed, needsThread) = state.withLock { state -> (Int, Bool) in
            guard let action = state.action else { return (0, false) }
            guard state.bytes == 0 || state.bytes + bytes <= Self.maxBytes else { return (events.count, false) }
            state.bytes += bytes
            state.waiting.insert(Batch(action: action, events: events, reason: reason, bytes: bytes), at: 0)
            defer { state.hasThread = true }
            return (0, !state.hasThread)
        }
        if needsThread { WorkerThread.start(name: "tracker-drops") { self.run() } }
        return missed
    }

    private func run() {
        while let batch = next() {
            let events = batch.events.compactMap { DroppedEvent($0, of: namespace) }
            if !events.isEmpty { batch.action(events, batch.reason) }
            state.withLock { $0.bytes -= batch.bytes }
        }
    }

    /// The next batch; nil stops the thread.
    private func next() -> Batch? {
        let (batch, waiters) = state.withLock { state -> (Batch?, [CheckedContinuation<Void, Never>]) in
            if let batch = state.waiting.popLast() { return (batch, []) }
            state.hasThread = false
            defer { state.waiters = [] }
            return (nil, state.waiters)
        }
        for waiter in waiters { waiter.resume() }
        return batch
    }

    /// Returns as soon as the closure has had all events.
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
