package import TrackerConfig

/// What differs between two states of an experiment.
package struct ExperimentDifference: Sendable {
    /// The experiment's id.
    package let id: String

    /// What differs, by the keys of the document; of variants as `variants.fast.weight`.
    package let members: MemberDifference

    /// What the units see of it: a disabled experiment gives none of them a variant.
    package let moves: UnitMoves

    /// Where the units of removed variants go, if their variants are stored.
    package let redrawn: [RedrawnUnits]

    /// Why an experiment gives no unit a variant.
    package enum Disabling: String, Sendable {
        /// The document disables it; stored assignments stay.
        case disabled
        /// This version of the SDK cannot use it.
        case unusable
    }

    /// Why the experiment gives no unit a variant from now on; nil if it gives some.
    package let disabling: Disabling?

    /// When the experiment applies now; nil for any time.
    package let schedule: Schedule?

    /// Whether condition, prerequisites, filters or schedule differ, so that units come or go besides.
    package let isTargetingOther: Bool

    /// Whether a sticky experiment draws all its units anew.
    package let isDrawnAnew: Bool

    /// Compares an experiment; nil if nothing differs.
    /// - Parameters:
    ///   - old: The experiment before.
    ///   - new: The experiment after.
    ///   - isSecret: Whether a variable, and so its value in a variant, is a secret.
    init?(from old: Experiment, to new: Experiment, isSecret: (VariableKey) -> Bool = { _ in false }) {
        let difference = MemberDifference(from: old.members { _ in false }, to: new.members { _ in false })
        guard !difference.isEmpty else { return nil }
        members = difference.showing(old.members(isSecret), new.members(isSecret))
        id = new.id
        moves = UnitMoves(from: old.asGiven, to: new.asGiven)
        redrawn = RedrawnUnits.list(from: old, to: new)
        isTargetingOther = old.targeting != new.targeting
        schedule = new.targeting.schedule
        isDrawnAnew = old.isSticky && new.isSticky && old.bucketVersion != new.bucketVersion
        disabling = new.isUsable ? (new.isEnabled ? nil : .disabled) : .unusable
    }
}

extension Experiment {
    /// All that can differ, each under one name.
    /// - Parameter isHidden: Whether a variable's values are left out.
    /// - Returns: The members.
    fileprivate func members(_ isHidden: (VariableKey) -> Bool) -> JSONObject {
        var members: [(String, JSONValue)] = [
            ("unit", .string(unit)), ("seed", .string(seed)),
            ("hashVersion", hashVersion.json),
            ("coverage", JSONValue(shortest: coverage)),
            ("sticky", .bool(isSticky)),
        ]
        if let countries { members.append(("countries", .array(countries.map(JSONValue.string)))) }
        if let languages { members.append(("languages", .array(languages.map(JSONValue.string)))) }
        members += targeting.members + exceptions
        members.append(("variants", .array(variants.map { .string($0.name) })))
        for variant in variants {
            let place = "variants.\(variant.name)"
            if let weight = variant.weight { members.append(("\(place).weight", JSONValue(shortest: weight))) }
            for (feature, values) in variant.values(isHidden) {
                members.append(("\(place).values.\(feature)", .object(values)))
            }
            for (feature, isEnabled) in variant.enabledFeatures.sorted(by: { $0.key < $1.key }) {
                members.append(("\(place).enabled.\(feature)", .bool(isEnabled)))
            }
            if variant.isPassthrough { members.append(("\(place).passthrough", true)) }
        }
        return JSONObject(members)
    }

    /// The experiment for those units that take part: with the variants that they get in the end.
    fileprivate var asGiven: Experiment {
        let gives = isEnabled && isUsable
        return Experiment(
            id: id, unit: unit, seed: seed, hashVersion: hashVersion, isSticky: isSticky,
            countries: countries, languages: languages, targeting: Targeting(), isEnabled: gives,
            ranges: gives ? ranges : ranges.map { _ in 0..<0 },
            variants: variants.map { ExperimentVariant(name: forcedVariant ?? $0.name) })
    }
}
