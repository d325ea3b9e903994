/// One read of features, for one context, at one time and with one budget.
///
/// A read evaluates the sources in order of precedence, and for each of them the rules, then the experiments, then the
/// value for all contexts.
package struct Evaluator: ~Copyable {
    // The caller of `open` retains them. Reference counting would take as long as the rest of most reads.
    unowned(unsafe) let store: FeatureStore
    unowned(unsafe) let experiments: Experiments
    package unowned(unsafe) let layers: FeatureLayers
    /// If it is nil, experiments are skipped, and rules are evaluated without units and attributes.
    package let context: FeatureContext?
    /// The time of the read; nil for now.
    private let time: Instant?
    /// Whether exposures are recorded, assignments stored and evaluations counted.
    let records: Bool
    /// The remaining budget of the read.
    package let budget: ReadBudget
    /// Whether only unknown features are reported, because a document need not have the variables of handles.
    private var isHandle = false
    /// The place at which the read's key was found; nil if it was not looked up.
    private var place: FeatureLayers.Place?
    /// Receives the steps of the read; nil unless it is explained.
    private(set) var trace: EvaluationTrace?
    /// Whether the read is explained and must not log anything.
    private(set) var isExplained = false
    /// Whether the read is for a prerequisite and does not count as an evaluation.
    private var isForPrerequisite = false
    /// The features whose prerequisites led to this read, for the detection of cycles.
    private var path: [String] = []

    /// Reads features.
    /// - Parameters:
    ///   - store: The features.
    ///   - experiments: The experiments.
    ///   - layers: The features of all sources.
    ///   - context: The context; nil for the context that is bound to the task.
    ///   - time: The time of the read; nil, the default, for now.
    ///   - records: Whether exposures are recorded, assignments stored and evaluations counted; true by default.
    ///   - isHandle: Whether only unknown features are reported; false by default.
    ///   - place: The place at which the key of `body` was found; nil, the default, looks it up.
    ///   - body: The read.
    /// - Returns: The result of `body`.
    /// - Throws: The error of `body`.
    @inline(__always)
    static func open<Result, Failure: Error>(
        _ store: FeatureStore, _ experiments: Experiments, _ layers: FeatureLayers, for context: FeatureContext?,
        at time: Instant? = nil, records: Bool = true, isHandle: Bool = false, found place: FeatureLayers.Place? = nil,
        _ body: (borrowing Evaluator) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        defer { withExtendedLifetime((store, experiments, layers)) {} }
        return try ReadBudget.open { budget throws(Failure) in
            try body(
                Evaluator(
                    store: store, experiments: experiments, layers: layers, context: context ?? .current, time: time,
                    records: records, budget: budget, isHandle: isHandle, place: place))
        }
    }

    /// Returns the same read with explanations.
    func explained(by trace: EvaluationTrace) -> Evaluator {
        Evaluator(
            store: store, experiments: experiments, layers: layers, context: context, time: time, records: false,
            budget: budget, trace: trace, isExplained: true)
    }

    /// Returns the read of a prerequisite.
    private func prerequisiteRead(of feature: String?) -> Evaluator {
        Evaluator(
            store: store, experiments: experiments, layers: layers, context: context, time: time, records: records,
            budget: budget, isExplained: isExplained, isForPrerequisite: true,
            path: path + (feature.map { [$0] } ?? []))
    }

    /// The end of a read, of one source, or of one rule.
    package enum Ending {
        /// A value was accepted.
        case accepted
        /// No value was accepted.
        case none
        /// A source disables the feature, so neither this source nor a lower one gives a value. Of a rule: a gate
        /// turned the feature off, so its source has no value.
        case disabled
    }

    /// Reads a key: passes its values to a closure, the highest in precedence first, until it accepts one.
    ///
    /// If the budget is exceeded, ``ReadBudget/fault`` is set, and rules and experiments that need more do not apply.
    /// - Parameters:
    ///   - key: The variable, or whether a feature is enabled.
    ///   - read: Returns the result for a value; nil if the reader does not accept it.
    /// - Returns: The result for the accepted value, if there is one, and the end of the read.
    package func resolve<Result>(
        _ key: FeatureKey, _ read: (Candidate) -> Result?
    ) -> (found: Result?, ending: Ending) {
        var found: Result?
        let ending = evaluate(key) { candidate in
            found = read(candidate)
            return found != nil
        }
        // A variant's value does not apply after all if another thread gave the unit another variant.
        return (ending == .accepted ? found : nil, ending)
    }

    /// Evaluates a key, and counts the evaluation.
    private func evaluate(_ key: FeatureKey, _ accepts: (Candidate) -> Bool) -> Ending {
        if !isForPrerequisite { budget.forgetFault() }
        var (reason, hasFailed) = (EvaluationReason.default, false)
        var usage: Unmanaged<UsageCounters>?
        let ending = evaluateSources(key, &usage) { candidate in
            let isAccepted = accepts(candidate)
            if isAccepted { reason = candidate.reason } else { hasFailed = true }
            return isAccepted
        }
        guard records, !isForPrerequisite else { return ending }
        if let fault = budget.fault {
            hasFailed = true
            store.report(FeatureError(fault, place: "\(key)"), of: key)
        }
        if ending != .accepted { reason = ending == .disabled ? .disabled : .default }
        if usage == nil { usage = layers.usage(of: key.feature).map { .passUnretained($0) } }
        if ending == .none, !hasFailed { store.noteMiss(of: isHandle ? .enabled(key.feature) : key, in: layers) }
        usage?._withUnsafeGuaranteedRef { $0.count(hasFailed ? .error : reason) }
        return ending
    }

    /// Evaluates the sources in order of precedence: the request, then the layers.
    private func evaluateSources(
        _ key: FeatureKey, _ usage: inout Unmanaged<UsageCounters>?, _ accepts: (Candidate) -> Bool
    ) -> Ending {
        if let value = context?.overrides?.value(of: key) {
            let isAccepted = accepts(Candidate(value, of: nil, .targetingMatch))
            trace?.endSource(.request, at: 0)
            if isAccepted { return .accepted }
        }
        var isDecided = false
        for layer in layers.all {
            let ending = evaluate(layer, of: key, &usage, &isDecided, accepts)
            if ending != .none { return ending }
        }
        return .none
    }

    /// Evaluates one source.
    private func evaluate(
        _ layer: FeatureLayer, of key: FeatureKey, _ usage: inout Unmanaged<UsageCounters>?, _ isDecided: inout Bool,
        _ accepts: (Candidate) -> Bool
    ) -> Ending {
        let start = trace?.steps.count ?? 0
        if layer.hasDisabled, layer.features[exactly: key.feature]?.isDisabled ?? false, layers.isKnown(key) {
            trace?.endSource(layer.source, at: start, .blocks, "it is disabled")
            return .disabled
        }
        let known = place.flatMap { $0.layer === layer ? $0.key : nil }
        guard let compiled = known ?? layer.keys[key]?.takeUnretainedValue() else {
            trace?.endSource(layer.source, at: start)
            return .none
        }
        usage = .passUnretained(compiled.usage)
        if compiled.isDecided {
            let deciders = compiled.deciders
            // Without a context, experiments are skipped and decide nothing.
            isDecided = isDecided || context != nil || deciders.contains { $0.rule != nil }
            for decider in deciders {
                switch evaluate(decider, of: key, layer, accepts) {
                case .accepted: return .accepted
                case .disabled:
                    trace?.endSource(layer.source, at: start, .blocks)
                    return .none
                case .none: break
                }
            }
        }
        let isAccepted = compiled.value.map {
            accepts(Candidate($0, isEncrypted: compiled.isEncrypted, of: layer, isDecided ? .default : .static))
        }
        trace?.endSource(layer.source, at: start)
        return isAccepted == true ? .accepted : .none
    }

    /// Evaluates one rule or experiment of a source.
    private func evaluate(
        _ decider: Decider, of key: FeatureKey, _ layer: FeatureLayer, _ accepts: (Candidate) -> Bool
    ) -> Ending {
        if let rule = decider.rule, let obstacle = obstacle(rule, of: key.feature) {
            let isGate = if case .prerequisite(let place) = obstacle { rule.prerequisites[place].isGate } else { false }
            let isAccepted =
                isGate && key.variable == nil && accepts(Candidate(false, of: layer, .disabled, rule: rule))
            trace?.add(rule, isGate ? .blocks : .doesNotMatch) { words(obstacle, rule, of: key.feature) }
            return isAccepted ? .accepted : isGate ? .disabled : .none
        }
        if let experiment = decider.experiment {
            if let rule = decider.rule { trace?.add(rule, .matches) { matchWords(rule) } }
            return evaluate(experiment, decider.rule, key, layer, accepts) ? .accepted : .none
        }
        guard let rule = decider.rule else { return .none }
        let isAccepted = decider.value.map {
            let isEncrypted = layers.areEncrypted(key, from: layer)
            return accepts(Candidate($0, isEncrypted: isEncrypted, of: layer, rule.reason, rule: rule))
        }
        trace?.add(rule, .matches) { matchWords(rule) }
        return isAccepted == true ? .accepted : .none
    }

    /// Evaluates an experiment for the value of its variant. The variant is recorded only if the value is accepted, or if
    /// the variant does not set the key, because its unit takes part as well.
    /// - Returns: Whether the value was accepted.
    private func evaluate(
        _ experiment: CompiledExperiment, _ rule: CompiledRule?, _ key: FeatureKey, _ layer: FeatureLayer,
        _ accepts: (Candidate) -> Bool
    ) -> Bool {
        guard let context else {
            trace?.add(experiment, nil) { "experiments need a context" }
            return false
        }
        let version: Int? = if case .remote(let number) = layer.source { number } else { nil }
        // Values that a tester forces must not enter the statistics.
        let records = records && !context.hasOverrides
        var decision = decision(of: experiment, rule, key.feature, context)
        // Between deciding and recording, another thread may have stored another variant for the unit, which then
        // applies.
        for attempt in 1... {
            let value = decision.variant.flatMap { $0.variant.isPassthrough ? nil : $0.value(of: key) }
            let isAccepted =
                value.map {
                    accepts(
                        Candidate(
                            $0, isEncrypted: layers.areEncrypted(key, from: layer), of: layer,
                            decision.reason == .sticky ? .cached : .split, rule: rule, variant: decision.variant))
                } ?? false
            trace?.add(experiment, decision.variant?.name) { words(decision, of: experiment, key.feature, context) }
            guard records, isAccepted || value == nil, experiments.hasToRecord(decision) else { return isAccepted }
            let recorded = experiments.record(decision, of: experiment, version: version)
            if !isAccepted || attempt == 3 || recorded.variant?.name == decision.variant?.name { return isAccepted }
            decision = recorded
        }
        return false
    }

    /// Decides the variant of the context.
    /// - Parameters:
    ///   - experiment: The experiment.
    ///   - rule: The rule that names the experiment; nil if there is none.
    ///   - feature: The feature that is read; nil if the experiment is evaluated by its id.
    ///   - context: The context.
    /// - Returns: The variant, nil if there is none, and the reason.
    func decision(
        of experiment: CompiledExperiment, _ rule: CompiledRule?, _ feature: String?, _ context: FeatureContext
    ) -> VariantDecision {
        experiments.decision(
            of: experiment, forced: forced(experiment, context), for: context, loadsUnits: records, at: time, budget
        ) { prerequisite in
            // The rule has already checked its own prerequisites.
            rule?.prerequisites.contains {
                $0.feature == prerequisite.feature && $0.condition == prerequisite.condition
            }
                ?? false || meets(prerequisite, of: feature)
        }
    }

    /// The variant that an override forces; a variant that the experiment does not have is ignored.
    private func forced(_ experiment: CompiledExperiment, _ context: FeatureContext) -> String? {
        let own = context.overrides?.variant(of: experiment.id).flatMap(experiment.variant)?.name
        return own ?? layers.forced(experiment.id)
    }

    /// Evaluates an experiment by its id, and records it.
    /// - Parameter id: The experiment's id.
    /// - Returns: The variant, nil if there is none, and the reason.
    func recordedDecision(of id: String) -> VariantDecision {
        guard let experiment = layers.experiments.experiment(id) else {
            if records { store.noteMiss(ofExperiment: id, in: layers) }
            return VariantDecision(.unknown)
        }
        let context = context ?? .empty
        let decision = decision(of: experiment, nil, nil, context)
        guard records else { return decision }
        if let fault = budget.fault {
            store.report(FeatureError(fault, place: "experiment \(id.excerpt)"), of: .enabled(id))
        }
        guard !context.hasOverrides, experiments.hasToRecord(decision) else { return decision }
        return experiments.record(decision, of: experiment, version: layers.experiments.version(of: id))
    }

    /// The reason why a rule does not match a context.
    enum Obstacle {
        case schedule, unusable, condition, bucket
        /// The index of a prerequisite.
        case prerequisite(Int)
        /// The index of a filter.
        case filter(Int)
    }

    /// Returns the reason why a rule does not match the context; nil if it matches.
    private func obstacle(_ rule: CompiledRule, of feature: String) -> Obstacle? {
        if let schedule = rule.schedule, !schedule.contains(moment) { return .schedule }
        for place in rule.prerequisites.indices where !meets(rule.prerequisites[place], of: feature) {
            return .prerequisite(place)
        }
        if !rule.isUsable { return .unusable }
        guard budget.spend(0) else { return .condition }
        let context = context ?? .empty
        if let condition = rule.condition, !condition.matches(context.attribute, budget) { return .condition }
        if let bucket = rule.bucket {
            guard let unit = context.unit(bucket.unit, budget), bucket.contains(unit.id) else { return .bucket }
        }
        for place in rule.filters.indices {
            let filter = rule.filters[place]
            guard let unit = context.unit(filter.unit ?? rule.bucket?.unit ?? "userId", budget),
                filter.contains(unit.id)
            else { return .filter(place) }
        }
        return nil
    }

    /// The time of the read, which is the same for all its parts; nil if the clock is not set.
    var moment: Instant? { budget.time { time ?? experiments.clock.now } }

    /// Returns whether a prerequisite of a rule or an experiment is met. A feature that depends on itself never meets
    /// it.
    /// - Parameters:
    ///   - prerequisite: The prerequisite.
    ///   - feature: The feature of the rule; nil if an experiment is evaluated by its id.
    /// - Returns: Whether it is met; false if the budget is used up.
    func meets(_ prerequisite: Prerequisite, of feature: String?) -> Bool {
        guard budget.spend(0) else { return false }
        let other = prerequisiteRead(of: feature)
        if other.path.contains(where: { $0.isExactly(prerequisite.feature) }) { return false }
        guard other.path.count <= Prerequisite.maxDepth, budget.spendPrerequisite() else {
            if records { store.reportLimit(at: prerequisite.feature) }
            return false
        }
        guard let condition = prerequisite.condition else {
            return other.isEnabled(prerequisite.feature) ?? false && !budget.isExhausted
        }
        // Otherwise a condition about missing values would hold for a disabled feature.
        var isDisabled = false
        func attribute(_ name: String) -> JSONValue? {
            guard budget.spendPrerequisite() else { return nil }
            let isFlag = name.isExactly("enabled")
            let key: FeatureKey =
                isFlag ? .enabled(prerequisite.feature) : .variable(VariableKey(prerequisite.feature, name))
            let (value, ending) = other.resolve(key) { candidate in
                isFlag ? candidate.value.bool.map(JSONValue.bool) : other.decryptedOrNil(candidate, key)
            }
            if ending == .disabled { isDisabled = true }
            return value
        }
        return condition.matches(attribute, budget) && !isDisabled && !budget.hasTooManyPrerequisites
    }

    /// Whether a feature is enabled; nil if no source defines it.
    private func isEnabled(_ feature: String) -> Bool? {
        resolve(.enabled(feature)) { $0.value.bool }.found
    }
}

extension RequestOverrides {
    /// The override of the context itself for a key; nil if there is none.
    fileprivate func value(of key: FeatureKey) -> JSONValue? {
        switch key {
        case .enabled(let feature): isEnabled(feature).map(JSONValue.bool)
        case .variable(let key): value(of: key.feature, key.variable)
        }
    }
}

extension CompiledVariant {
    /// The value of the variant for a key; nil if the variant does not set the key.
    fileprivate func value(of key: FeatureKey) -> JSONValue? {
        switch key {
        case .enabled(let feature): variant.enabledFeatures[exactly: feature].map(JSONValue.bool)
        case .variable(let key):
            variant.overrides[exactly: key.feature]?[key.variable].flatMap { $0 == .null ? nil : $0 }
        }
    }
}
