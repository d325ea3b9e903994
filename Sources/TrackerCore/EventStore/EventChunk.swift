/// Events of a namespace in memory, the oldest first, their payloads one after the other.
///
/// An event costs 16 bytes beyond its payload, and 8 more if its record in the staging file is held. The memory of a removed
/// event is given back with that of its chunk, once all of the chunk's events are removed.
struct EventChunk {
    /// What is known of an event besides its payload.
    struct Row {
        let id: Int64
        let isAnonymous: Bool
        /// When it was tracked, in milliseconds since 1970.
        let time: Int64
        /// The bytes of its payload.
        let size: Int
    }

    /// Events that were removed.
    struct Removal {
        var amount = EventAmount.zero
        /// Their records in the staging file.
        var records: [HeldRecords.Place] = []
    }

    private struct Entry {
        /// The most that an id may be above the first one.
        static let maxDistance: Int64 = (1 << 30) - 1

        let time: Int64
        /// Where the payload ends; it begins where that of the entry before ends.
        let end: UInt32
        /// From the highest bit: how far the id is above the first one (30 bits), anonymity, removal.
        private var bits: UInt32

        init(distance: Int64, isAnonymous: Bool, time: Int64, end: Int) {
            (self.time, self.end) = (time, UInt32(end))
            bits = UInt32(distance) << 2 | (isAnonymous ? 2 : 0)
        }

        var distance: Int64 { Int64(bits >> 2) }

        var isAnonymous: Bool { bits & 2 != 0 }

        var isRemoved: Bool { bits & 1 != 0 }

        mutating func remove() { bits |= 1 }
    }

    /// The most bytes of a chunk with more than one event, entries included.
    static let maxSize = 64 << 10

    private let firstID: Int64
    private var payloads: [UInt8] = []
    private var entries: [Entry] = []
    /// The events' records in the staging file; empty if none is held.
    private var records: [HeldRecords.Place] = []
    /// The index of the first event that was not removed.
    private var head = 0
    private var count = 0

    /// Creates an empty chunk.
    /// - Parameters:
    ///   - firstID: The id of the event that will come first.
    ///   - capacity: The bytes of payloads for which to reserve memory.
    init(firstID: Int64, capacity: Int) {
        self.firstID = firstID
        payloads.reserveCapacity(capacity)
    }

    /// Whether no event is left.
    var isEmpty: Bool { count == 0 }

    /// Whether the events have records in the staging file that are held.
    var isHeld: Bool { !records.isEmpty }

    /// Forgets the records.
    mutating func forgetRecords() {
        records = []
    }

    /// The events that are left.
    var amount: EventAmount {
        entries.indices.filter { !entries[$0].isRemoved }
            .reduce(.zero) { $0 + EventAmount(events: 1, bytes: row(at: $1).size) }
    }

    /// The oldest event; nil without events.
    var first: Row? { isEmpty ? nil : row(at: head) }

    /// The highest id that was appended; the first one without any.
    var lastID: Int64 { firstID + (entries.last?.distance ?? 0) }

    /// The lowest id that is not below another one and was not removed; nil if there is none.
    func firstID(from id: Int64) -> Int64? {
        var (low, high) = (head, entries.count)
        while low < high {
            let middle = (low + high) / 2
            if firstID + entries[middle].distance < id { low = middle + 1 } else { high = middle }
        }
        return entries[low...].first { !$0.isRemoved }.map { firstID + $0.distance }
    }

    /// Whether an event may be appended; the first one may, however large it is. Its id is higher than those of the events so
    /// far. All events of a chunk have records that are held, or none has.
    func hasRoom(for row: EventBatch.Row, id: Int64) -> Bool {
        if entries.isEmpty { return true }
        let places = row.record == nil ? 0 : MemoryLayout<HeldRecords.Place>.stride
        let used = payloads.count + (entries.count + 1) * (MemoryLayout<Entry>.stride + places)
        return used + row.size <= Self.maxSize && id - firstID <= Entry.maxDistance
            && (row.record == nil) == records.isEmpty
    }

    /// Appends an event, for which there must be room.
    mutating func append(_ payload: UnsafeRawBufferPointer, _ row: EventBatch.Row, id: Int64) {
        payloads.append(contentsOf: payload)
        entries.append(
            Entry(distance: id - firstID, isAnonymous: row.isAnonymous, time: row.time, end: payloads.count))
        if let record = row.record { records.append(record) }
        count += 1
    }

    /// Gives back memory that was reserved for events to come.
    mutating func trim() {
        payloads = Self.trimmed(payloads)
        entries = Self.trimmed(entries)
        records = Self.trimmed(records)
    }

    private static func trimmed<Element>(_ elements: [Element]) -> [Element] {
        // A few bytes remain in any array, because malloc rounds its size up.
        guard (elements.capacity - elements.count) * MemoryLayout<Element>.stride > 64 else { return elements }
        var copy: [Element] = []
        copy.reserveCapacity(elements.count)
        copy.append(contentsOf: elements)
        return copy
    }

    /// Calls `body` with each event and its payload, the oldest first, for as long as it returns true.
    /// - Returns: Whether it returned true each time.
    func forEach(while body: (Row, UnsafeRawBufferPointer) -> Bool) -> Bool {
        payloads.withUnsafeBytes { bytes in
            for index in head..<entries.count where !entries[index].isRemoved {
                let payload = UnsafeRawBufferPointer(rebasing: bytes[start(of: index)..<Int(entries[index].end)])
                guard body(row(at: index), payload) else { return false }
            }
            return true
        }
    }

    /// Removes events, the oldest first.
    /// - Parameters:
    ///   - isBeyond: Whether to end before an event.
    ///   - isGone: Whether to remove an event.
    ///   - removed: What was removed, to which that of this chunk is added.
    /// - Returns: Whether the removal ended before an event of this chunk.
    mutating func remove(
        until isBeyond: (Row) -> Bool, where isGone: (Row) -> Bool, _ removed: inout Removal
    ) -> Bool {
        var hasEnded = false
        for index in head..<entries.count where !entries[index].isRemoved {
            let row = row(at: index)
            hasEnded = isBeyond(row)
            if hasEnded { break }
            guard isGone(row) else { continue }
            entries[index].remove()
            count -= 1
            removed.amount += EventAmount(events: 1, bytes: row.size)
            if !records.isEmpty { removed.records.append(records[index]) }
        }
        while head < entries.count, entries[head].isRemoved { head += 1 }
        return hasEnded
    }

    private func row(at index: Int) -> Row {
        let entry = entries[index]
        return Row(
            id: firstID + entry.distance, isAnonymous: entry.isAnonymous, time: entry.time,
            size: Int(entry.end) - start(of: index))
    }

    private func start(of index: Int) -> Int {
        index > 0 ? Int(entries[index - 1].end) : 0
    }
}
