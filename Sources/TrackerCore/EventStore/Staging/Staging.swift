/// The staging file of the own slot, as the storage uses it: the records of events in memory, and what a dead process left.
package struct Staging {
    /// The file; nil if there is none.
    private(set) var area: StagingArea?
    /// How many bytes the file may have. To set it lets a file try again that could not grow.
    var limit = EmitterConfiguration.builtIn.maxEventStoreBytes ?? .max {
        didSet { area?.setLimit(bytes: limit) }
    }
    /// What a dead process left in it and the disk does not have yet.
    package private(set) var leftovers: [StagingFile.Leftover]
    /// When it was last replaced because it was gone.
    var lastReplaced: Duration?
    /// The records of events in memory.
    private var held = HeldRecords()
    /// Records that are no longer needed.
    private var settled: [EventQueue.Portion] = []

    init(_ area: StagingArea?, _ leftovers: [StagingFile.Leftover]) {
        (self.area, self.leftovers) = (area, leftovers)
        area?.setLimit(bytes: limit)
    }

    /// Whether there is no room for more records.
    var isShort: Bool { area?.isShort ?? true }

    /// The path of the file if it was removed or replaced since.
    var vanishedPath: String? { area?.vanishedPath }

    /// Whether no event waits in the file.
    var isEmpty: Bool { leftovers.isEmpty && held.isEmpty }

    /// The segments that hold records or are being filled; nil without a file.
    package var usedSegments: Int? { area.map { $0.counts.all - $0.counts.free } }

    /// How far the file is read, by segment.
    var positions: [StagedPosition] { held.portions.map(\.position) }

    /// Uses a file.
    mutating func use(_ area: StagingArea?, _ leftovers: [StagingFile.Leftover]) {
        self.area = area
        area?.setLimit(bytes: limit)
        self.leftovers += leftovers
    }

    /// Leaves the file, which no other process finds any more.
    mutating func leave() {
        area = nil
        spilled()
        for index in leftovers.indices { leftovers[index].position = nil }
    }

    /// The events of records, those of a tracker in the order in which it took them; the records are held.
    /// - Parameters:
    ///   - portions: The records.
    ///   - namespaceCount: The number of namespaces that there are; a record of another one is damaged.
    /// - Returns: A batch whose bytes are those of the staging area, to be used before the records are released.
    mutating func accept(_ portions: [EventQueue.Portion], namespaceCount: Int) -> EventBatch {
        var records: [StagedRecord] = []
        records.reserveCapacity(portions.eventCount)
        for portion in portions {
            // In an area that no other process finds they are not needed.
            let number = portion.area === area ? held.number(of: portion) : nil
            let first = records.count
            portion.area.forEachRecord(of: portion) { record, offset in
                guard record.namespace < namespaceCount else { return }
                var record = record
                record.place = number.map { HeldRecords.Place(use: $0, offset: offset) }
                records.append(record)
            }
            let isHeld = number.map { held.hold(portion, count: records.count - first, number: $0) } ?? false
            if !isHeld { settled.append(portion) }
        }
        if Set(portions.map(\.shard)).count > 1 {
            records.sort { ($0.namespace, $0.sequence) < ($1.namespace, $1.sequence) }
        }
        return EventBatch(records)
    }

    /// Marks the records of events that have left memory, so that no later process sends them again.
    mutating func sent(_ places: [HeldRecords.Place]) {
        for place in places {
            if let portion = held.markSent(place) { settled.append(portion) }
        }
    }

    /// Gives up all records, because their events are on disk or the file is left.
    mutating func spilled() { settled += held.removeAll() }

    /// The first of the leftovers are on disk.
    mutating func recovered(_ count: Int) {
        area?.passOver(Array(leftovers[..<count]))
        leftovers.removeFirst(count)
    }

    /// Forgets the leftovers of a file that is gone.
    mutating func forgetVanished() { leftovers.removeAll { $0.position == nil } }

    /// Gives a queue back the records that are no longer needed.
    mutating func release(to queue: EventQueue) {
        queue.release(settled)
        settled = []
    }

    /// Lets the file try again to grow, and gives back what is not needed.
    func tend() {
        area?.setLimit(bytes: limit)
        area?.shrink()
    }
}
