import TrackerConfig
import TrackerFeatures

/// Estimates how many units get another value of a feature after a change, by evaluating made-up units before and
/// after.
///
/// A document does not show how many users meet the conditions of its rules and experiments, including countries,
/// languages and times. Therefore up to six conditions are assumed to be true and false, in all combinations.
struct AffectedUnits {
    /// The features and experiments before or after the change.
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

    private static let maxConditions = 6
    private static let maxFeatures = 50
    /// The maximum number of reads for one difference, which take about 0.2 s in a release build.
    private static let maxReads = 500_000

    private let sides: [Side]
    private let rules: [ExactText: [FeatureRule]]
    private let deciding: [ExactText: [Experiment]]
    private let maxUnits: Int
    private let maxReads: Int

    /// Creates a comparison.
    /// - Parameters:
    ///   - old: The features before the change.
    ///   - new: The features after the change.
    ///   - units: The maximum number of units to evaluate for a feature.
    ///   - features: The number of features to compare: the more there are, the fewer units are evaluated for each.
    init(from old: Side, to new: Side, units: Int, features: Int) {
        (sides, maxUnits, maxReads) = ([old, new], units, Self.maxReads / max(1, features))
        let features = sides.flatMap { Array($0.features) + Array($0.defaultFeatures) }
        rules = Dictionary(features.map { ($0.key, $0.value.rules) }, uniquingKeysWith: +)
        deciding = sides.flatMap(\.experiments).reduce(into: [:]) { deciding, experiment in
            let names = experiment.variants.flatMap { Array($0.overrides.keys) + Array($0.enabledFeatures.keys) }
            for name in Set(names) { deciding[name, default: []].append(experiment) }
        }
    }

    /// A feature and those of its prerequisites, with all their rules and experiments before and after.
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

    /// Describes the values that the units of a feature get: "about 30 % of users get retryLimit = 9".
    /// - Parameters:
    ///   - name: The feature's name.
    ///   - isSecret: Whether a variable is a secret.
    /// - Returns: The sentence; nil if no rule or experiment decides the feature, so that all units get the same
    ///   values.
    func sentence(of name: String, isSecret: (VariableKey) -> Bool) -> String? {
        let (features, rules, experiments) = relevant(name)
        guard !rules.isEmpty || !experiments.isEmpty else { return nil }
        let targetings = rules.map(\.targeting) + experiments.map(\.targeting)
        let filters = targetings.flatMap(\.filters)
        let drawn =
            rules.compactMap(\.bucket?.unit) + experiments.flatMap { [$0.unit] + ($0.fallbackUnit.map { [$0] } ?? []) }
            + filters.map { $0.unit ?? "userId" }
        let units = Set(drawn)
        var criteria: [Criterion] = []
        for criterion in targetings.flatMap(\.criteria) + experiments.flatMap(\.audience)
        where !criteria.contains(criterion) {
            criteria.append(criterion)
        }
        guard criteria.count <= Self.maxConditions, features.count <= Self.maxFeatures else {
            let reason = "more than \(Self.maxConditions) conditions or \(Self.maxFeatures) features decide this one"
            return "cannot count affected units: \(reason)"
        }
        let decided = Set(
            (rules.map(\.values) + experiments.flatMap(\.variants).compactMap { $0.overrides[exactly: name] })
                .flatMap { $0.members.map { ExactText($0.name) } })
        let ids = Set(experiments.map { ExactText($0.id) })
        let cases = (0..<1 << criteria.count).map { bits in
            Set(criteria.indices.filter { bits & 1 << $0 != 0 }.map { criteria[$0] })
        }
        var (common, contexts): ([Outcome]?, [FeatureContext]) = (nil, [])
        let shares = cases.map { holding in
            let snapshots = sides.map { $0.snapshot(of: features, ids, where: holding) }
            let variables = Set(snapshots.flatMap { $0.layers.variables(of: name) }).sorted()
                .map { FeatureKey.variable(VariableKey(name, $0)) }
            // A value that comes from no rule or experiment is the same for all units.
            let keys =
                [FeatureKey.enabled(name)]
                + variables.filter { key in
                    decided.contains(ExactText(key.variable ?? ""))
                        || snapshots[0].layers.candidates(key).first?.value
                            != snapshots[1].layers.candidates(key).first?.value
                }
            if contexts.isEmpty {
                let reads = cases.count * keys.count * features.count * 2
                contexts = Self.contexts(units.isEmpty ? 1 : max(20, min(maxUnits, maxReads / reads)), units)
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
        let words = Self.words(
            shares[0], Array(shares.dropFirst()), units.isSubset(of: ["userId"]) ? "users" : "units", what)
        return units.isEmpty ? words : "\(words) (\(contexts.count.grouped) tried)"
    }

    private static func contexts(_ count: Int, _ units: Set<String>) -> [FeatureContext] {
        (0..<count).map { number in
            FeatureContext(units: Dictionary(uniqueKeysWithValues: units.map { ($0, "\($0)-\(number)") }))
        }
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

    /// The share of units whose hash selects another variant.
    static func share(of count: Int, from old: Experiment, to new: Experiment) -> Double {
        let moved = (0..<count).count { old.variant(of: $0) != new.variant(of: $0) }
        return Double(moved) / Double(count)
    }
}

/// A unit's value: of whether the feature is enabled, or of a variable.
private struct Outcome: Hashable {
    let key: FeatureKey
    /// nil if the caller's default applies.
    let value: JSONValue?

    func words(of feature: String, _ isSecret: (VariableKey) -> Bool) -> String {
        guard let variable = key.variable else { return "enabled = \(value.map { "\($0)" } ?? "the caller's default")" }
        if isSecret(VariableKey(feature, variable)) { return "another value" }
        return "\(variable.oneLine(most: 60)) = \(value?.description.oneLine(most: 60) ?? "the caller's default")"
    }
}

extension AffectedUnits.Side {
    /// A snapshot of some features and experiments, assuming that only the given criteria hold.
    fileprivate func snapshot(
        of names: Set<ExactText>, _ ids: Set<ExactText>, where holding: Set<Criterion>
    ) -> FeatureSnapshot {
        func assumed(_ features: [ExactText: FeatureDefinition]) -> [FeatureDefinition] {
            names.compactMap { features[$0]?.assuming(holding) }
        }
        let experiments = experiments.filter { ids.contains(ExactText($0.id)) }.map { $0.assuming(holding) }
        let features = Features(
            FeatureOptions(), defaultFeatures: assumed(defaultFeatures),
            defaultExperiments: document == nil ? experiments : [], log: Log(nil, level: .off))
        _ = features.replaceDocument(
            by: document.map {
                FeatureStore.Remote(version: $0.version, features: assumed(self.features), experiments: experiments)
            })
        return features.snapshot
    }
}

extension FeatureLayers {
    /// The type that readers of a key expect; nil if it is unknown.
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
                let (value, _) = evaluator.resolve(key) { candidate -> JSONValue? in
                    // Readers of the variable ignore a value of another type.
                    if let kind, !(VariableKind(candidate.value).map(kind.takes) ?? false) { return nil }
                    return candidate.value
                }
                return Outcome(key: key, value: value)
            }
        }
    }
}

/// A criterion of an audience other than a unit's id and other features.
private enum Criterion: Hashable {
    case condition(Condition)
    case schedule(Schedule)
    case audience(countries: [String]?, languages: [String]?)
}

extension Targeting {
    fileprivate var criteria: [Criterion] {
        (condition.map { [.condition($0)] } ?? []) + (schedule.map { [.schedule($0)] } ?? [])
    }
}

extension Experiment {
    fileprivate var audience: [Criterion] {
        countries == nil && languages == nil ? [] : [.audience(countries: countries, languages: languages)]
    }

    /// The experiment, assuming that only the given criteria hold.
    fileprivate func assuming(_ holding: Set<Criterion>) -> Experiment {
        var experiment = self
        experiment.isUsable = isUsable && holding.isSuperset(of: targeting.criteria + audience)
        (experiment.targeting.condition, experiment.targeting.schedule) = (nil, nil)
        (experiment.countries, experiment.languages) = (nil, nil)
        return experiment
    }

    /// The variant that the hash selects for a made-up unit.
    fileprivate func variant(of number: Int) -> String? {
        guard isEnabled, isUsable, let index = variantIndex(for: "\(unit)-\(number)") else { return nil }
        return forcedVariant ?? variants[index].name
    }
}

extension FeatureDefinition {
    fileprivate func assuming(_ holding: Set<Criterion>) -> FeatureDefinition {
        var feature = self
        feature.rules = rules.compactMap { rule in
            // Outside its schedule, the rule's gate does not apply either.
            if let schedule = rule.targeting.schedule, !holding.contains(.schedule(schedule)) { return nil }
            var rule = rule
            rule.isUsable = rule.isUsable && holding.isSuperset(of: rule.targeting.criteria)
            (rule.targeting.condition, rule.targeting.schedule) = (nil, nil)
            rule.experiment = rule.experiment?.assuming(holding)
            return rule
        }
        return feature
    }
}

extension Int {
    /// The number with a separator of thousands: "10,000".
    var grouped: String { self < 1000 ? "\(self)" : "\(self / 1000),\("\(1000 + self % 1000)".dropFirst())" }
}

extension Double {
    /// The share as a phrase: "about 30 % of users".
    func amount(of things: String) -> String {
        switch self {
        case 0: things.hasPrefix("the ") ? "none of \(things)" : "no \(things)"
        case 1: things.hasPrefix("the ") ? "all of \(things)" : "all \(things)"
        case 0.01...0.99: "about \(percentage) of \(things)"
        default: "\(percentage) of \(things)"
        }
    }

    fileprivate var percentage: String {
        if self > 0, self < 0.01 { return "less than 1 %" }
        return self > 0.99 && self < 1 ? "more than 99 %" : "\(Int((self * 100).rounded())) %"
    }
}
