/// Records of the staging area whose events are in memory, because the disk did not take them. A kill would lose the events, so
/// the records are kept until their events are stored, sent or dropped.
struct HeldRecords {
    private struct Group {
        var portions: [EventQueue.Portion]
        /// The events' ids in memory, which ascend from group to group.
        let ids: ClosedRange<Int64>
    }

    private var groups: [Group] = []
    private var segments: Set<EventQueue.Portion.Segment> = []

    var isEmpty: Bool { groups.isEmpty }

    /// Whether a segment has held records that come before a portion.
    func precede(_ portion: EventQueue.Portion) -> Bool { segments.contains(portion.segment) }

    /// The ids of the events in memory that had a record when they came there.
    var ranges: [ClosedRange<Int64>] {
        groups.reduce(into: []) { ranges, group in
            if let last = ranges.last, last.upperBound + 1 == group.ids.lowerBound {
                ranges[ranges.count - 1] = last.lowerBound...group.ids.upperBound
            } else {
                ranges.append(group.ids)
            }
        }
    }

    /// Whether an event in memory has a record.
    func contain(_ id: Int64) -> Bool {
        var (low, high) = (0, groups.count)
        while low < high {
            let middle = (low + high) / 2
            if groups[middle].ids.upperBound < id { low = middle + 1 } else { high = middle }
        }
        return low < groups.count && groups[low].ids.contains(id)
    }

    /// Adds records.
    /// - Parameters:
    ///   - portions: The records.
    ///   - ids: The events' ids in memory.
    mutating func append(_ portions: [EventQueue.Portion], _ ids: ClosedRange<Int64>) {
        groups.append(Group(portions: portions, ids: ids))
        segments.formUnion(portions.map(\.segment))
    }

    /// Adds the ends of segments, without records, to the last group; there must be one.
    mutating func append(ends portions: [EventQueue.Portion]) {
        groups[groups.count - 1].portions += portions
    }

    /// Takes the records whose events are gone, and before which no others of their segment are held.
    mutating func take(if isGone: (ClosedRange<Int64>) -> Bool) -> [EventQueue.Portion] {
        var taken: [EventQueue.Portion] = []
        var left = HeldRecords()
        for group in groups {
            if isGone(group.ids), !group.portions.contains(where: left.precede) {
                taken += group.portions
            } else {
                left.append(group.portions, group.ids)
            }
        }
        self = left
        return taken
    }

    /// All records, in their order.
    var portions: [EventQueue.Portion] { groups.flatMap(\.portions) }
}
