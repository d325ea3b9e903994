/// The records of the staging file whose events are in memory. A kill leaves nothing else of these events.
///
/// A segment is free once each of its records is marked as sent, or its event is in the store.
package struct HeldRecords {
    /// The place of a record.
    package struct Place {
        /// The number of the segment's use, which never repeats in a process.
        fileprivate let use: Int32
        fileprivate let offset: Int32

        init(use: Int32, offset: Int) {
            (self.use, self.offset) = (use, Int32(offset))
        }
    }

    private struct Use {
        /// All records that were taken.
        var portion: EventQueue.Portion
        /// How many of them are not marked.
        var count: Int
    }

    private var uses: [Int32: Use] = [:]
    private var numbers: [EventQueue.Portion.Segment: Int32] = [:]
    private var lastNumber: Int32 = 0
    /// The number of records that are not marked.
    private(set) var count = 0

    var isEmpty: Bool { count == 0 }

    /// The records, a portion for each segment, with those that are marked.
    var portions: [EventQueue.Portion] { uses.values.map(\.portion) }

    /// The number of a segment's use.
    mutating func number(of portion: EventQueue.Portion) -> Int32 {
        if let number = numbers[portion.segment] { return number }
        repeat { lastNumber &+= 1 } while uses[lastNumber] != nil
        return lastNumber
    }

    /// Holds records, or notes that a segment ends after those that are held.
    /// - Parameters:
    ///   - portion: The records.
    ///   - count: How many of them have an event in memory.
    ///   - number: The number of the segment's use.
    /// - Returns: Whether any record of the segment is held.
    mutating func hold(_ portion: EventQueue.Portion, count: Int, number: Int32) -> Bool {
        let held = uses[number]?.count ?? 0
        guard held + count > 0 else { return false }
        uses[number] = Use(portion: portion, count: held + count)
        numbers[portion.segment] = number
        self.count += count
        return true
    }

    /// Marks a record as sent.
    /// - Returns: The records of its segment if none of them is held any more.
    mutating func markSent(_ place: Place) -> EventQueue.Portion? {
        // The records of a file that vanished, and those whose events are in the store, are given up all at once.
        guard let use = uses[place.use] else { return nil }
        StagedRecord.markSent(in: use.portion.memory, at: Int(place.offset))
        count -= 1
        guard use.count == 1 else {
            uses[place.use]?.count -= 1
            return nil
        }
        (uses[place.use], numbers[use.portion.segment]) = (nil, nil)
        return use.portion
    }

    /// Gives up all records.
    /// - Returns: The records.
    mutating func removeAll() -> [EventQueue.Portion] {
        defer { (uses, numbers, count) = ([:], [:], 0) }
        return portions
    }
}
