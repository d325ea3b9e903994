/// The rules and experiments of layers by what they decide, in the order in which they are tried.
struct DeciderTable: Sendable {
    /// Those of variables.
    private(set) var variables = ResolutionTable<VariableKey, DeciderList>()

    /// Those of whether features are enabled.
    private(set) var enabled = ResolutionTable<ExactText, DeciderList>()

    /// Whether any variable has rules, and not experiments alone.
    private(set) var hasRuledVariables = false

    /// The variables of each feature that have some.
    private(set) var names: [ExactText: Set<ExactText>] = [:]

    /// Whether any of them asks something of other features.
    private(set) var hasPrerequisites = false

    /// Whether any of them depends on the time.
    private(set) var usesTime = false

    /// The features that are disabled, with the highest layer that disables each, and the rule that does.
    private(set) var disabled: [ExactText: LayerValue<CompiledRule>] = [:]
    /// When rules, features and experiments begin and end: of experiments the clients of remote evaluation learn.
    private(set) var instants: Set<Instant> = []

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
        for feature in features where !feature.rules.isEmpty || feature.schedule != nil || feature.isDisabled {
            let name = ExactText(feature.name)
            var rules = feature.rules.enumerated().map { CompiledRule($1, position: $0, feature.schedule, experiments) }
            let targetings = feature.rules.flatMap { [$0.targeting, $0.experiment?.targeting].compactMap(\.self) }
            hasPrerequisites = hasPrerequisites || targetings.contains { !$0.prerequisites.isEmpty }
            usesTime = usesTime || feature.schedule != nil || targetings.contains(where: \.usesTime)
            if feature.isDisabled {
                let off = CompiledRule(disabledIn: feature.schedule)
                disabled[name] = LayerValue(value: off, rank: rank)
                rules.insert(off, at: 0)
            }
            instants.formUnion(feature.schedule?.bounds ?? [])
            instants.formUnion(targetings.flatMap(\.instants))
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
        hasRuledVariables =
            !variables.isEmpty || features.contains { $0.schedule != nil && !$0.variables.isEmpty }
        for experiment in experiments.all {
            hasPrerequisites = hasPrerequisites || !experiment.experiment.targeting.prerequisites.isEmpty
            usesTime = usesTime || experiment.experiment.targeting.usesTime
            instants.formUnion(experiment.experiment.targeting.instants)
            let id = ExactText(experiment.id)
            for key in experiment.variables where placed[exactly: key.feature]?.contains(id) != true {
                let gates = gates[exactly: key.feature] ?? []
                if !gates.isEmpty { hasRuledVariables = true }
                variables[key, default: DeciderList(gates: gates)].append(.experiment(experiment))
            }
            for feature in experiment.features where placed[feature]?.contains(id) != true {
                enabled[feature, default: DeciderList(gates: [])].append(.experiment(experiment))
            }
        }
        // Behind rules and experiments, where the plain value comes.
        for feature in features {
            guard let schedule = feature.schedule else { continue }
            if feature.isEnabled != nil {
                enabled[ExactText(feature.name), default: DeciderList(gates: [])].append(.schedule(schedule))
            }
            for variable in feature.variables where variable.value != .null {
                variables[VariableKey(feature.name, variable.name), default: DeciderList(gates: [])]
                    .append(.schedule(schedule))
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

    /// Lets the features that this layer disables hide variables that only other layers have.
    /// - Parameters:
    ///   - variables: The names of a feature's variables in all layers.
    ///   - rank: The layer's rank.
    mutating func disable(_ variables: (ExactText) -> Set<ExactText>, rank: LayerRank) {
        for (feature, off) in disabled {
            for variable in variables(feature) where names[feature]?.contains(variable) != true {
                let key = VariableKey(feature.text, variable.text)
                self.variables.set(DeciderList(gates: [off.value]), for: key, rank: rank)
                names[feature, default: []].insert(variable)
                hasRuledVariables = true
            }
        }
    }

    /// Puts a layer above all others of this table.
    mutating func add(_ layer: DeciderTable) {
        variables.add(layer.variables)
        enabled.add(layer.enabled)
        hasRuledVariables = hasRuledVariables || layer.hasRuledVariables
        hasPrerequisites = hasPrerequisites || layer.hasPrerequisites
        usesTime = usesTime || layer.usesTime
        instants.formUnion(layer.instants)
        names.merge(layer.names) { $0.union($1) }
        disabled.merge(layer.disabled) { $1 }
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
