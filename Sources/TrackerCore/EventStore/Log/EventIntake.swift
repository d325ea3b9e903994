import TrackerPlatform

/// The tracked events that the store has not taken yet. Trackers append to it; the store's thread takes all at once.
///
/// It fills a segment of the ``SegmentPool``.
package final class EventIntake: Sendable {
    /// Waits until an event is stored or storing it fails.
    package typealias Waiter = FirstResult<Result<Void, EventStoreError>>

    /// The result of appending an event.
    package enum Admission {
        /// The event is in a segment; `isFirst` if the store's thread must be woken, `isLarge` if at once, and `isLow`
        /// if a file should be created.
        case accepted(isFirst: Bool, isLarge: Bool, isLow: Bool)
        /// The memory bound of the process is reached.
        case full
        /// The pipeline was shut down.
        case closed
    }

    /// Taken records of a segment.
    struct Portion {
        /// The segment, and the range of the records as it was when they were taken.
        let writer: SegmentWriter
        /// Whether no record follows them in this use of the segment.
        let isLast: Bool
    }

    /// The taken records in their order, and the callers that wait until they are stored.
    package struct Contents {
        var portions: [Portion] = []
        var waiters: [Waiter] = []

        package var isEmpty: Bool { portions.isEmpty }
    }

    private struct State {
        var writer: SegmentWriter?
        /// The records of full segments.
        var full: [Portion] = []
        var waiters: [Waiter] = []
        /// The size of the waiting records in bytes.
        var size = 0
        var isClosed = false

        /// Retires the segment.
        mutating func retire() {
            guard let writer else { return }
            full.append(Portion(writer: writer, isLast: true))
            self.writer = nil
        }
    }

    // Some hundred events, so that a burst wakes the store's thread rarely, but long before segments run out.
    private static let largeSize = 256 << 10

    package let pool: SegmentPool
    private let state = Locked(State())

    /// - Parameter pool: The segments.
    init(pool: SegmentPool) {
        self.pool = pool
    }

    /// Appends an event.
    /// - Parameters:
    ///   - record: The event.
    ///   - waiter: Finished when the accepted event is stored or storing it fails.
    /// - Returns: The result.
    package func append(_ record: EventRecord, waiter: Waiter?) -> Admission {
        state.withLock { state in
            if state.isClosed { return .closed }
            var isLow = false
            if state.writer?.append(record) != true {
                state.retire()
                let size = record.size(hasSeal: true)
                guard size < EventRecord.maxSize else { return .full }
                let segment: Segment?
                (segment, isLow) = pool.begin(for: size)
                guard let segment else { return .full }
                state.writer = SegmentWriter(segment)
                _ = state.writer?.append(record)
            }
            let before = state.size
            state.size += record.payload.count
            if let waiter { state.waiters.append(waiter) }
            let isLarge = before < Self.largeSize && state.size >= Self.largeSize
            return .accepted(isFirst: before == 0, isLarge: isLarge || waiter != nil, isLow: isLow)
        }
    }

    /// Takes all records.
    ///
    /// Retires a segment whose file is not filled any more, or that is in memory although there are files.
    package func drain() -> Contents {
        state.withLock { state in
            if let writer = state.writer, !pool.isCurrent(writer.file) { state.retire() }
            var contents = Contents(portions: state.full, waiters: state.waiters)
            if let writer = state.writer, writer.taken != writer.end {
                contents.portions.append(Portion(writer: writer, isLast: false))
                state.writer?.taken = writer.end
            }
            (state.full, state.waiters, state.size) = ([], [], 0)
            return contents
        }
    }

    /// Retires the segment of a file that is not filled any more.
    func retireFormer() {
        state.withLock { state in
            if let writer = state.writer, !pool.isCurrent(writer.file) { state.retire() }
        }
    }

    /// Retires a segment whose records were all taken, so that a quiet service uses the same pages again.
    /// - Returns: Whether it was retired.
    func retire(_ segment: Segment) -> Bool {
        state.withLock { state in
            guard let writer = state.writer, writer.segment === segment, writer.taken == writer.end else {
                return false
            }
            state.writer = nil
            return true
        }
    }

    /// Creates a file on a separate thread, because the store's thread may wait for the disk.
    func growSoon() {
        WorkerThread.start(name: "tracker-log") { [pool] in pool.grow(isPopulated: true) }
    }

    /// Rejects all later events.
    package func close() {
        state.withLock { $0.isClosed = true }
    }
}
