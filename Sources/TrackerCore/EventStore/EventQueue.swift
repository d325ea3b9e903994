/// What was tracked and is not in the store yet; trackers append to it and the store's thread takes all at once.
package final class EventQueue: Sendable {
    /// What became of an event.
    enum Admission {
        /// It is in the queue; `isFirst` where the store's thread must be told, `isLarge` where at once.
        case accepted(isFirst: Bool, isLarge: Bool)
        /// The store's thread is too far behind.
        case full
        /// There is no store any more.
        case closed
    }

    /// What was taken out: the events, and those who wait until they are stored.
    struct Contents: Sendable {
        var batch = EventBatch()
        var waiters: [CheckedContinuation<Result<Void, EventStoreError>, Never>] = []
    }

    private struct State: Sendable {
        var contents = Contents()
        var isClosed = false
    }

    // Enough for a burst of some 60,000 events; beyond, memory would grow as fast as a disk is slow.
    private static let maximumSize = 64 << 20
    private static let largeSize = 256 << 10

    private let state = Locked(State())

    func append(
        _ payload: UnsafeRawBufferPointer,
        outbox: Int,
        isAnonymous: Bool,
        time: Int64,
        waiter: CheckedContinuation<Result<Void, EventStoreError>, Never>?
    ) -> Admission {
        state.withLock { state in
            if state.isClosed { return .closed }
            let size = state.contents.batch.bytes.count
            guard size + payload.count <= Self.maximumSize || size == 0 else { return .full }
            state.contents.batch.append(payload, outbox: outbox, isAnonymous: isAnonymous, time: time)
            if let waiter { state.contents.waiters.append(waiter) }
            let isLarge = size < Self.largeSize && size + payload.count >= Self.largeSize
            return .accepted(isFirst: size == 0, isLarge: isLarge || waiter != nil)
        }
    }

    /// Exchanges the queue's contents for empty ones.
    func take(_ contents: inout Contents) {
        state.withLock { swap(&$0.contents, &contents) }
    }

    /// Lets nothing in any more.
    func close() {
        state.withLock { $0.isClosed = true }
    }
}
