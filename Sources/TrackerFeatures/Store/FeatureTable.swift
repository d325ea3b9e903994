/// Features indexed by name: those of one layer, or of several resolved by precedence.
struct FeatureTable: Sendable {
    /// The definitions by the feature's name.
    private(set) var definitions = ResolutionTable<ExactText, FeatureDefinition>()

    /// Whether features are enabled, for those with a layer that defines it.
    private(set) var enabled = ResolutionTable<ExactText, EnabledContent>()

    /// The values of variables.
    private(set) var variables = ResolutionTable<VariableKey, VariableContent>()

    /// The rules and experiments, which decide for some contexts.
    private(set) var deciders = DeciderTable()

    /// The marks of the layers' features, which the values point to.
    private(set) var marks: [UsageMarks] = []

    /// Creates a table without features.
    init() {}

    /// Indexes the features of one layer. Of two definitions with one name the later counts; a variable that is null is
    /// unset.
    /// - Parameters:
    ///   - features: The features.
    ///   - experiments: The experiments beside them; none by default.
    ///   - rank: The layer's rank.
    init(_ features: [FeatureDefinition], experiments: ExperimentTable = .empty, rank: LayerRank) {
        definitions.reserveCapacity(features.count)
        variables.reserveCapacity(features.reduce(0) { $0 + $1.variables.count })
        let marks = UsageMarks(features.map(\.name))
        self.marks = [marks]
        for (index, feature) in features.enumerated().reversed() {
            let name = ExactText(feature.name)
            guard definitions[name] == nil else { continue }
            definitions.set(feature, for: name, rank: rank)
            let mark = marks[index]
            if let isEnabled = feature.isEnabled {
                enabled.set(EnabledContent(value: isEnabled, mark: mark), for: name, rank: rank)
            }
            for variable in feature.variables where variable.value != .null {
                let content = VariableContent(
                    value: variable.value, isEncrypted: variable.isEncrypted, mark: mark)
                variables.set(content, for: VariableKey(feature.name, variable.name), rank: rank)
            }
        }
        deciders = DeciderTable(definitions.effective.values.map(\.value), experiments: experiments, rank: rank)
    }

    /// Puts a layer above all others of this table.
    /// - Parameter layer: A table of one layer.
    mutating func add(_ layer: FeatureTable) {
        definitions.add(layer.definitions)
        enabled.add(layer.enabled)
        variables.add(layer.variables)
        deciders.add(layer.deciders)
        marks += layer.marks
    }
}
