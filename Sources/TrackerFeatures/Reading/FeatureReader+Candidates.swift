extension FeatureReader {
    /// A read: the layers, the context and the features whose prerequisites led to it.
    package struct Request {
        let layers: FeatureLayers
        /// nil skips experiments, and evaluates rules without units and attributes.
        let context: FeatureContext?
        /// Whether exposures are recorded and assignments stored.
        var records: Bool
        /// The features that are being evaluated, to find cycles of prerequisites.
        var path: [String] = []
        /// Whether an experiment that is evaluated by its id asks, so that the read is no evaluation of its own.
        let isNested: Bool
        /// Whether a handle reads, whose variable a document need not have: only an unknown feature is a mistake.
        let isHandle: Bool
        /// The time to read for; nil, the default, for the present.
        var time: Instant?
        /// The work that is left to the read; nil before it begins.
        package var budget: ReadBudget?

        package init(
            layers: FeatureLayers, context: FeatureContext?, records: Bool = true, isNested: Bool = false,
            isHandle: Bool = false, time: Instant? = nil
        ) {
            (self.layers, self.context, self.records, self.isNested) = (layers, context, records, isNested)
            self.isHandle = isHandle
            self.time = time
        }
    }

    /// How a candidate was received.
    package enum Reception {
        /// It is the value.
        case taken
        /// It is of another type, or it is only collected: the next candidate follows.
        case passed
    }

    /// What rules and experiments of one layer have for a key.
    enum Decision {
        /// One of them gave the value.
        case taken
        /// None of them gave a value.
        case none
        /// A gate turned the feature off, or it is not its time: the layer has no value.
        case blocked
        /// The feature is disabled: neither the layer nor a lower one has a value.
        case disabled
    }

    /// A source of values within a layer.
    enum Source {
        /// Rules and experiments, and whether their values are encrypted.
        case deciders(DeciderList, isEncrypted: Bool)
        /// The value for all contexts.
        case plain(VariableContent)
    }

    /// Offers the values of a key, the highest in precedence first, until one is taken.
    ///
    /// If the read is refused something, ``ReadBudget/fault`` says so: rules and experiments that need it do not apply.
    /// - Parameters:
    ///   - key: The variable, or whether a feature is enabled.
    ///   - request: The layers and the context.
    ///   - decided: What decides the key in these layers, if it was looked up already; nil by default.
    ///   - offer: Takes a value or passes it on.
    /// - Returns: Whether no value was taken because the feature is disabled.
    @discardableResult
    package func resolve(
        _ key: FeatureKey, _ request: Request, _ decided: DecidedKey? = nil, _ offer: (Candidate) -> Reception
    ) -> Bool {
        // A context that was made by a tool, which records nothing, may have overrides too. Before all else, so that reads
        // without them are compiled as if there were none.
        if request.layers.requestsOverride || !request.records, let own = override(of: key, request),
            offer(own) == .taken
        {
            return false
        }
        let decided = decided ?? request.layers.decided(key)
        if let budget = request.budget { return resolve(key, request, decided, budget, offer) }
        return ReadBudget.open { resolve(key, request, decided, $0, offer) }
    }

    private func resolve(
        _ key: FeatureKey, _ request: Request, _ decided: DecidedKey?, _ budget: ReadBudget,
        _ offer: (Candidate) -> Reception
    ) -> Bool {
        let isOutermost = !request.isNested && request.path.isEmpty
        if isOutermost { budget.forgetFault() }
        // What explains, or is asked by a prerequisite, is no evaluation of its own.
        let isEvaluation = request.records && isOutermost
        let isObserved = isEvaluation && request.layers.usage.isObserved
        var (taken, takenReason, hasFailed): (Candidate?, EvaluationReason, Bool) = (nil, .default, false)
        let decision = walk(key, request, decided, budget) { candidate in
            let reception = offer(candidate)
            if case .taken = reception {
                takenReason = candidate.reason
                if isObserved { taken = candidate }
            } else {
                hasFailed = true
            }
            return reception
        }
        guard isEvaluation else { return decision == .disabled }
        if let fault = budget.fault {
            hasFailed = true
            report(FeatureError(fault, place: "\(key)"), of: key)
        }
        if decision != .taken, !hasFailed {
            if decision == .disabled {
                takenReason = .disabled
            } else {
                noteMiss(of: request.isHandle ? .enabled(key.feature) : key, in: request.layers)
            }
        }
        let reason = hasFailed ? .error : takenReason
        if reason != .static {
            let counters = decided == nil ? request.layers.counters[exactly: key.feature] : decided?.counters
            counters?.count(reason)
        }
        if isObserved {
            let shown = hasFailed ? reason : taken.map { self.reason(for: $0) } ?? reason
            request.layers.usage.offer { FeatureEvaluation(key, taken, shown) }
        }
        return decision == .disabled
    }

    private func walk(
        _ key: FeatureKey, _ request: Request, _ decided: DecidedKey?, _ budget: ReadBudget,
        _ offer: (Candidate) -> Reception
    ) -> Decision {
        var hasDeciders = false
        return descend(key, request.layers, decided) { source, layer in
            switch source {
            case .deciders(let deciders, let isEncrypted):
                // Without a context, experiments are skipped, so that they decide for no read.
                hasDeciders = hasDeciders || request.context != nil || deciders.contains(where: \.needsNoContext)
                return decide(key, deciders, of: layer, isEncrypted, request, budget, offer)
            case .plain(let content):
                if request.records { content.mark?.set() }
                let candidate = Candidate(
                    content: content, source: layer.source, decrypt: layer.decrypt, rank: layer.rank,
                    reason: hasDeciders ? .default : .static, rule: nil)
                return offer(candidate) == .taken ? .taken : .none
            }
        }
    }

    /// The value that the context itself gives a key; nil if it gives none.
    @inline(never)
    func override(of key: FeatureKey, _ request: Request) -> Candidate? {
        let overrides = request.context?.overrides
        let value: JSONValue? =
            switch key {
            case .enabled(let feature): overrides?.isEnabled(feature).map(JSONValue.bool)
            case .variable(let key): overrides?.value(of: key.feature, key.variable)
            }
        return value.map {
            Candidate(
                content: VariableContent(value: $0, isEncrypted: false), source: .request, decrypt: nil,
                rank: .overrides, reason: .targetingMatch, rule: nil)
        }
    }

    /// Visits what may give a key a value, the highest in precedence first, until a value is taken.
    /// - Parameters:
    ///   - key: The variable, or whether a feature is enabled.
    ///   - layers: The layers.
    ///   - decided: What decides the key; nil if neither rules nor experiments do.
    ///   - visit: Decides by one source of a layer.
    /// - Returns: Whether a value was taken, and if not, whether the feature is disabled.
    func descend(
        _ key: FeatureKey, _ layers: FeatureLayers, _ decided: DecidedKey?,
        _ visit: (Source, FeatureLayers.Layer) -> Decision
    ) -> Decision {
        let plain = decided == nil ? layers.plain(key) : nil
        var (decider, value) = (0, 0)
        while true {
            let next = decided?.plain[value] ?? plain?[value]
            if let decisive = decided?.deciders[decider], next.map({ $0.rank <= decisive.rank }) ?? true {
                decider += 1
                guard let layer = layers.layer(decisive.rank) else { continue }
                // The layer's own variable says whether it is encrypted, else the one below.
                switch visit(.deciders(decisive.value, isEncrypted: next?.value.isEncrypted ?? false), layer) {
                case .taken: return .taken
                case .none: continue
                case .blocked: if next?.rank == decisive.rank { value += 1 }
                case .disabled: return .disabled
                }
            } else if let next {
                value += 1
                if let layer = layers.layer(next.rank), visit(.plain(next.value), layer) == .taken { return .taken }
            } else {
                return .none
            }
        }
    }

    private func decide(
        _ key: FeatureKey, _ deciders: DeciderList, of layer: FeatureLayers.Layer, _ isEncrypted: Bool,
        _ request: Request, _ budget: ReadBudget, _ offer: (Candidate) -> Reception
    ) -> Decision {
        func candidate(
            _ value: JSONValue, _ source: FeatureSource, _ reason: EvaluationReason, _ rule: String?
        ) -> Candidate {
            Candidate(
                content: VariableContent(value: value, isEncrypted: isEncrypted), source: source,
                decrypt: layer.decrypt, rank: layer.rank, reason: reason, rule: rule)
        }
        for decider in deciders {
            let (rule, experiment): (CompiledRule?, CompiledExperiment?)
            switch decider {
            case .rule(let decisive): (rule, experiment) = (decisive, decisive.experiment)
            case .experiment(let decisive): (rule, experiment) = (nil, decisive)
            case .schedule(let schedule): return isCurrent(schedule, request, budget) ? .none : .blocked
            }
            if let rule {
                switch admits(rule, of: key.feature, request, budget) {
                case .matches: break
                case .doesNotMatch: continue
                case .isBlocked:
                    guard case .enabled = key else { return .blocked }
                    let off = candidate(false, layer.source, .disabled, rule.rule.id)
                    if case .taken = offer(off) { return .taken }
                    return .blocked
                case .isDisabled: return .disabled
                }
            }
            if let experiment {
                let given = give(experiment, of: rule, key, of: layer, request, budget) { value, source, reason in
                    offer(candidate(value, source, reason, rule?.rule.id))
                }
                if given { return .taken }
            } else if let rule, let value = rule.value(of: key) {
                if case .taken = offer(candidate(value, layer.source, rule.reason, rule.rule.id)) { return .taken }
            }
        }
        return .none
    }

    /// Offers the value of an experiment's variant; it is recorded only if it is taken, or if the variant leaves the key as
    /// it is, because such a unit takes part as well.
    /// - Returns: Whether the value was taken.
    private func give(
        _ experiment: CompiledExperiment, of rule: CompiledRule?, _ key: FeatureKey, of layer: FeatureLayers.Layer,
        _ request: Request, _ budget: ReadBudget,
        _ offer: (JSONValue, FeatureSource, EvaluationReason) -> Reception
    ) -> Bool {
        guard let context = request.context else { return false }
        var version: Int?
        if case .remote(let number) = layer.source { version = number }
        // What a tester sees must not enter the statistics.
        let records = request.records && !context.hasOverrides
        var decision = decision(of: experiment, of: rule, key.feature, for: context, request, budget)
        // Between deciding and recording, another thread may store another variant for the unit: then that one counts.
        for attempt in 1... {
            guard let variant = decision.variant else { return false }
            guard !variant.variant.isPassthrough, let value = variant.value(of: key) else {
                if records { experiments.record(decision, of: experiment, version: version) }
                return false
            }
            let reason: EvaluationReason = decision.isFromStore ? .cached : .split
            guard case .taken = offer(value, variant.source, reason) else { return false }
            guard records, experiments.hasToRecord(decision) else { return true }
            let recorded = experiments.record(decision, of: experiment, version: version)
            if attempt == 3 || recorded.variant?.name.isExactly(variant.name) ?? true { return true }
            decision = recorded
        }
        return false
    }

    /// What an experiment of a layer gives to a context. Written into its callers: as a function of its own it would count
    /// references to all that the closure uses.
    @inline(__always)
    func decision(
        of experiment: CompiledExperiment, of rule: CompiledRule?, _ feature: String?, for context: FeatureContext,
        _ request: Request, _ budget: ReadBudget
    ) -> Evaluation {
        experiments.decision(
            of: experiment, forced: context.forced(experiment) ?? request.layers.forced(experiment.id), for: context,
            loadsUnits: request.records, at: request.time, budget
        ) { prerequisite in
            // The rule has found that those of its own hold.
            rule?.rule.targeting.prerequisites.contains { $0.asksTheSame(as: prerequisite) } ?? false
                || meets(prerequisite, of: feature, request, budget)
        }
    }

    /// Offers the values of a variable that rules alone decide, whatever the context, each with its rule, and then the plain
    /// values, the highest in precedence first, until one is taken.
    /// - Parameters:
    ///   - key: The variable.
    ///   - request: The layers.
    ///   - offer: Takes a value or passes it on; gets no rule with a plain value.
    func eachRule(of key: VariableKey, _ request: Request, _ offer: (Candidate, CompiledRule?) -> Reception) {
        let layers = request.layers
        _ = descend(.variable(key), layers, layers.decided(key)) { source, layer in
            func candidate(_ content: VariableContent, _ rule: CompiledRule?) -> Candidate {
                Candidate(
                    content: content, source: layer.source, decrypt: layer.decrypt, rank: layer.rank,
                    reason: rule?.reason ?? .static, rule: rule?.rule.id)
            }
            switch source {
            case .deciders(let deciders, let isEncrypted):
                for case .rule(let rule) in deciders {
                    guard let value = rule.value(of: .variable(key)) else { continue }
                    let content = VariableContent(value: value, isEncrypted: isEncrypted)
                    if offer(candidate(content, rule), rule) == .taken { return .taken }
                }
                return .none
            case .plain(let content):
                return offer(candidate(content, nil), nil) == .taken ? .taken : .none
            }
        }
    }
}

extension Prerequisite {
    /// Whether both hold for the same contexts.
    fileprivate func asksTheSame(as other: Prerequisite) -> Bool {
        feature.isExactly(other.feature) && condition == other.condition
    }
}

extension FeatureEvaluation {
    fileprivate init(_ key: FeatureKey, _ candidate: Candidate?, _ reason: EvaluationReason) {
        feature = key.feature
        if case .variable(let key) = key { variable = key.variable } else { variable = nil }
        source = candidate?.source ?? .fallback
        self.reason = reason
        rule = candidate?.rule
        variant = candidate?.variant
    }
}
