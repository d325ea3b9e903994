import TrackerConfig

/// A feature as units get it.
struct RuleModel {
    /// The rules that can match.
    let rules: [FeatureRule]
    /// The values for all others; nil stands for whether the feature is enabled.
    private var plain: [ExactText?: JSONValue] = [:]
    /// The values of the default document.
    private var below: [ExactText?: JSONValue] = [:]
    private let kinds: [ExactText: VariableKind]

    /// All that the feature decides: variables, and nil for whether it is enabled.
    var keys: Set<ExactText?> {
        Set(plain.keys).union(rules.flatMap { $0.values.members.map { ExactText($0.name) } }).union([nil])
    }

    init(_ feature: FeatureDefinition, below: FeatureDefinition?) {
        rules = feature.rules.filter(\.isUsable)
        kinds = Dictionary(
            feature.variables.filter { !$0.isEncrypted }.compactMap { variable in
                VariableKind(variable.value).map { (ExactText(variable.name), $0) }
            }
        ) { $1 }
        self.below = below?.plain ?? [:]
        plain = self.below.merging(feature.plain) { $1 }
    }

    /// What units of a cell get, for which some criteria hold.
    func outcome(_ keys: Set<ExactText?>, _ met: Set<RuleCriterion>, _ cell: BucketCell) -> [ExactText?: JSONValue] {
        var outcome: [ExactText?: JSONValue] = [:]
        var open = keys
        for rule in rules {
            if let unmet = rule.targeting.prerequisites.first(where: { !met.contains($0.criterion) }) {
                guard unmet.isGate else { continue }
                for key in open { outcome[key] = key == nil ? false : below[key] }
                return outcome
            }
            guard Self.matches(rule, met, cell) else { continue }
            for key in open {
                guard let value = value(of: key, by: rule) else { continue }
                outcome[key] = value
                open.remove(key)
            }
        }
        for key in open { outcome[key] = plain[key] }
        return outcome
    }

    private static func matches(_ rule: FeatureRule, _ met: Set<RuleCriterion>, _ cell: BucketCell) -> Bool {
        if let condition = rule.targeting.condition, !met.contains(.condition(condition)) { return false }
        return rule.shares.allSatisfy { source, ranges in
            guard source.hashVersion != nil, let fraction = cell.fractions[source] else { return false }
            return ranges.contains { $0.contains(fraction) }
        }
    }

    private func value(of key: ExactText?, by rule: FeatureRule) -> JSONValue? {
        guard let key else { return rule.isEnabled.map(JSONValue.bool) }
        guard let value = rule.values[key.text], let kind = VariableKind(value) else { return nil }
        // Readers of the variable ignore a value of another type.
        if let expected = kinds[key], !expected.takes(kind) { return nil }
        return value
    }
}

/// A condition or a prerequisite, which holds for a unit or not.
enum RuleCriterion: Hashable {
    case condition(Condition)
    case prerequisite(String, Condition?)
}

extension Prerequisite {
    fileprivate var criterion: RuleCriterion { .prerequisite(feature, condition) }
}

extension FeatureRule {
    var criteria: [RuleCriterion] {
        (targeting.condition.map { [.condition($0)] } ?? []) + targeting.prerequisites.map(\.criterion)
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
