/// The features of all layers at one moment, resolved by precedence; replaced as a whole.
///
/// Reads, explanations, listeners and the console all use its one table, so that they cannot disagree.
package final class FeatureLayers: Sendable {
    /// The features of one source.
    struct Layer: Sendable {
        let rank: LayerRank
        let source: FeatureSource
        let table: FeatureTable
        /// Decrypts the layer's encrypted variables; nil if nothing can.
        let decrypt: Decryptor?
    }

    /// What a read finds at first sight.
    enum Lookup {
        /// The value in effect.
        case value(JSONValue)
        /// No source has the variable.
        case missing
        /// The value has to be decrypted, or depends on an experiment.
        case unresolved
    }

    /// The experiments in use.
    package let experiments: ExperimentTable

    /// What is overridden.
    package let overrides: OverrideSet

    /// Grows with every change.
    let generation: UInt64

    private let layers: [Layer]
    private let table: FeatureTable

    /// Resolves layers.
    /// - Parameters:
    ///   - layers: The layers, in any order.
    ///   - experiments: The experiments in use.
    ///   - overrides: What is overridden.
    ///   - generation: A number that grows with every change.
    init(
        _ layers: [Layer] = [], experiments: ExperimentTable = .empty, overrides: OverrideSet = OverrideSet(),
        generation: UInt64 = 0
    ) {
        self.layers = layers.sorted { $0.rank < $1.rank }
        self.experiments = experiments
        self.overrides = overrides
        self.generation = generation
        table = self.layers.reduce(into: FeatureTable()) { $0.add($1.table) }
    }

    /// The variant that is forced for an experiment's id.
    package func forced(_ experiment: String) -> String? { overrides.variants[exactly: experiment] }

    /// All features, sorted by name.
    package var names: [String] { table.definitions.winners.keys.sorted().map(\.text) }

    /// Whether any layer defines a feature.
    package func has(_ feature: String) -> Bool { table.definitions[ExactText(feature)] != nil }

    /// The definitions of a feature, the highest in precedence first.
    package func definitions(of feature: String) -> [FeatureDefinition] {
        table.definitions.entries(for: ExactText(feature)).map(\.value)
    }

    /// The variables of a feature in any layer, sorted by name.
    package func variables(of feature: String) -> [String] {
        definitions(of: feature).flatMap { $0.variables.map(\.name) }.sortedUnique
    }

    /// Whether a feature is enabled; nil if no layer defines it.
    @inline(__always)
    func isEnabled(_ feature: String) -> Bool? { table.enabled[ExactText(feature)]?.value }

    /// Whether a feature is enabled in each layer that defines it, the highest in precedence first.
    package func enabledCandidates(of feature: String) -> [(value: Bool, source: FeatureSource)] {
        table.enabled.entries(for: ExactText(feature)).compactMap { entry in
            layer(entry.rank).map { (entry.value, $0.source) }
        }
    }

    /// Looks a variable up without counting a reference to a layer.
    /// - Parameters:
    ///   - key: The variable.
    ///   - skipsExperiments: Whether the variable is read without a context.
    /// - Returns: What was found.
    @inline(__always)
    func lookUp(_ key: VariableKey, skipsExperiments: Bool) -> Lookup {
        guard skipsExperiments || !experiments.overrides(key) else { return .unresolved }
        guard let content = table.variables[key]?.value else { return .missing }
        return content.isEncrypted ? .unresolved : .value(content.value)
    }

    /// A variable's value in effect, experiments aside; nil if no layer has the variable.
    func candidate(_ key: VariableKey) -> Candidate? {
        table.variables[key].flatMap(candidate)
    }

    /// All values of a variable, experiments aside, the highest in precedence first.
    package func candidates(_ key: VariableKey) -> [Candidate] {
        table.variables.entries(for: key).compactMap(candidate)
    }

    /// Whether a variable is encrypted in any layer, so that its value in any other must not be shown either.
    package func isSecret(_ key: VariableKey) -> Bool {
        table.variables.entries(for: key).contains { $0.value.isEncrypted }
    }

    private func candidate(_ entry: ResolutionTable<VariableKey, VariableContent>.Entry) -> Candidate? {
        layer(entry.rank).map { layer in
            Candidate(content: entry.value, source: layer.source, rank: entry.rank, decrypt: layer.decrypt)
        }
    }

    private func layer(_ rank: LayerRank) -> Layer? { layers.first { $0.rank == rank } }
}
