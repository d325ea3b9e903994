import Glibc
import Synchronization

/// What was tracked and the storage has not taken yet; trackers append to it and the store's thread takes all at once.
///
/// Each thread has a shard, so that threads seldom meet. A shard writes to a segment of the ``StagingArea``; if none is free,
/// to memory that ends with the process, until the store's thread has taken what waits.
package final class EventQueue: Sendable {
    /// Waits until an event is stored, or cannot be.
    package typealias Waiter = FirstResult<Result<Void, EventStoreError>>

    /// What became of an event.
    package enum Admission {
        /// It is in the queue; `isFirst` if the store's thread must be woken, `isLarge` if at once, and `isLow` if the staging
        /// file should grow.
        case accepted(isFirst: Bool, isLarge: Bool, isLow: Bool)
        /// The store's thread is too far behind.
        case full
        /// The pipeline was shut down.
        case closed
    }

    /// Records of a segment that were taken for the store.
    package struct Portion {
        let area: StagingArea
        let shard: Int
        /// Where the segment is.
        let memory: UnsafeMutableRawPointer
        /// Where the records begin.
        let start: StagedEnd
        /// Where they end.
        let position: StagedPosition
        /// Whether no record comes after them.
        let isLast: Bool

        /// A use of a segment.
        struct Segment: Hashable {
            let area: ObjectIdentifier
            let index: Int
            let generation: UInt64
        }

        var segment: Segment {
            Segment(area: ObjectIdentifier(area), index: position.segment, generation: position.generation)
        }
    }

    /// What was taken out: the events, and the callers that wait until they are stored.
    ///
    /// Noncopyable: a second reference to a batch would make emptying it copy its memory.
    package struct Contents: ~Copyable {
        var portions: [Portion] = []
        /// Events that had no segment; those of a thread come after its portions.
        var batches: [EventBatch] = []
        var waiters: [Waiter] = []
        /// The events of the batches that should have had a segment of a file.
        var unstaged = 0

        package var isEmpty: Bool { portions.isEmpty && batches.isEmpty }
    }

    private struct Shard {
        var area: StagingArea?
        var current: StagingArea.Current?
        /// Of segments that are filled.
        var filled: [Portion] = []
        var batches: [EventBatch] = []
        var waiters: [Waiter] = []
        /// The bytes that wait.
        var size = 0
        /// The events of the batches that should have had a segment of a file.
        var unstaged = 0
        var isClosed = false
    }

    // Enough for a burst of some 130,000 events; beyond, memory would grow as fast as a disk is slow.
    private static let maximumSize = 128 << 20
    // A batch that grew further would be moved in memory as it grows, while other threads wait to append.
    private static let batchSize = 1 << 20
    // Some hundred events, so that a burst wakes the store's thread for few of them, and long before segments run out.
    private static let largeSize = 256 << 10
    private static let maxSpare = 4

    private let shards: [Locked<Shard>]
    // The objects of two shards may share a cache line, where the counts of their references would meet.
    private let uncountedShards: [UncountedReference<Locked<Shard>>]
    /// Emptied batches, whose memory serves again.
    private let spare = Locked<[EventBatch]>([])
    /// The bytes that wait in memory only.
    private let unstagedSize = Atomic(0)
    private let unstaged = Atomic(0)
    private let unstagedWaiting = Atomic(0)

    /// - Parameter shards: How many threads can append without meeting, from one to ``ThreadLane/count``.
    package init(shards: Int = ThreadLane.count) {
        self.shards = (0..<shards).map { _ in Locked(Shard()) }
        uncountedShards = self.shards.map { UncountedReference($0) }
        let area = StagingArea()
        for shard in self.shards { shard.withLock { $0.area = area } }
    }

    /// How many events found no room in a staging file and waited in memory, where a kill would have lost them.
    package var unstagedCount: Int { unstaged.load(ordering: .relaxed) }

    /// How many of them wait now, or are being stored.
    var unstagedWaitingCount: Int { unstagedWaiting.load(ordering: .relaxed) }

    /// Why the staging file could not grow the last time; nil if it can.
    var growthFailure: String? { area.flatMap { $0.segments.withLock { $0.growthFailure } } }

    /// The area in use.
    var area: StagingArea? { shards[0].withLock { $0.area } }

    /// Appends an event.
    /// - Parameters:
    ///   - record: The event.
    ///   - waiter: Finished when the event is stored, or cannot be, if it is accepted.
    ///   - lane: The lane of the calling thread.
    /// - Returns: What became of it.
    package func append(_ record: StagedRecord, waiter: Waiter?, in lane: Int = ThreadLane.own) -> Admission {
        let index = lane < shards.count ? lane : 0
        return uncountedShards[index].use { shard in
            shard.withLock { shard in
                if shard.isClosed { return .closed }
                var isLow = false
                guard stage(record, &shard, index, &isLow) || keep(record, &shard) else { return .full }
                let before = shard.size
                shard.size += record.payload.count
                if let waiter { shard.waiters.append(waiter) }
                let isLarge = before < Self.largeSize && shard.size >= Self.largeSize
                return .accepted(isFirst: before == 0, isLarge: isLarge || waiter != nil, isLow: isLow)
            }
        }
    }

    @inline(__always)
    private func stage(_ record: StagedRecord, _ shard: inout Shard, _ index: Int, _ isLow: inout Bool) -> Bool {
        // What is in memory comes first, so that a thread's events stay in order.
        guard shard.batches.isEmpty, let area = shard.area else { return false }
        if shard.current != nil, area.append(record, to: &shard.current!) { return true }
        guard area.fits(record) else { return false }
        retire(&shard, index)
        (shard.current, isLow) = area.begin()
        return shard.current != nil && area.append(record, to: &shard.current!)
    }

    /// Releases a shard's segment.
    private func retire(_ shard: inout Shard, _ index: Int) {
        guard let area = shard.area, let current = shard.current else { return }
        shard.filled.append(portion(of: current, area, index, isLast: true))
        shard.current = nil
    }

    private func portion(
        of current: StagingArea.Current, _ area: StagingArea, _ shard: Int, isLast: Bool
    ) -> Portion {
        Portion(
            area: area, shard: shard, memory: current.memory, start: current.taken,
            position: StagedPosition(segment: current.index, generation: current.generation, end: current.end),
            isLast: isLast)
    }

    /// Keeps an event in memory; false if there is too much already.
    private func keep(_ record: StagedRecord, _ shard: inout Shard) -> Bool {
        let size = record.payload.count
        let before = unstagedSize.wrappingAdd(size, ordering: .relaxed).oldValue
        guard before + size <= Self.maximumSize || before == 0 else {
            unstagedSize.wrappingSubtract(size, ordering: .relaxed)
            return false
        }
        if shard.area?.isDurable == true {
            unstaged.wrappingAdd(1, ordering: .relaxed)
            unstagedWaiting.wrappingAdd(1, ordering: .relaxed)
            shard.unstaged += 1
        }
        let last = shard.batches.count - 1
        if last < 0 || shard.batches[last].size + size > Self.batchSize { shard.batches.append(makeBatch()) }
        shard.batches[shard.batches.count - 1].append(record)
        return true
    }

    /// Takes all that is there.
    ///
    /// At one moment for all threads: of two events of which one led to the other, the later is not taken before the earlier.
    package func take() -> Contents {
        var contents = Contents()
        take(from: 0, into: &contents)
        unstagedSize.wrappingSubtract(contents.batches.reduce(0) { $0 + $1.size }, ordering: .relaxed)
        return contents
    }

    private func take(from index: Int, into contents: inout Contents) {
        guard index < shards.count else { return }
        shards[index].withLock { shard in
            take(from: index + 1, into: &contents)
            contents.portions += shard.filled
            if let area = shard.area, var current = shard.current, current.taken != current.end {
                contents.portions.append(portion(of: current, area, index, isLast: false))
                current.taken = current.end
                shard.current = current
            }
            contents.batches += shard.batches
            contents.waiters += shard.waiters
            contents.unstaged += shard.unstaged
            (shard.filled, shard.batches, shard.waiters, shard.size, shard.unstaged) = ([], [], [], 0, 0)
        }
    }

    /// Notes that the storage has taken events which had no segment.
    func noteStored(unstaged count: Int) {
        unstagedWaiting.wrappingSubtract(count, ordering: .relaxed)
    }

    /// Lets the memory of records serve again whose events were sent, are on disk, or were lost.
    func release(_ portions: [Portion]) {
        for portion in portions {
            portion.area.settle(portion.position)
            if portion.isLast {
                portion.area.release(portion.position.segment)
                continue
            }
            // A segment without further records begins again, so that a quiet service reuses the same pages.
            let isFree = shards[portion.shard].withLock { shard in
                guard shard.area === portion.area, let current = shard.current,
                    current.generation == portion.position.generation, current.end == portion.position.end
                else { return false }
                shard.current = nil
                return true
            }
            if isFree { portion.area.release(portion.position.segment) }
        }
    }

    /// Uses another area from now on; what is in the one so far is taken as before.
    ///
    /// At one moment for all threads, because what is in the former one is stored first.
    func use(_ area: StagingArea) {
        if shards[0].withLock({ $0.area !== area }) { use(area, from: 0) }
    }

    private func use(_ area: StagingArea, from index: Int) {
        guard index < shards.count else { return }
        shards[index].withLock { shard in
            use(area, from: index + 1)
            retire(&shard, index)
            shard.area = area
        }
    }

    /// Makes room for what trackers will need next, and loads its memory.
    func prepare() {
        guard let area else { return }
        area.grow()
        area.prepare()
    }

    /// Makes the staging file larger on a thread of its own, because that of the store may wait for the disk.
    func growSoon() {
        guard let area else { return }
        WorkerThread.start(name: "tracker-staging") { while area.grow() {} }
    }

    /// An empty batch.
    func makeBatch() -> EventBatch {
        spare.withLock { $0.popLast() } ?? EventBatch(capacity: Self.batchSize)
    }

    /// Takes an emptied batch back, so that its memory serves again.
    func recycle(_ batch: consuming EventBatch) {
        // One event may have been larger than a batch is to be.
        guard batch.capacity <= 2 * Self.batchSize else { return }
        // Moved, because a tracker may take it at once, and would copy what is still held here.
        var emptied = Optional(consume batch)
        spare.withLock { if $0.count < Self.maxSpare, let batch = emptied.take() { $0.append(batch) } }
    }

    /// Refuses all later events.
    package func close() {
        for shard in shards { shard.withLock { $0.isClosed = true } }
    }
}

extension [EventQueue.Portion] {
    /// The number of events.
    var eventCount: Int { reduce(0) { $0 + $1.position.end.count - $1.start.count } }
}
