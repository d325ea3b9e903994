/// The features of all sources at one moment; replaced as a whole.
///
/// Reads, explanations, listeners and the console all use this list, so their results agree.
package final class FeatureLayers: Sendable {
    /// The sources, the highest in precedence first: overrides, the service's own providers, the remote document, the
    /// default.
    let all: [FeatureLayer]

    /// The sources that have features.
    private let filled: [Unmanaged<FeatureLayer>]

    /// The experiments in use.
    package let experiments: ExperimentTable

    /// The experiments in use by source: the document, and the providers.
    private let sources: (document: ExperimentTable, provided: [ExperimentTable])

    /// The overrides.
    package let overrides: Overrides

    /// A number that grows with every change.
    package let generation: UInt64

    /// The times at which rules and experiments begin and end, in ascending order.
    let instants: [Instant]

    /// The time of comparisons for listeners; nil if no value depends on the time, or if the clock was not set.
    package let time: Instant?

    /// Whether any source has an encrypted variable.
    let hasSecrets: Bool

    /// Resolves sources.
    /// - Parameters:
    ///   - layers: The sources, the highest in precedence first.
    ///   - document: The experiments of the document in use.
    ///   - provided: The experiments of the providers.
    ///   - overrides: The overrides.
    ///   - generation: A number that grows with every change.
    ///   - now: Returns the current time, or nil if the clock was not set; called if a value depends on the time.
    init(
        _ layers: [FeatureLayer] = [], document: ExperimentTable = .empty, provided: [ExperimentTable] = [],
        overrides: Overrides = Overrides(), generation: UInt64 = 0, now: () -> Instant? = { nil }
    ) {
        all = layers
        filled = layers.filter { !$0.features.isEmpty }.map { .passUnretained($0) }
        experiments = document.adding(provided)
        sources = (document, provided)
        self.overrides = overrides
        self.generation = generation
        instants = layers.reduce(into: Set<Instant>()) { $0.formUnion($1.instants) }.sorted()
        time = instants.isEmpty ? nil : now()
        hasSecrets = layers.contains(where: \.hasSecrets)
    }

    /// The result of a lookup without an evaluation.
    enum Glance {
        /// The value for all contexts.
        case value(JSONValue)
        /// No source has a value.
        case missing
        /// Rules, experiments or a ciphertext decide, or the feature is disabled. Contains the layers, and the place of
        /// the key.
        case undecided(FeatureLayers, Place?)
    }

    /// A key and the first source that has it, so that an evaluation need not look it up again. Its layers keep it
    /// alive.
    struct Place {
        unowned(unsafe) let layer: FeatureLayer
        unowned(unsafe) let key: CompiledKey
    }

    /// Looks up a key without an evaluation, which is enough for most reads.
    /// - Parameters:
    ///   - key: The variable, or whether a feature is enabled.
    ///   - counts: Whether it counts as an evaluation; true by default.
    /// - Returns: The result.
    @inline(__always)
    func glance(at key: FeatureKey, counts: Bool = true) -> Glance {
        for layer in filled {
            let found: Glance? = layer._withUnsafeGuaranteedRef { layer in
                guard let compiled = layer.keys[key] else { return layer.hasDisabled ? .undecided(self, nil) : nil }
                return compiled._withUnsafeGuaranteedRef { compiled in
                    guard !compiled.isDecided, !compiled.isEncrypted, !layer.hasDisabled else {
                        return .undecided(self, Place(layer: layer, key: compiled))
                    }
                    guard let value = compiled.value else { return nil }
                    if counts { compiled.usage.count(.static) }
                    return .value(value)
                }
            }
            if let found { return found }
        }
        if counts { usage(of: key.feature)?.count(.default) }
        return .missing
    }

    /// Returns the experiments with those of another document instead of the one in use. Earlier tables have
    /// precedence.
    /// - Parameter document: The other document's experiments; nil for the document in use.
    /// - Returns: The tables.
    func experiments(with document: ExperimentTable?) -> [ExperimentTable] {
        guard let document, document !== sources.document else { return [experiments] }
        return [document] + sources.provided
    }

    /// The forced variant of an experiment's id.
    package func forced(_ experiment: String) -> String? { overrides[.init(experiment: experiment)]?.value?.string }

    /// All features, sorted by name.
    package var names: [String] {
        all.flatMap { layer in layer.features.filter { $0.value.definition != nil }.keys.map(\.text) }.sortedUnique
    }

    /// A feature in each source, the highest in precedence first.
    private func compiled(_ feature: String) -> [(source: FeatureSource, feature: CompiledFeature)] {
        all.compactMap { layer in layer.features[exactly: feature].map { (layer.source, $0) } }
    }

    /// Whether any source defines a feature.
    package func has(_ feature: String) -> Bool { compiled(feature).contains { $0.feature.definition != nil } }

    /// Whether any source names a key, even if only in rules or experiments.
    func isKnown(_ key: FeatureKey) -> Bool { all.contains { $0.keys[key] != nil } }

    /// Whether a document is in use or any source has features, so that a name in none of them is a mistake.
    var isComparable: Bool { all.contains { $0.source.isRemote || !$0.features.isEmpty } }

    /// The metadata of a feature, from the highest source with metadata; empty by default.
    package func metadata(of feature: String) -> [String: JSONValue] {
        let metadata = definitions(of: feature).lazy.map(\.metadata).first { !$0.isEmpty }
        return Dictionary(metadata?.members.map { ($0.name, $0.value) } ?? []) { first, _ in first }
    }

    /// Whether a source disables a feature.
    package func isDisabled(_ feature: String) -> Bool { compiled(feature).contains { $0.feature.isDisabled } }

    /// The definitions of a feature, the highest in precedence first.
    package func definitions(of feature: String) -> [FeatureDefinition] {
        compiled(feature).compactMap(\.feature.definition)
    }

    /// The rules of a feature with their sources, in the order of evaluation.
    package func rules(of feature: String) -> [(source: FeatureSource, rules: [FeatureRule])] {
        compiled(feature).map { ($0.source, $0.feature.rules.map(\.rule)) }.filter { !$0.rules.isEmpty }
    }

    /// The variables of a feature in any source, including those that only rules and experiments name, sorted by name.
    package func variables(of feature: String) -> [String] {
        compiled(feature).flatMap { $0.feature.variables.keys.map(\.text) }.sortedUnique
    }

    /// The values of a key without rules and experiments, the highest in precedence first.
    package func candidates(_ key: FeatureKey) -> [Candidate] {
        var candidates: [Candidate] = []
        for layer in all {
            if layer.features[exactly: key.feature]?.isDisabled ?? false { break }
            guard let compiled = layer.keys[key]?.takeUnretainedValue(), let value = compiled.value else { continue }
            candidates.append(Candidate(value, isEncrypted: compiled.isEncrypted, of: layer, .static))
        }
        return candidates
    }

    /// The counters of a feature; nil if no source names it.
    func usage(of feature: String) -> UsageCounters? {
        for layer in all { if let feature = layer.features[exactly: feature] { return feature.usage } }
        return nil
    }

    /// Whether a variable is encrypted in any source, or was encrypted when it was overridden. Then its values in all
    /// sources must be hidden.
    package func isSecret(_ key: VariableKey) -> Bool {
        all.contains { $0.keys[.variable(key)]?.takeUnretainedValue().isEncrypted ?? false }
            || overrides[.init(key)]?.isSecret == true
    }

    /// Whether the values of a source's rules and experiments for a key are ciphertexts, according to the variable of
    /// the same source, or else of the next lower one.
    func areEncrypted(_ key: FeatureKey, from source: FeatureLayer) -> Bool {
        guard hasSecrets else { return false }
        for layer in all.drop(while: { $0 !== source }) {
            guard let compiled = layer.keys[key]?.takeUnretainedValue() else { continue }
            if compiled.value != nil { return compiled.isEncrypted }
        }
        return false
    }

    /// Whether a schedule has begun or ended since ``time``, or the clock was set.
    func isOutdated(at now: Instant?) -> Bool {
        guard let now, let time else { return (now == nil) != (time == nil) }
        return instants.contains { ($0 <= now) != ($0 <= time) }
    }

    /// Whether any value depends on the time.
    package var usesTime: Bool { !instants.isEmpty }
}

/// A value of a source for a key.
package struct Candidate: Sendable {
    /// The value; the ciphertext if it is encrypted.
    package let value: JSONValue

    let isEncrypted: Bool

    /// The reason why the source has this value.
    package let reason: EvaluationReason

    // References, because a read without details uses no text of them.
    /// The source of the feature, even if an experiment gives the value; nil for an override of the read's context.
    let layer: FeatureLayer?
    private let compiledRule: CompiledRule?
    private let variant: CompiledVariant?

    init(
        _ value: JSONValue, isEncrypted: Bool = false, of layer: FeatureLayer?, _ reason: EvaluationReason,
        rule: CompiledRule? = nil, variant: CompiledVariant? = nil
    ) {
        (self.value, self.isEncrypted, self.reason) = (value, isEncrypted, reason)
        (self.layer, compiledRule, self.variant) = (layer, rule, variant)
    }

    /// The source of the value.
    package var source: FeatureSource { variant?.source ?? layer?.source ?? .request }

    /// The id of the rule that gives the value; nil if none does.
    package var rule: String? { compiledRule?.rule.id }
}

extension FeatureSource {
    /// Whether it is a remote document.
    package var isRemote: Bool { if case .remote = self { true } else { false } }
}
