import TrackerConfig

/// What differs between two states of an experiment.
package struct ExperimentDifference: Sendable {
    /// The experiment's id.
    package let id: String

    /// What differs, by the keys of the document; of variants as `variants.fast.weight`.
    package let members: MemberDifference

    /// What the units see of it.
    package let moves: UnitMoves

    /// Compares an experiment; nil where nothing differs.
    /// - Parameters:
    ///   - old: The experiment before.
    ///   - new: The experiment after.
    ///   - isSecret: Whether somebody keeps a variable as a secret, and so what a variant makes of it.
    init?(from old: Experiment, to new: Experiment, isSecret: (VariableKey) -> Bool = { _ in false }) {
        let difference = MemberDifference(from: old.members { _ in false }, to: new.members { _ in false })
        guard !difference.isEmpty else { return nil }
        members = difference.showing(old.members(isSecret), new.members(isSecret))
        id = new.id
        moves = UnitMoves(from: old, to: new)
    }
}

extension Experiment {
    /// All that can differ, each under one name.
    /// - Parameter isHidden: Whether a variable's values are left out.
    /// - Returns: The members.
    fileprivate func members(_ isHidden: (VariableKey) -> Bool) -> JSONObject {
        var members: [(String, JSONValue)] = [
            ("unit", .string(unit)), ("seed", .string(seed)),
            ("hashVersion", hashVersion.map { .int($0.rawValue) } ?? "unknown"),
            ("coverage", JSONValue(shortest: coverage)),
            ("sticky", .bool(isSticky)),
        ]
        if let countries { members.append(("countries", .array(countries.map(JSONValue.string)))) }
        if let languages { members.append(("languages", .array(languages.map(JSONValue.string)))) }
        members.append(("variants", .array(variants.map { .string($0.name) })))
        for variant in variants {
            let place = "variants.\(variant.name)"
            if let weight = variant.weight { members.append(("\(place).weight", JSONValue(shortest: weight))) }
            for (feature, values) in variant.values(isHidden) {
                members.append(("\(place).values.\(feature)", .object(values)))
            }
        }
        return JSONObject(members)
    }
}
