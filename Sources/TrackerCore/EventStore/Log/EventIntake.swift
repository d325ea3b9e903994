import TrackerPlatform

/// What was tracked and the store has not taken yet; trackers append to it, and the store's thread takes all at once.
///
/// It fills a segment of the ``SegmentPool``.
package final class EventIntake: Sendable {
    /// Waits until an event is stored, or cannot be.
    package typealias Waiter = FirstResult<Result<Void, EventStoreError>>

    /// What became of an event.
    package enum Admission {
        /// It is in a segment; `isFirst` if the store's thread must be woken, `isLarge` if at once, and `isLow` if a file should
        /// be made.
        case accepted(isFirst: Bool, isLarge: Bool, isLow: Bool)
        /// The memory that the process may have is full.
        case full
        /// The pipeline was shut down.
        case closed
    }

    /// Records of a segment that were taken.
    struct Portion {
        let segment: Segment
        let file: LogFile
        let generation: UInt64
        let start: SegmentEnd
        let end: SegmentEnd
        /// Whether no record comes after them.
        let isLast: Bool
    }

    /// What was taken out: the records in their order, and the callers that wait until they are stored.
    package struct Contents {
        var portions: [Portion] = []
        var waiters: [Waiter] = []

        package var isEmpty: Bool { portions.isEmpty }
    }

    private struct State {
        var writer: SegmentWriter?
        /// Of segments that are full.
        var full: [Portion] = []
        var waiters: [Waiter] = []
        /// The bytes that wait.
        var size = 0
        var isClosed = false

        /// Gives up the segment.
        mutating func retire() {
            guard let writer else { return }
            full.append(Portion(writer, isLast: true))
            self.writer = nil
        }
    }

    // Some hundred events, so that a burst wakes the store's thread for few of them, and long before segments run out.
    private static let largeSize = 256 << 10

    let pool: SegmentPool
    private let state = Locked(State())

    /// - Parameter pool: The segments.
    init(pool: SegmentPool) {
        self.pool = pool
    }

    /// Appends an event.
    /// - Parameters:
    ///   - record: The event.
    ///   - waiter: Finished when the event is stored, or cannot be, if it is accepted.
    /// - Returns: What became of it.
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

    /// Takes all that is there.
    ///
    /// A segment is given up whose file is not filled any more, or that is in memory although there are files.
    package func take() -> Contents {
        state.withLock { state in
            if let writer = state.writer, !pool.isCurrent(writer.file) { state.retire() }
            var contents = Contents(portions: state.full, waiters: state.waiters)
            if let writer = state.writer, writer.taken != writer.end {
                contents.portions.append(Portion(writer, isLast: false))
                state.writer?.taken = writer.end
            }
            (state.full, state.waiters, state.size) = ([], [], 0)
            return contents
        }
    }

    /// Gives up the segment of a file that is not filled any more.
    func retireFormer() {
        state.withLock { state in
            if let writer = state.writer, !pool.isCurrent(writer.file) { state.retire() }
        }
    }

    /// Gives up a segment that is being filled and has no record that was not taken, so that a quiet service uses the same pages
    /// again.
    /// - Returns: Whether it was given up.
    func retire(_ segment: Segment) -> Bool {
        state.withLock { state in
            guard let writer = state.writer, writer.segment === segment, writer.taken == writer.end else {
                return false
            }
            state.writer = nil
            return true
        }
    }

    /// Makes a file on a thread of its own, because that of the store may wait for the disk.
    func growSoon() {
        WorkerThread.start(name: "tracker-log") { [pool] in pool.grow(isPopulated: true) }
    }

    /// Refuses all later events.
    package func close() {
        state.withLock { $0.isClosed = true }
    }
}

extension EventIntake.Portion {
    init(_ writer: SegmentWriter, isLast: Bool) {
        self.init(
            segment: writer.segment, file: writer.file, generation: writer.segment.generation, start: writer.taken,
            end: writer.end,
            isLast: isLast)
    }
}
