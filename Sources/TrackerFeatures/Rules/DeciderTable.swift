/// The rules and experiments of layers by what they decide, in the order in which they are tried.
struct DeciderTable: Sendable {
    /// Those of variables.
    private(set) var variables = ResolutionTable<VariableKey, DeciderList>()

    /// Those of whether features are enabled.
    private(set) var enabled = ResolutionTable<ExactText, DeciderList>()

    /// The variables that have rules, and not experiments alone.
    private(set) var ruled: Set<VariableKey> = []

    /// The variables of each feature that have some.
    private(set) var names: [ExactText: Set<ExactText>] = [:]

    /// Whether any of them asks something of other features.
    private(set) var hasPrerequisites = false

    /// Creates a table without rules and experiments.
    init() {}

    /// Compiles the rules and experiments of one layer.
    /// - Parameters:
    ///   - features: The layer's features, each name once.
    ///   - experiments: The layer's experiments in order; they come after all rules.
    ///   - rank: The layer's rank.
    init(_ features: [FeatureDefinition], experiments: ExperimentTable, rank: LayerRank) {
        var variables: [VariableKey: DeciderList] = [:]
        var enabled: [ExactText: DeciderList] = [:]
        var gates: [ExactText: [CompiledRule]] = [:]
        // An experiment that a rule of the feature names is evaluated in that rule's place.
        var placed: [ExactText: Set<ExactText>] = [:]
        for feature in features where !feature.rules.isEmpty {
            let name = ExactText(feature.name)
            let rules = feature.rules.enumerated().map { CompiledRule($1, position: $0, experiments) }
            hasPrerequisites = hasPrerequisites || rules.contains(where: \.hasPrerequisites)
            placed[name] = Set(rules.compactMap { rule in rule.experiment.map { ExactText($0.id) } })
            let featureGates = rules.filter(\.isGate)
            let empty = DeciderList(gates: featureGates)
            if !featureGates.isEmpty {
                gates[name] = featureGates
                enabled[name] = empty
                for variable in feature.variables { variables[VariableKey(feature.name, variable.name)] = empty }
            }
            for rule in rules {
                if rule.decidesEnabled(feature.name) { enabled[name, default: empty].append(.rule(rule)) }
                for variable in rule.variables(of: feature.name) {
                    variables[VariableKey(feature.name, variable.text), default: empty].append(.rule(rule))
                }
            }
        }
        ruled = Set(variables.keys)
        for experiment in experiments.all {
            hasPrerequisites = hasPrerequisites || !experiment.experiment.targeting.prerequisites.isEmpty
            let id = ExactText(experiment.id)
            for key in experiment.variables where placed[exactly: key.feature]?.contains(id) != true {
                let gates = gates[exactly: key.feature] ?? []
                if !gates.isEmpty { ruled.insert(key) }
                variables[key, default: DeciderList(gates: gates)].append(.experiment(experiment))
            }
            for feature in experiment.features where placed[feature]?.contains(id) != true {
                enabled[feature, default: DeciderList(gates: [])].append(.experiment(experiment))
            }
        }
        for (key, deciders) in variables {
            self.variables.set(deciders, for: key, rank: rank)
            names[ExactText(key.feature), default: []].insert(ExactText(key.variable))
        }
        for (feature, deciders) in enabled { self.enabled.set(deciders, for: feature, rank: rank) }
    }

    /// The features with rules or experiments.
    var features: Set<ExactText> { Set(names.keys).union(enabled.effective.keys) }

    /// Puts a layer above all others of this table.
    mutating func add(_ layer: DeciderTable) {
        variables.add(layer.variables)
        enabled.add(layer.enabled)
        ruled.formUnion(layer.ruled)
        hasPrerequisites = hasPrerequisites || layer.hasPrerequisites
        names.merge(layer.names) { $0.union($1) }
    }

    /// The rules and experiments for a key, those of the highest layer first.
    func entries(for key: FeatureKey) -> LayerValues<DeciderList> {
        switch key {
        case .variable(let key): variables.all(key)
        case .enabled(let feature): enabled.all(ExactText(feature))
        }
    }

    /// Whether a variable has any. Costs no reference count.
    /// - Parameters:
    ///   - key: The variable.
    ///   - skipsExperiments: Whether experiments alone do not count.
    /// - Returns: Whether it has any.
    @inline(__always)
    func decides(_ key: VariableKey, skipsExperiments: Bool) -> Bool {
        if skipsExperiments { return !ruled.isEmpty && ruled.contains(key) }
        return !variables.effective.isEmpty && variables.effective.index(forKey: key) != nil
    }

    /// Whether it is decided by rules or experiments if a feature is enabled. Costs no reference count.
    @inline(__always)
    func decidesEnabled(_ feature: String) -> Bool {
        !enabled.effective.isEmpty && enabled.effective.index(forKey: ExactText(feature)) != nil
    }
}

extension CompiledExperiment {
    /// The variables that some variant overrides, each once.
    fileprivate var variables: Set<VariableKey> {
        Set(
            experiment.variants.flatMap { variant in
                variant.overrides.flatMap { feature, values in
                    values.members.map { VariableKey(feature.text, $0.name) }
                }
            })
    }

    /// The features that some variant enables or disables, each once.
    fileprivate var features: Set<ExactText> { Set(experiment.variants.flatMap(\.enabledFeatures.keys)) }
}
