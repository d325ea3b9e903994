import TrackerConfig

/// A feature as units get it.
struct RuleModel {
    /// A rule that can match. A set of criteria is a number of which each bit stands for one.
    private struct Rule {
        let rule: FeatureRule
        let condition: Int
        /// That of the schedule alone, without which a gate does not count.
        let schedule: Int
        let prerequisites: [(criterion: Int, isGate: Bool)]
        let shares: [(source: BucketSource, ranges: [Range<Double>])]

        init(_ rule: FeatureRule, _ bits: [RuleCriterion: Int]) {
            self.rule = rule
            schedule = rule.targeting.schedule.flatMap { bits[.schedule($0)] } ?? 0
            condition = (rule.targeting.condition.flatMap { bits[.condition($0)] } ?? 0) | schedule
            prerequisites = rule.targeting.prerequisites.map { (bits[$0.criterion] ?? 0, $0.isGate) }
            shares = rule.shares
        }

        func matches(_ met: Int, _ cell: BucketCell) -> Bool {
            met & condition == condition && shares.allSatisfy { cell.isIn($0.ranges, of: $0.source) }
        }
    }

    private let rules: [Rule]
    /// The values for all others; nil stands for whether the feature is enabled.
    private var plain: [ExactText?: JSONValue] = [:]
    /// The values of the default document.
    private var below: [ExactText?: JSONValue] = [:]
    private let kinds: [ExactText: VariableKind]

    /// All that the feature decides: variables, and nil for whether it is enabled.
    var keys: Set<ExactText?> {
        Set(plain.keys).union(rules.flatMap { $0.rule.values.members.map { ExactText($0.name) } }).union([nil])
    }

    /// Creates the model of a feature.
    /// - Parameters:
    ///   - feature: The feature.
    ///   - below: The default document's feature.
    ///   - bits: The bit of each criterion of the rules.
    init(_ feature: FeatureDefinition, below: FeatureDefinition?, _ bits: [RuleCriterion: Int]) {
        rules = feature.isDisabled ? [] : feature.rules.filter(\.isUsable).map { Rule($0, bits) }
        kinds = Dictionary(
            feature.variables.filter { !$0.isEncrypted }.compactMap { variable in
                VariableKind(variable.value).map { (ExactText(variable.name), $0) }
            }
        ) { $1 }
        if feature.isDisabled { return }
        self.below = below?.plain ?? [:]
        plain = self.below.merging(feature.plain) { $1 }
    }

    /// What units of a cell get, for which some criteria hold.
    func outcome(_ keys: Set<ExactText?>, _ met: Int, _ cell: BucketCell) -> [ExactText?: JSONValue] {
        var outcome: [ExactText?: JSONValue] = [:]
        var open = keys
        for rule in rules {
            if let unmet = rule.prerequisites.first(where: { met & $0.criterion != $0.criterion }) {
                guard unmet.isGate, met & rule.schedule == rule.schedule else { continue }
                for key in open { outcome[key] = key == nil ? false : below[key] }
                return outcome
            }
            guard rule.matches(met, cell) else { continue }
            for key in open {
                guard let value = value(of: key, by: rule.rule) else { continue }
                outcome[key] = value
                open.remove(key)
            }
        }
        for key in open { outcome[key] = plain[key] }
        return outcome
    }

    private func value(of key: ExactText?, by rule: FeatureRule) -> JSONValue? {
        guard let key else { return rule.isEnabled.map(JSONValue.bool) }
        guard let value = rule.values[key.text], let kind = VariableKind(value) else { return nil }
        // Readers of the variable ignore a value of another type.
        if let expected = kinds[key], !expected.takes(kind) { return nil }
        return value
    }
}

/// A condition or a prerequisite, which holds for a unit or not, or a schedule, which holds at a time or not.
enum RuleCriterion: Hashable {
    case condition(Condition)
    case prerequisite(String, Condition?)
    case schedule(Schedule)
}

extension Prerequisite {
    fileprivate var criterion: RuleCriterion { .prerequisite(feature, condition) }
}

extension FeatureRule {
    var criteria: [RuleCriterion] {
        (targeting.condition.map { [.condition($0)] } ?? []) + targeting.prerequisites.map(\.criterion)
            + (targeting.schedule.map { [.schedule($0)] } ?? [])
    }
}

extension FeatureDefinition {
    /// The values for all contexts; nil stands for whether the feature is enabled.
    fileprivate var plain: [ExactText?: JSONValue] {
        var values: [ExactText?: JSONValue] = [:]
        for variable in variables where variable.value != .null { values[ExactText(variable.name)] = variable.value }
        if let isEnabled { values[nil as ExactText?] = .bool(isEnabled) }
        return values
    }
}
