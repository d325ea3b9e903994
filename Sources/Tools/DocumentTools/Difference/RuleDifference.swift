package import TrackerConfig

/// What differs between the rules of two states of a feature.
package struct RuleDifference: Sendable, Equatable {
    /// A rule that differs.
    package struct Change: Sendable, Equatable {
        /// The rule's id.
        package let id: String
        /// What differs, by the keys of the document; of values as `values.retryLimit`.
        package let members: MemberDifference
        /// Whether a segment that its condition names has other members.
        package let hasOtherSegments: Bool
        /// When the rule applies now; nil for any time.
        package let schedule: Schedule?
    }

    /// A rule that is new or gone, as a document writes it, with "…" in the place of secrets.
    package struct Rule: Sendable, Equatable {
        /// The rule's id.
        package let id: String
        /// The rule's members.
        package let json: JSONObject
        /// When the rule applies; nil for any time.
        package let schedule: Schedule?
    }

    /// The rules that are new.
    package let added: [Rule]

    /// The rules that are gone.
    package let removed: [Rule]

    /// The rules that differ.
    package let changed: [Change]

    /// The ids of the rules that are tried before or after others than they were.
    package let moved: [String]

    /// The ids of all rules in the order in which they are tried now.
    package let order: [String]

    /// Whether nothing differs.
    package var isEmpty: Bool { added.isEmpty && removed.isEmpty && changed.isEmpty && moved.isEmpty }

    /// Compares two lists of rules.
    /// - Parameters:
    ///   - old: The rules before.
    ///   - new: The rules after.
    ///   - feature: The feature's name.
    ///   - isSecret: Whether a variable is a secret.
    init(from old: [FeatureRule], to new: [FeatureRule], of feature: String, isSecret: (VariableKey) -> Bool) {
        let (old, new) = (old.numbered, new.numbered)
        let before = Dictionary(old.map { (ExactText($0.id), $0.rule) }) { first, _ in first }
        let after = Set(new.map { ExactText($0.id) })
        func shown(_ rule: (id: String, rule: FeatureRule)) -> Rule {
            Rule(
                id: rule.id, json: rule.rule.json(of: feature, isSecret: isSecret),
                schedule: rule.rule.targeting.schedule)
        }
        added = new.filter { before[exactly: $0.id] == nil }.map(shown)
        removed = old.filter { !after.contains(ExactText($0.id)) }.map(shown)
        changed = new.compactMap { id, rule in
            guard let earlier = before[exactly: id], earlier != rule else { return nil }
            func members(_ rule: FeatureRule, _ isSecret: (VariableKey) -> Bool) -> JSONObject {
                rule.json(of: feature, isSecret: isSecret).withValuesByName
            }
            let difference = MemberDifference(
                from: members(earlier) { _ in false }, to: members(rule) { _ in false })
            return Change(
                id: id, members: difference.showing(members(earlier, isSecret), members(rule, isSecret)),
                hasOtherSegments: earlier.targeting.hasOtherSegments(than: rule.targeting),
                schedule: rule.targeting.schedule)
        }
        let kept = (old.filter { after.contains(ExactText($0.id)) }, new.filter { before[exactly: $0.id] != nil })
        let moves = kept.1.map { ExactText($0.id) }.difference(from: kept.0.map { ExactText($0.id) })
        moved = moves.insertions.map { change in
            switch change {
            case .insert(_, let id, _), .remove(_, let id, _): id.text
            }
        }
        order = new.map(\.id)
    }
}

extension [FeatureRule] {
    /// The rules with ids that are unique: "ramp" and "ramp (2)" if two have one.
    fileprivate var numbered: [(id: String, rule: FeatureRule)] {
        var counts: [ExactText: Int] = [:]
        return map { rule in
            let count = counts[ExactText(rule.id), default: 0] + 1
            counts[ExactText(rule.id)] = count
            return (count == 1 ? rule.id : "\(rule.id) (\(count))", rule)
        }
    }
}

extension Targeting {
    /// Whether it reads as another one does, and differs from it all the same.
    fileprivate func hasOtherSegments(than other: Targeting) -> Bool {
        self != other && JSONObject(unique: members) == JSONObject(unique: other.members)
    }
}

extension JSONObject {
    /// The members, with one for each of the values.
    fileprivate var withValuesByName: JSONObject {
        JSONObject(
            unique: members.flatMap { name, value -> [Member] in
                guard name == "values", let values = value.object else { return [(name, value)] }
                return values.members.map { ("values.\($0.name)", $0.value) }
            })
    }
}
