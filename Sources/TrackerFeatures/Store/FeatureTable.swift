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

    /// The metadata of features, each from the highest layer that has some.
    private(set) var metadata: [ExactText: [String: JSONValue]] = [:]

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
            if !feature.metadata.isEmpty {
                metadata[name] = Dictionary(feature.metadata.members.map { ($0.name, $0.value) }) { first, _ in first }
            }
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

    /// Resolves layers.
    /// - Parameter layers: The tables of one layer each, the lowest in precedence first.
    init(resolving layers: [(rank: LayerRank, table: FeatureTable)]) {
        func variables(of feature: ExactText) -> Set<ExactText> {
            layers.reduce(into: []) { names, layer in
                let defined = layer.table.definitions[feature]?.value.variables ?? []
                names.formUnion(defined.map { ExactText($0.name) })
                names.formUnion(layer.table.deciders.names[feature] ?? [])
            }
        }
        for (rank, table) in layers {
            var table = table
            if !table.deciders.disabled.isEmpty { table.deciders.disable(variables, rank: rank) }
            add(table)
        }
    }

    /// Puts a layer above all others of this table.
    /// - Parameter layer: A table of one layer.
    mutating func add(_ layer: FeatureTable) {
        definitions.add(layer.definitions)
        enabled.add(layer.enabled)
        variables.add(layer.variables)
        deciders.add(layer.deciders)
        metadata.merge(layer.metadata) { $1 }
        marks += layer.marks
    }
}
