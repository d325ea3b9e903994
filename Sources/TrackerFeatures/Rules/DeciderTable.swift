/// The rules and experiments of layers by what they decide, in the order in which they are tried.
struct DeciderTable: Sendable {
    /// Those of variables.
    private(set) var variables = ResolutionTable<VariableKey, [Decider]>()

    /// Those of whether features are enabled.
    private(set) var enabled = ResolutionTable<ExactText, [Decider]>()

    /// The variables that have rules, and not experiments alone.
    private(set) var ruled: Set<VariableKey> = []

    /// The variables of each feature that have some.
    private(set) var names: [ExactText: Set<ExactText>] = [:]

    /// Creates a table without rules and experiments.
    init() {}

    /// Compiles the rules and experiments of one layer.
    /// - Parameters:
    ///   - features: The layer's features, each name once.
    ///   - experiments: The layer's experiments in order; they come after all rules.
    ///   - rank: The layer's rank.
    init(_ features: [FeatureDefinition], experiments: ExperimentTable, rank: LayerRank) {
        var variables: [VariableKey: [Decider]] = [:]
        var enabled: [ExactText: [Decider]] = [:]
        for feature in features where !feature.rules.isEmpty {
            let rules = feature.rules.map(CompiledRule.init)
            let name = ExactText(feature.name)
            let concerned = rules.filter { $0.concerns(.enabled(feature.name)) }
            if !concerned.isEmpty { enabled[name] = concerned.map(Decider.rule) }
            for variable in feature.decidedVariables {
                let key = VariableKey(feature.name, variable.text)
                let concerned = rules.filter { $0.concerns(.variable(key)) }
                if concerned.isEmpty { continue }
                variables[key] = concerned.map(Decider.rule)
                ruled.insert(key)
            }
        }
        let placed = Dictionary(
            features.map { ($0.name, Set($0.rules.compactMap { $0.experiment.map { ExactText($0.id) } })) }
        ) { first, _ in first }
        for experiment in experiments.all {
            let id = ExactText(experiment.id)
            // An experiment that a rule of the feature names is evaluated in that rule's place.
            for key in experiment.variables where placed[key.feature]?.contains(id) != true {
                variables[key, default: []].append(.experiment(experiment))
            }
            for feature in experiment.features where placed[feature.text]?.contains(id) != true {
                enabled[feature, default: []].append(.experiment(experiment))
            }
        }
        for (key, deciders) in variables {
            self.variables.set(deciders, for: key, rank: rank)
            names[ExactText(key.feature), default: []].insert(ExactText(key.variable))
        }
        for (feature, deciders) in enabled { self.enabled.set(deciders, for: feature, rank: rank) }
    }

    /// The features with rules or experiments.
    var features: Set<ExactText> { Set(names.keys).union(enabled.winners.keys) }

    /// Puts a layer above all others of this table.
    mutating func add(_ layer: DeciderTable) {
        variables.add(layer.variables)
        enabled.add(layer.enabled)
        ruled.formUnion(layer.ruled)
        names.merge(layer.names) { $0.union($1) }
    }

    /// The rules and experiments for a key, those of the highest layer first.
    func entries(for key: FeatureKey) -> LayerValues<[Decider]> {
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
        return !variables.winners.isEmpty && variables.winners.index(forKey: key) != nil
    }

    /// Whether it is decided by rules or experiments if a feature is enabled. Costs no reference count.
    @inline(__always)
    func decidesEnabled(_ feature: String) -> Bool {
        !enabled.winners.isEmpty && enabled.winners.index(forKey: ExactText(feature)) != nil
    }
}

extension FeatureDefinition {
    /// The variables that rules may decide: those of the feature and of its rules.
    fileprivate var decidedVariables: Set<ExactText> {
        var names = Set(variables.map { ExactText($0.name) })
        for rule in rules {
            names.formUnion(rule.values.members.map { ExactText($0.name) })
            for variant in rule.experiment?.variants ?? [] {
                names.formUnion(variant.overrides[exactly: name]?.members.map { ExactText($0.name) } ?? [])
            }
        }
        return names
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
