/// The features of one source, prepared for reads.
package final class FeatureLayer: Sendable {
    package let source: FeatureSource
    let features: [ExactText: CompiledFeature]
    /// The keys of all features. The features retain them, so that reads do no reference counting.
    let keys: [FeatureKey: Unmanaged<CompiledKey>]
    /// Whether any feature is disabled.
    let hasDisabled: Bool
    /// The times at which rules and experiments begin and end.
    let instants: Set<Instant>
    /// Whether any variable is encrypted.
    let hasSecrets: Bool

    /// Compiles the features of a source.
    /// - Parameters:
    ///   - source: The source.
    ///   - definitions: The features; if a name occurs twice, the later one applies.
    ///   - experiments: The experiments of the same source, which come after all rules; none by default.
    ///   - usage: The counters of features.
    init(
        _ source: FeatureSource, _ definitions: [FeatureDefinition], experiments: ExperimentTable = .empty,
        _ usage: UsageRegistry
    ) {
        self.source = source
        var named: [ExactText: [CompiledExperiment]] = [:]
        for experiment in experiments.all {
            for feature in experiment.features { named[feature, default: []].append(experiment) }
        }
        var features = [ExactText: CompiledFeature](minimumCapacity: definitions.count)
        for definition in definitions.reversed() where features[exactly: definition.name] == nil {
            let name = ExactText(definition.name)
            let compiled = definition.rules.map { CompiledRule($0, experiments) }
            features[name] = CompiledFeature(
                name, definition, compiled, named.removeValue(forKey: name) ?? [], usage.counters(of: name))
        }
        // An experiment may name features of another source.
        for (name, experiments) in named {
            features[name] = CompiledFeature(name, nil, [], experiments, usage.counters(of: name))
        }
        self.features = features
        keys = features.reduce(into: [:]) { keys, feature in
            keys[.enabled(feature.key.text)] = .passUnretained(feature.value.enabled)
            for (name, key) in feature.value.variables {
                keys[.variable(VariableKey(feature.key.text, name.text))] = .passUnretained(key)
            }
        }
        hasDisabled = features.values.contains(where: \.isDisabled)
        let targetings =
            experiments.all.map(\.experiment.targeting)
            + features.values.flatMap(\.rules).flatMap {
                [$0.rule.targeting, $0.rule.experiment?.targeting].compactMap(\.self)
            }
        instants = Set(targetings.flatMap { $0.schedule?.bounds ?? [] })
        hasSecrets = features.values.contains { $0.variables.values.contains(where: \.isEncrypted) }
    }
}

/// A feature of one source, with the rules and experiments of each of its keys.
package final class CompiledFeature: Sendable {
    /// nil if only experiments name the feature.
    let definition: FeatureDefinition?
    let rules: [CompiledRule]
    /// The key for whether the feature is enabled.
    let enabled: CompiledKey
    /// The variables, including those that only rules and experiments name.
    let variables: [ExactText: CompiledKey]
    let isDisabled: Bool
    let usage: UsageCounters

    fileprivate init(
        _ name: ExactText, _ definition: FeatureDefinition?, _ rules: [CompiledRule],
        _ experiments: [CompiledExperiment], _ usage: UsageCounters
    ) {
        (self.definition, self.rules, self.usage) = (definition, rules, usage)
        isDisabled = definition?.isDisabled ?? false
        // An experiment that is named by a rule of the feature is evaluated with that rule.
        let placed = Set(rules.compactMap { rule in rule.experiment.map { ExactText($0.id) } })
        let experiments = experiments.filter { !placed.contains(ExactText($0.id)) }
        let defined = definition?.variables ?? []
        let decided = rules.map { $0.variables(of: name) }
        let gates = rules.enumerated().filter { $1.isGate }.map { Decider($1, $1.experiment, at: $0) }
        var enabled: [Decider] = []
        var deciders: [ExactText: [Decider]] = [:]
        for (position, (rule, values)) in zip(rules, decided).enumerated() {
            let value = rule.experiment == nil ? rule.rule.isEnabled.map(JSONValue.bool) : nil
            if value != nil || rule.experiment?.decidesEnabled(name) ?? false {
                enabled.append(Decider(rule, rule.experiment, value, at: position))
            }
            for (variable, value) in values {
                deciders[variable, default: []].append(Decider(rule, rule.experiment, value, at: position))
            }
        }
        for experiment in experiments {
            let decider = Decider(nil, experiment, at: .max)
            if experiment.decidesEnabled(name) { enabled.append(decider) }
            for variable in experiment.variables(of: name) { deciders[variable, default: []].append(decider) }
        }
        self.enabled = CompiledKey(definition?.isEnabled.map(JSONValue.bool), gates, enabled, usage)
        var variables = deciders.mapValues { CompiledKey(nil, gates, $0, usage) }
        for variable in defined {
            let value = variable.value == .null ? JSONValue?.none : variable.value
            variables[exactly: variable.name] = CompiledKey(
                value, isEncrypted: variable.isEncrypted, gates, deciders[exactly: variable.name], usage)
        }
        self.variables = variables
    }
}

/// The values of one source for a key: a variable, or whether a feature is enabled.
package final class CompiledKey: Sendable {
    /// The value for all contexts; nil if it is unset.
    let value: JSONValue?
    /// Whether the value is a ciphertext.
    let isEncrypted: Bool
    /// The feature's rules with a gate, which may turn off all of its keys; the keys share the list.
    private let gates: [Decider]
    /// The rules with a value for the key, then the experiments, in the order of evaluation.
    private let others: [Decider]
    /// Whether rules or experiments may decide the key.
    let isDecided: Bool
    /// The counters of the feature.
    let usage: UsageCounters

    fileprivate init(
        _ value: JSONValue?, isEncrypted: Bool = false, _ gates: [Decider], _ others: [Decider]?, _ usage: UsageCounters
    ) {
        (self.value, self.isEncrypted, self.usage) = (value, isEncrypted, usage)
        (self.gates, self.others) = (gates, others ?? [])
        isDecided = !gates.isEmpty || !self.others.isEmpty
    }

    /// The rules and experiments that may decide the key, in the order of evaluation.
    var deciders: [Decider] {
        if gates.isEmpty { return others }
        var (deciders, rest) = ([Decider](), others[...])
        for gate in gates {
            deciders += rest.prefix { $0.position < gate.position }
            rest = rest.drop { $0.position < gate.position }
            if rest.first?.position != gate.position { deciders.append(gate) }
        }
        return deciders + rest
    }
}

/// A rule or an experiment that may decide a key.
final class Decider: Sendable {
    /// nil for an experiment that no rule names.
    let rule: CompiledRule?
    /// nil if the rule's own value decides.
    let experiment: CompiledExperiment?
    /// The rule's value for the key; nil for a gate that has none.
    let value: JSONValue?
    /// The rule's position among the rules of its feature; experiments without a rule come last.
    fileprivate let position: Int

    fileprivate init(
        _ rule: CompiledRule?, _ experiment: CompiledExperiment?, _ value: JSONValue? = nil, at position: Int
    ) {
        (self.rule, self.experiment, self.value, self.position) = (rule, experiment, value, position)
    }
}

extension CompiledRule {
    /// The variables of its feature that the rule decides, with the rule's own value if it has no experiment.
    fileprivate func variables(of feature: ExactText) -> [ExactText: JSONValue?] {
        if let experiment {
            return Dictionary(uniqueKeysWithValues: experiment.variables(of: feature).map { ($0, nil) })
        }
        let values = rule.values.members.filter { $0.value != .null }
        return Dictionary(values.map { (ExactText($0.name), $0.value) }) { first, _ in first }
    }
}

extension CompiledExperiment {
    /// The features that any variant sets or enables.
    fileprivate var features: Set<ExactText> {
        Set(experiment.variants.flatMap { Array($0.overrides.keys) + Array($0.enabledFeatures.keys) })
    }

    /// The variables of a feature that any variant sets.
    fileprivate func variables(of feature: ExactText) -> Set<ExactText> {
        Set(experiment.variants.flatMap { $0.overrides[feature]?.members.map { ExactText($0.name) } ?? [] })
    }

    /// Whether any variant sets whether a feature is enabled.
    fileprivate func decidesEnabled(_ feature: ExactText) -> Bool {
        experiment.variants.contains { $0.enabledFeatures[feature] != nil }
    }
}
