import TrackerConfig
import TrackerCore

/// How many units get another value of a feature after a change: made-up units are evaluated before and after.
///
/// The conditions of the feature's rules are taken as false for all of them, as true for all of them, and each alone as true,
/// because a document does not show for how many users a condition holds.
struct AffectedUnits {
    /// What evaluates a feature.
    struct Side {
        fileprivate let document: Document?
        fileprivate let features: [ExactText: FeatureDefinition]
        fileprivate let defaultFeatures: [ExactText: FeatureDefinition]
        fileprivate let experiments: [Experiment]

        init(_ document: Document?, _ default: DefaultConfiguration) {
            self.document = document
            features = Dictionary((document?.features ?? []).map { (ExactText($0.name), $0) }) { $1 }
            defaultFeatures = Dictionary(`default`.features.map { (ExactText($0.name), $0) }) { $1 }
            experiments = document?.experiments ?? `default`.experiments
        }
    }

    /// The most conditions that are taken as true alone.
    private static let maxConditions = 8

    private let sides: [Side]
    private let rules: [ExactText: [FeatureRule]]
    private let deciding: [ExactText: [Experiment]]
    private let count: Int

    /// Creates a comparison.
    /// - Parameters:
    ///   - old: What evaluates features before the change.
    ///   - new: What evaluates them after it.
    ///   - count: How many units are evaluated.
    init(from old: Side, to new: Side, count: Int) {
        (sides, self.count) = ([old, new], count)
        let features = sides.flatMap { Array($0.features) + Array($0.defaultFeatures) }
        rules = Dictionary(features.map { ($0.key, $0.value.rules) }, uniquingKeysWith: +)
        deciding = sides.flatMap(\.experiments).reduce(into: [:]) { deciding, experiment in
            let names = experiment.variants.flatMap { Array($0.overrides.keys) + Array($0.enabledFeatures.keys) }
            for name in Set(names) { deciding[name, default: []].append(experiment) }
        }
    }

    /// A feature with those that its prerequisites name, and all that decides them, before and after.
    private func relevant(
        _ name: String
    ) -> (features: Set<ExactText>, rules: [FeatureRule], experiments: [Experiment]) {
        var (features, rules, experiments) = (Set<ExactText>(), [FeatureRule](), [Experiment]())
        var open = [ExactText(name)]
        while let name = open.popLast() {
            guard features.insert(name).inserted else { continue }
            let own = self.rules[name] ?? []
            let deciding = own.compactMap(\.experiment) + (self.deciding[name] ?? [])
            rules += own
            experiments += deciding
            open += (own.map(\.targeting) + deciding.map(\.targeting)).flatMap(\.prerequisites)
                .map { ExactText($0.feature) }
        }
        return (features, rules, experiments)
    }

    /// What the units of a feature get: "about 30 % of users get retryLimit = 9".
    /// - Parameters:
    ///   - name: The feature's name.
    ///   - isSecret: Whether a variable is a secret.
    /// - Returns: The sentence; nil if no rule and no experiment decides the feature, so that all get what the document says.
    func sentence(of name: String, isSecret: (VariableKey) -> Bool) -> String? {
        let (features, rules, experiments) = relevant(name)
        guard !rules.isEmpty || !experiments.isEmpty else { return nil }
        let targetings = rules.map(\.targeting) + experiments.map(\.targeting)
        let filters = targetings.flatMap(\.filters)
        let drawn =
            rules.compactMap(\.bucket?.unit) + experiments.flatMap { [$0.unit] + ($0.fallbackUnit.map { [$0] } ?? []) }
            + filters.map { $0.unit ?? "userId" }
        let units = Set(drawn)
        let contexts = (0..<(units.isEmpty ? 1 : count)).map { number in
            FeatureContext(units: Dictionary(uniqueKeysWithValues: units.map { ($0, "\($0)-\(number)") }))
        }
        let decided = Set(
            (rules.map(\.values) + experiments.flatMap(\.variants).compactMap { $0.overrides[exactly: name] })
                .flatMap { $0.members.map { ExactText($0.name) } })
        var conditions: [Condition] = []
        for condition in targetings.compactMap(\.condition) where !conditions.contains(condition) {
            conditions.append(condition)
        }
        let cases =
            (conditions.count > 1 ? [Set(conditions)] : []) + conditions.prefix(Self.maxConditions).map { [$0] }
        var common: [Outcome]?
        let shares = ([[]] + cases).map { holding in
            let snapshots = sides.map {
                $0.snapshot(of: features, Set(experiments.map { ExactText($0.id) }), where: holding)
            }
            let variables = Set(snapshots.flatMap { $0.layers.variables(of: name) }).sorted()
                .map { FeatureKey.variable(VariableKey(name, $0)) }
            // A value that no rule and no experiment gives is alike for all units.
            let keys =
                [FeatureKey.enabled(name)]
                + variables.filter { key in
                    decided.contains(ExactText(key.variable ?? ""))
                        || snapshots[0].layers.candidates(key).first?.value
                            != snapshots[1].layers.candidates(key).first?.value
                }
            let kinds = snapshots.map { snapshot in keys.map(snapshot.layers.kind) }
            let moved = contexts.count { context in
                let outcomes = zip(snapshots, kinds).map { $0.outcomes(of: keys, $1, for: context) }
                if outcomes[0] == outcomes[1] { return false }
                let changed = zip(outcomes[0], outcomes[1]).filter { $0 != $1 }.map(\.1)
                common = common.map { $0.filter(changed.contains) } ?? changed
                return true
            }
            return Double(moved) / Double(contexts.count)
        }
        let what = common?.first?.words(of: name, isSecret) ?? "another value"
        return Self.words(
            shares[0], Array(shares.dropFirst()), units.isSubset(of: ["userId"]) ? "users" : "units", what)
    }

    private static func words(_ others: Double, _ matching: [Double], _ units: String, _ what: String) -> String {
        let (least, most) = (matching.min() ?? others, matching.max() ?? others)
        if others == 0, most == 0 { return "no \(units) get another value" }
        if least == others, most == others { return "\(others.amount(of: units)) get \(what)" }
        let matched = "the \(units) that a condition matches"
        if most == 0 { return "\(others.amount(of: units)) get \(what), apart from \(matched)" }
        let some =
            least == most ? most.amount(of: matched) : "\(least.percentage) to \(most.percentage) of \(matched)"
        return others == 0
            ? "\(some) get \(what), and no others" : "\(others.amount(of: units)) get \(what), and \(some)"
    }

    /// The share of some units for which the hash gives another variant.
    static func share(of count: Int, from old: Experiment, to new: Experiment) -> Double {
        let moved = (0..<count).count { old.variant(of: $0) != new.variant(of: $0) }
        return Double(moved) / Double(count)
    }
}

/// What a unit gets: whether the feature is enabled, or a variable.
private struct Outcome: Hashable {
    let key: FeatureKey
    /// Nil if the caller's default is used.
    let value: JSONValue?

    func words(of feature: String, _ isSecret: (VariableKey) -> Bool) -> String {
        guard let variable = key.variable else { return "enabled = \(value.map { "\($0)" } ?? "the caller's default")" }
        if isSecret(VariableKey(feature, variable)) { return "another value" }
        return "\(variable.oneLine(most: 60)) = \(value?.description.oneLine(most: 60) ?? "the caller's default")"
    }
}

extension AffectedUnits.Side {
    /// Some features and experiments, if some conditions hold and no others.
    fileprivate func snapshot(
        of names: Set<ExactText>, _ ids: Set<ExactText>, where holding: Set<Condition>
    ) -> FeatureSnapshot {
        func assumed(_ features: [ExactText: FeatureDefinition]) -> [FeatureDefinition] {
            names.compactMap { features[$0]?.assuming(holding) }
        }
        let experiments = experiments.filter { ids.contains(ExactText($0.id)) }.map { $0.assuming(holding) }
        let features = Features(
            FeatureOptions(), defaultFeatures: assumed(defaultFeatures),
            defaultExperiments: document == nil ? experiments : [], log: Log(nil, level: .off))
        _ = features.adopt(
            document.map {
                FeatureStore.Remote(version: $0.version, features: assumed(self.features), experiments: experiments)
            })
        return features.snapshot
    }
}

extension FeatureLayers {
    /// The type that readers of a key expect; nil if it is not known.
    fileprivate func kind(of key: FeatureKey) -> VariableKind? {
        guard let variable = key.variable else { return .boolean }
        return definitions(of: key.feature).lazy.flatMap(\.variables)
            .first { $0.name.isExactly(variable) && !$0.isEncrypted }.flatMap { VariableKind($0.value) }
    }
}

extension FeatureSnapshot {
    fileprivate func outcomes(
        of keys: [FeatureKey], _ kinds: [VariableKind?], for context: FeatureContext
    ) -> [Outcome] {
        evaluate(for: context, records: false) { evaluator in
            zip(keys, kinds).map { key, kind in
                var value: JSONValue?
                _ = evaluator.resolve(key) { candidate in
                    // Readers of the variable ignore a value of another type.
                    if let kind, !(VariableKind(candidate.value).map(kind.takes) ?? false) { return false }
                    value = candidate.value
                    return true
                }
                return Outcome(key: key, value: value)
            }
        }
    }
}

extension FeatureDefinition {
    fileprivate func assuming(_ holding: Set<Condition>) -> FeatureDefinition {
        var feature = self
        feature.rules = rules.map { rule in
            var rule = rule
            if !rule.targeting.assume(holding) { rule.isUsable = false }
            rule.experiment = rule.experiment?.assuming(holding)
            return rule
        }
        return feature
    }
}

extension Experiment {
    fileprivate func assuming(_ holding: Set<Condition>) -> Experiment {
        var experiment = self
        if !experiment.targeting.assume(holding) { experiment.isUsable = false }
        // The units are those of its audience.
        (experiment.countries, experiment.languages) = (nil, nil)
        return experiment
    }

    /// The variant that the hash gives a made-up unit.
    fileprivate func variant(of number: Int) -> String? {
        guard isEnabled, isUsable, let index = variantIndex(for: "\(unit)-\(number)") else { return nil }
        return forcedVariant ?? variants[index].name
    }
}

extension Targeting {
    /// Takes some conditions as true and all others as false; whether its own is true.
    fileprivate mutating func assume(_ holding: Set<Condition>) -> Bool {
        guard let own = condition else { return true }
        condition = nil
        return holding.contains(own)
    }
}

extension Double {
    /// The share of things in words: "about 30 % of users".
    func amount(of things: String) -> String {
        switch self {
        case 0: things.hasPrefix("the ") ? "none of \(things)" : "no \(things)"
        case 1: things.hasPrefix("the ") ? "all of \(things)" : "all \(things)"
        default: "about \(percentage) of \(things)"
        }
    }

    fileprivate var percentage: String {
        if self > 0, self < 0.01 { return "less than 1 %" }
        return "\(Int((self * 100).rounded())) %"
    }
}
