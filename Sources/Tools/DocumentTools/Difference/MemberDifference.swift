package import TrackerConfig

/// What differs between the members of two objects.
package struct MemberDifference: Sendable, Equatable {
    /// A member with another value.
    package struct Change: Sendable, Equatable {
        /// The member's name.
        package let name: String
        /// Its value before.
        package let old: JSONValue
        /// Its value after.
        package let new: JSONValue
    }

    /// The members that are new.
    package let added: JSONObject

    /// The members that are gone.
    package let removed: JSONObject

    /// The members with other values.
    package let changed: [Change]

    /// Whether nothing differs.
    package var isEmpty: Bool { added.isEmpty && removed.isEmpty && changed.isEmpty }

    /// Compares two objects.
    init(from old: JSONObject, to new: JSONObject) {
        added = JSONObject(unique: new.members.filter { old[$0.name] == nil })
        removed = JSONObject(unique: old.members.filter { new[$0.name] == nil })
        changed = new.members.compactMap { member in
            guard let before = old[member.name], before != member.value else { return nil }
            return Change(name: member.name, old: before, new: member.value)
        }
    }

    private init(added: JSONObject, removed: JSONObject, changed: [Change]) {
        (self.added, self.removed, self.changed) = (added, removed, changed)
    }

    /// The same members with the values of other objects, in which secrets are left out.
    func showing(_ old: JSONObject, _ new: JSONObject) -> MemberDifference {
        MemberDifference(
            added: JSONObject(unique: added.members.map { ($0.name, new[$0.name] ?? .null) }),
            removed: JSONObject(unique: removed.members.map { ($0.name, old[$0.name] ?? .null) }),
            changed: changed.map { Change(name: $0.name, old: old[$0.name] ?? .null, new: new[$0.name] ?? .null) })
    }
}
