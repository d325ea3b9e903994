/// The features of all layers at one moment, resolved by precedence; replaced as a whole.
///
/// Reads, explanations, listeners and the console all use its one table, so that they cannot disagree.
package final class FeatureLayers: Sendable {
    /// The features of one source. A class, because a table is large to hand on.
    final class Layer: Sendable {
        let rank: LayerRank
        let source: FeatureSource
        let table: FeatureTable
        /// Decrypts the layer's encrypted variables; nil if nothing can.
        let decrypt: Decryptor?

        init(rank: LayerRank, source: FeatureSource, table: FeatureTable, decrypt: Decryptor?) {
            (self.rank, self.source, self.table, self.decrypt) = (rank, source, table, decrypt)
        }
    }

    /// The values of a key apart from rules and experiments, the highest in precedence first.
    enum PlainValues: Sendable {
        case variable(LayerValues<VariableContent>)
        case enabled(LayerValues<EnabledContent>)

        /// The value at an index; nil behind the last one.
        subscript(_ index: Int) -> LayerValue<VariableContent>? {
            switch self {
            case .variable(let values): return values[index]
            case .enabled(let values):
                guard let entry = values[index] else { return nil }
                let content = VariableContent(
                    value: .bool(entry.value.value), isEncrypted: false, mark: entry.value.mark)
                return LayerValue(value: content, rank: entry.rank)
            }
        }
    }

    /// What a read finds at first sight.
    enum Lookup {
        /// The value in effect.
        case value(JSONValue)
        /// No source has the variable.
        case missing
        /// Rules or experiments of these layers decide it.
        case decided(DecidedKey, FeatureLayers)
        /// The value has to be decrypted, every read is observed, or the context has overrides.
        case unresolved
    }

    /// The experiments in use.
    package let experiments: ExperimentTable

    /// The experiments in use by where they come from: the document, and the providers.
    private let sources: (document: ExperimentTable, provided: [ExperimentTable])

    /// What is overridden.
    package let overrides: Overrides

    /// Grows with every change.
    package let generation: UInt64

    /// When rules and features begin and end, in ascending order.
    let instants: [Instant]

    /// The time for which listeners compare; nil if no value depends on the time, or if the clock was not set.
    package let time: Instant?

    /// What is known of evaluations.
    let usage: UsageRegistry

    /// Whether contexts may have overrides of their own, so that a plain read has to look at its context.
    let requestsOverride: Bool

    /// Whether hooks observe every read, so that none may end at first sight.
    private let isObserved: Bool

    /// Whether a read may end at first sight only if it is not observed and its context has no overrides.
    private let looksTwice: Bool

    /// Whether nothing but the sources decides if any feature is enabled.
    private let isEnabledPlain: Bool

    /// The counters of the features that rules or experiments decide.
    let counters: [ExactText: UsageCounters]

    private let layers: [Layer]
    private let table: FeatureTable
    private let decidedVariables: [VariableKey: DecidedKey]
    private let decidedFeatures: [ExactText: DecidedKey]

    /// Resolves layers.
    /// - Parameters:
    ///   - layers: The layers, in any order.
    ///   - experiments: The experiments in use.
    ///   - document: Those of the document in use.
    ///   - provided: Those of the providers.
    ///   - overrides: What is overridden.
    ///   - requestsOverride: Whether contexts may have overrides of their own.
    ///   - usage: What is known of evaluations.
    ///   - generation: A number that grows with every change.
    ///   - now: Returns the present, or nil if the clock was not set; called if a value depends on the time.
    init(
        _ layers: [Layer] = [], experiments: ExperimentTable = .empty, document: ExperimentTable = .empty,
        provided: [ExperimentTable] = [], overrides: Overrides = Overrides(), requestsOverride: Bool = false,
        usage: UsageRegistry = UsageRegistry(), generation: UInt64 = 0, now: () -> Instant? = { nil }
    ) {
        self.layers = layers.sorted { $0.rank < $1.rank }
        self.experiments = experiments
        sources = (document, provided)
        self.overrides = overrides
        self.generation = generation
        let table = FeatureTable(resolving: self.layers.map { ($0.rank, $0.table) })
        self.table = table
        instants = table.deciders.instants.sorted()
        time = table.deciders.usesTime ? now() : nil
        self.usage = usage
        self.requestsOverride = requestsOverride
        isObserved = usage.isObserved
        looksTwice = isObserved || requestsOverride
        isEnabledPlain = !looksTwice && table.deciders.enabled.effective.isEmpty
        let counters = table.deciders.features.reduce(into: [:]) { $0[$1] = usage.counters(of: $1) }
        self.counters = counters
        decidedVariables = table.deciders.variables.mapEntries { key, deciders in
            DecidedKey(deciders, .variable(table.variables.all(key)), counters[exactly: key.feature])
        }
        decidedFeatures = table.deciders.enabled.mapEntries { feature, deciders in
            DecidedKey(deciders, .enabled(table.enabled.all(feature)), counters[feature])
        }
    }

    /// The experiments with another document's in the place of this one's, those of the first table before all others.
    /// - Parameter document: The document's; nil for the one in use.
    /// - Returns: The tables.
    func experiments(with document: ExperimentTable?) -> [ExperimentTable] {
        guard let document, document !== sources.document else { return [experiments] }
        return [document] + sources.provided
    }

    /// The variant that is forced for an experiment's id.
    package func forced(_ experiment: String) -> String? { overrides[.init(experiment: experiment)]?.value?.string }

    /// All features, sorted by name.
    package var names: [String] { table.definitions.effective.keys.sorted().map(\.text) }

    /// Whether any layer defines a feature.
    package func has(_ feature: String) -> Bool { table.definitions[ExactText(feature)] != nil }

    /// Whether any layer has a variable, be it in rules or experiments alone.
    func hasVariable(_ key: VariableKey) -> Bool {
        table.variables[key] != nil
            || table.deciders.names[exactly: key.feature]?.contains(ExactText(key.variable)) ?? false
    }

    /// Whether a document is in use or any source has features, so that a name that none has is a mistake.
    var isComparable: Bool { layer(.remote) != nil || !table.definitions.effective.isEmpty }

    /// Whether a source disables a feature at some time; what is above that source counts nevertheless.
    func mayDisable(_ feature: String) -> Bool { table.deciders.disabled[exactly: feature] != nil }

    /// The metadata of a feature, from the highest layer that has some; empty by default.
    package func metadata(of feature: String) -> [String: JSONValue] {
        table.metadata.isEmpty ? [:] : table.metadata[exactly: feature] ?? [:]
    }

    /// Whether a source disables a feature now.
    package func isDisabled(_ feature: String) -> Bool { currentDisabling(feature) != nil }

    private func currentDisabling(_ feature: String) -> LayerValue<CompiledRule>? {
        guard let off = table.deciders.disabled[exactly: feature] else { return nil }
        return off.value.schedule?.contains(time) ?? true ? off : nil
    }

    /// The definitions of a feature, the highest in precedence first.
    package func definitions(of feature: String) -> [FeatureDefinition] {
        table.definitions.entries(for: ExactText(feature)).map(\.value)
    }

    /// The rules of a feature with the sources that have them, in the order in which they are tried.
    package func rules(of feature: String) -> [(source: FeatureSource, rules: [FeatureRule])] {
        table.definitions.entries(for: ExactText(feature)).compactMap { entry in
            guard !entry.value.rules.isEmpty, let layer = layer(entry.rank) else { return nil }
            return (layer.source, entry.value.rules)
        }
    }

    /// The variables of a feature in any layer, those of rules and experiments alone included, sorted by name.
    package func variables(of feature: String) -> [String] {
        let decided = table.deciders.names[exactly: feature]?.map(\.text) ?? []
        return (definitions(of: feature).flatMap { $0.variables.map(\.name) } + decided).sortedUnique
    }

    /// What is found at first sight of whether a feature is enabled.
    enum EnabledLookup {
        /// Nothing but the sources decides; nil if none defines the feature.
        case value(Bool?)
        /// Rules or experiments of these layers decide.
        case decided(DecidedKey, FeatureLayers)
        /// Every read is observed, or the context has overrides.
        case unresolved
    }

    /// Whether a read must not end at first sight.
    @inline(never)
    private func isUnresolved(for context: FeatureContext?) -> Bool {
        isObserved || context.orCurrent?.hasOverrides ?? false
    }

    /// Looks up whether a feature is enabled, without counting a reference.
    /// - Parameters:
    ///   - feature: The feature's name.
    ///   - context: The context; nil takes the one that is bound to the task.
    /// - Returns: What was found.
    @inline(__always)
    func lookUpEnabled(_ feature: String, for context: FeatureContext?) -> EnabledLookup {
        if !isEnabledPlain {
            if looksTwice, isUnresolved(for: context) { return .unresolved }
            if let decided = decidedFeatures[exactly: feature] { return .decided(decided, self) }
        }
        guard let content = table.enabled[ExactText(feature)]?.value else { return .value(nil) }
        content.mark.set()
        return .value(content.value)
    }

    /// Whether a feature is enabled in each layer that defines it now, the highest in precedence first.
    package func enabledCandidates(of feature: String) -> [(value: Bool, source: FeatureSource)] {
        table.enabled.entries(for: ExactText(feature)).compactMap { entry in
            layer(entry.rank, with: feature).map { (entry.value.value, $0.source) }
        }
    }

    /// Looks a variable up without counting a reference to a layer.
    /// - Parameters:
    ///   - key: The variable.
    ///   - context: The context; nil takes the one that is bound to the task.
    ///   - skipsExperiments: Whether the variable is read without a context.
    /// - Returns: What was found.
    @inline(__always)
    func lookUp(_ key: VariableKey, for context: FeatureContext?, skipsExperiments: Bool) -> Lookup {
        if looksTwice, isUnresolved(for: context) { return .unresolved }
        if !skipsExperiments || table.deciders.hasRuledVariables, let decided = decided(key),
            !skipsExperiments || decided.handleKind != .experiments
        {
            return .decided(decided, self)
        }
        guard let content = table.variables[key]?.value else { return .missing }
        content.mark?.set()
        return content.isEncrypted ? .unresolved : .value(content.value)
    }

    /// Whether rules or experiments ask something of other features.
    var hasPrerequisites: Bool { table.deciders.hasPrerequisites }

    /// Whether a schedule has begun or ended since ``time``, or the clock was set.
    func isOutdated(at now: Instant?) -> Bool {
        guard let now, let time else { return (now == nil) != (time == nil) }
        return instants.contains { ($0 <= now) != ($0 <= time) }
    }

    /// Whether any value depends on the time.
    package var usesTime: Bool { table.deciders.usesTime }

    /// What decides a variable; nil if neither rules nor experiments do.
    @inline(__always)
    func decided(_ key: VariableKey) -> DecidedKey? { decidedVariables.isEmpty ? nil : decidedVariables[key] }

    /// What decides a key; nil if neither rules nor experiments do.
    func decided(_ key: FeatureKey) -> DecidedKey? {
        switch key {
        case .variable(let key): decided(key)
        case .enabled(let feature): decidedFeatures[exactly: feature]
        }
    }

    /// The values of a key apart from rules and experiments.
    func plain(_ key: FeatureKey) -> PlainValues {
        switch key {
        case .variable(let key): .variable(table.variables.all(key))
        case .enabled(let feature): .enabled(table.enabled.all(ExactText(feature)))
        }
    }

    /// The values of a variable now, apart from rules and experiments, the highest in precedence first.
    package func candidates(_ key: VariableKey) -> [Candidate] {
        table.variables.entries(for: key).compactMap { entry in
            layer(entry.rank, with: key.feature).map { layer in
                Candidate(
                    content: entry.value, source: layer.source, decrypt: layer.decrypt, rank: layer.rank,
                    reason: .static, rule: nil)
            }
        }
    }

    /// Whether a variable is encrypted in any layer, or was when it was overridden, so that its value in any other layer
    /// must not be shown either.
    package func isSecret(_ key: VariableKey) -> Bool {
        table.variables.entries(for: key).contains { $0.value.isEncrypted }
            || overrides[.init(key)]?.isSecret == true
    }

    /// The features whose plain values were read since the last call.
    func takeMarked() -> [String] { table.marks.flatMap { $0.take() } }

    /// All layers, the highest in precedence first.
    var inOrder: [Layer] { layers.reversed() }

    /// The layer of a rank; nil if it is not the time of the layer's feature, or if that layer or a higher one disables it.
    private func layer(_ rank: LayerRank, with feature: String) -> Layer? {
        if let off = currentDisabling(feature), off.rank >= rank { return nil }
        if usesTime {
            let definition = table.definitions.entries(for: ExactText(feature)).first { $0.rank == rank }
            if let schedule = definition?.value.schedule, !schedule.contains(time) { return nil }
        }
        return layer(rank)
    }

    /// The layer of a rank.
    func layer(_ rank: LayerRank) -> Layer? { layers.first { $0.rank == rank } }
}
