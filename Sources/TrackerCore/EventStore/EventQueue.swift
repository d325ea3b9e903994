/// What was tracked and is not in the store yet; trackers append to it and the store's thread takes all at once.
package final class EventQueue: Sendable {
    /// What became of an event.
    enum Admission {
        /// It is in the queue; `isFirst` if the store's thread must be woken, `isLarge` if at once.
        case accepted(isFirst: Bool, isLarge: Bool)
        /// The store's thread is too far behind.
        case full
        /// The pipeline was shut down.
        case closed
    }

    /// What was taken out: the events, and the callers that wait until they are stored.
    struct Contents: Sendable {
        var batches: [EventBatch] = []
        var waiters: [CheckedContinuation<Result<Void, EventStoreError>, Never>] = []
    }

    private struct State: Sendable {
        var contents = Contents()
        var size = 0
        /// Emptied batches, whose memory serves again.
        var spare: [EventBatch] = []
        var isClosed = false
    }

    // Enough for a burst of some 130,000 events; beyond, memory would grow as fast as a disk is slow.
    private static let maximumSize = 128 << 20
    // A batch that grew further would be moved in memory as it grows, while other threads wait to append.
    private static let batchSize = 1 << 20
    private static let largeSize = 256 << 10
    private static let maxSpare = 4

    private let state = Locked(State())

    func append(
        _ payload: UnsafeRawBufferPointer,
        namespace: Int,
        isAnonymous: Bool,
        time: Int64,
        waiter: CheckedContinuation<Result<Void, EventStoreError>, Never>?
    ) -> Admission {
        state.withLock { state in
            if state.isClosed { return .closed }
            let before = state.size
            guard before + payload.count <= Self.maximumSize || before == 0 else { return .full }
            state.size += payload.count
            let last = state.contents.batches.count - 1
            if last < 0 || state.contents.batches[last].size + payload.count > Self.batchSize {
                state.contents.batches.append(state.spare.popLast() ?? EventBatch(capacity: Self.batchSize))
            }
            state.contents.batches[state.contents.batches.count - 1]
                .append(payload, namespace: namespace, isAnonymous: isAnonymous, time: time)
            if let waiter { state.contents.waiters.append(waiter) }
            let isLarge = before < Self.largeSize && state.size >= Self.largeSize
            return .accepted(isFirst: before == 0, isLarge: isLarge || waiter != nil)
        }
    }

    /// Takes all that is there.
    func take() -> Contents {
        state.withLock { state in
            defer { (state.contents, state.size) = (Contents(), 0) }
            return state.contents
        }
    }

    /// Takes an emptied batch back, so that its memory serves again.
    func recycle(_ batch: EventBatch) {
        // One event may have been larger than a batch is to be.
        guard batch.capacity <= 2 * Self.batchSize else { return }
        state.withLock { if $0.spare.count < Self.maxSpare { $0.spare.append(batch) } }
    }

    /// Refuses all later events.
    func close() {
        state.withLock { $0.isClosed = true }
    }
}
