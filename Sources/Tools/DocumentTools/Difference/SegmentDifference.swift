import TrackerConfig

/// What differs between two states of a segment.
package struct SegmentDifference: Sendable, Equatable {
    /// The segment's name.
    package let name: String

    /// How many members are new.
    package let added: Int

    /// How many members are gone.
    package let removed: Int

    /// How many members there are now.
    package let count: Int

    /// Compares a segment; nil if it has the same members, in whatever order.
    init?(from old: JSONObject.Member, to new: JSONObject.Member) {
        let (before, after) = (Set(old.value.array ?? []), Set(new.value.array ?? []))
        guard before != after else { return nil }
        name = new.name
        (added, removed) = (after.subtracting(before).count, before.subtracting(after).count)
        count = after.count
    }
}
