import TrackerFeatures

/// The features as flags of the OpenFeature Remote Evaluation Protocol: `checkout` is whether a feature is enabled, and
/// `checkout.retryLimit` is a variable (https://openfeature.dev/specification/appendix-c).
///
/// If no source except an override defines whether a feature is enabled, its key stands for its variable `value`, so
/// that clients can also read a string or a number by the feature's name.
struct FlagEvaluation {
    /// Whether a feature is enabled, or one of its variables.
    private struct Flag {
        let key: String
        let feature: String
        /// nil for whether the feature is enabled.
        var variable: String?

        var place: FeatureKey { variable.map { .variable(VariableKey(feature, $0)) } ?? .enabled(feature) }
    }

    /// The unit of the targeting key.
    static let unit = "userId"

    /// The variable for which a feature's key can stand.
    private static let variable = "value"

    let snapshot: FeatureSnapshot
    private var layers: FeatureLayers { snapshot.layers }
    let context: FeatureContext
    private let records: Bool

    /// Evaluates flags for a context.
    /// - Parameters:
    ///   - features: The features.
    ///   - context: The context.
    ///   - records: Whether exposures are recorded, assignments stored and evaluations counted, as for a read in code.
    init(_ features: Features, for context: FeatureContext, records: Bool = false) {
        (snapshot, self.context) = (features.snapshot, context)
        self.records = records
    }

    /// Evaluates the flag of a key.
    /// - Parameters:
    ///   - key: The key.
    ///   - isTraced: Whether the answer includes the explanation.
    /// - Returns: The answer.
    /// - Throws: The reason why the flag cannot be evaluated.
    func flag(_ key: String, isTraced: Bool) throws(FlagFault) -> JSONObject {
        guard let flag = find(key) else { throw FlagFault(.flagNotFound, "there is no flag \(key.excerpt)") }
        var json = try evaluate(flag, records: false)
        // Record only a successful evaluation. Evaluate again, because another thread may have stored another variant.
        if records { json = try evaluate(flag, records: true) }
        explain(flag.place, isTraced: isTraced, in: &json)
        return json
    }

    /// The evaluations of all flags that are not secret; they share the budget of one read.
    var flags: [JSONValue] { snapshot.evaluate(for: context, records: false) { flags($0) } }

    private func evaluate(_ flag: Flag, records: Bool) throws(FlagFault) -> JSONObject {
        try snapshot.evaluate(for: context, records: records) { evaluator throws(FlagFault) in
            try evaluate(flag, evaluator)
        }
    }

    private func flags(_ evaluator: borrowing Evaluator) -> [JSONValue] {
        layers.names.flatMap { feature -> [JSONValue] in
            let variables = layers.variables(of: feature).filter { variable in
                // A feature with the same name has precedence, as for a single flag.
                !layers.has("\(VariableKey(feature, variable))")
            }
            let flags =
                [whole(feature)]
                + variables.map { Flag(key: "\(VariableKey(feature, $0))", feature: feature, variable: $0) }
            return flags.filter { !isSecret($0) }.map { flag in
                do throws(FlagFault) {
                    return .object(try evaluate(flag, evaluator))
                } catch {
                    return .object(error.json(of: flag.key))
                }
            }
        }
    }

    private func find(_ key: String) -> Flag? {
        if layers.has(key) { return whole(key) }
        // Names may contain dots.
        for dot in key.utf8.indices where key.utf8[dot] == UInt8(ascii: ".") {
            let (feature, variable) = (String(key[..<dot]), String(key[key.utf8.index(after: dot)...]))
            if layers.variables(of: feature).contains(where: { $0.isExactly(variable) }) {
                return Flag(key: key, feature: feature, variable: variable)
            }
        }
        return nil
    }

    /// The flag of a feature's name. Overrides are temporary, so they must not change its type.
    private func whole(_ feature: String) -> Flag {
        guard layers.variables(of: feature).contains(where: { $0.isExactly(Self.variable) }) else {
            return Flag(key: feature, feature: feature)
        }
        let definitions = layers.definitions(of: feature)
        let overrides = layers.overrides[.init(feature: feature)] == nil ? 0 : 1
        let isSwitch =
            definitions.count { $0.isEnabled != nil } > overrides
            || definitions.flatMap(\.rules).contains { rule in
                rule.isEnabled != nil || rule.experiment?.decides(feature, nil) ?? false
            }
            || layers.experiments.all.contains { $0.experiment.decides(feature, nil) }
        return Flag(key: feature, feature: feature, variable: isSwitch ? nil : Self.variable)
    }

    private func isSecret(_ flag: Flag) -> Bool {
        flag.variable.map { layers.isSecret(VariableKey(flag.feature, $0)) } ?? false
    }

    private func evaluate(_ flag: Flag, _ evaluator: borrowing Evaluator) throws(FlagFault) -> JSONObject {
        if isSecret(flag) {
            throw FlagFault(.general, "\(flag.key.excerpt) is encrypted, and a console does not show secrets")
        }
        let (found, ending) = evaluator.resolve(flag.place) { $0 }
        let isDisabled = ending == .disabled
        try check(found, isDisabled: isDisabled, flag, evaluator.budget)
        var json: JSONObject = ["key": .string(flag.key)]
        // If the value is missing, the client uses its own default.
        json["value"] = found?.value
        json["reason"] = .string(found.map { reason($0, flag) } ?? (isDisabled ? "DISABLED" : "UNKNOWN"))
        json["variant"] = .string(found.map(Self.variant) ?? Self.defaultVariant)
        let own = layers.metadata(of: flag.feature).sorted { $0.key < $1.key }
        var metadata = JSONObject(own.map { ($0.key, $0.value) })
        // The protocol has no such reason.
        if let found, evaluator.reason(for: found) == .stale { metadata["stale"] = true }
        if !metadata.isEmpty { json["metadata"] = .object(metadata) }
        return json
    }

    /// Adds data of an explanation: the variants that do not set the flag's value, as metadata such as
    /// `"experiment.checkout_01": "control"`, and the explanation itself if it was requested.
    private func explain(_ place: FeatureKey, isTraced: Bool, in json: inout JSONObject) {
        // If a rule or a variant sets the value, the answer already names it.
        let isPassedOn = json["reason"] == "UNKNOWN"
        guard isTraced || isPassedOn else { return }
        let explanation = snapshot.evaluate(for: context, records: false) { $0.explanation(of: place) }
        if isPassedOn, !explanation.variants.isEmpty {
            var metadata = json["metadata"]?.object ?? JSONObject()
            for (experiment, variant) in explanation.variants.sorted(by: { $0.key < $1.key }) {
                metadata["experiment.\(experiment)"] = .string(variant)
            }
            json["metadata"] = .object(metadata)
        }
        if isTraced { json["trace"] = .object(explanation.json) }
    }

    /// Rejects results that the protocol cannot represent.
    private func check(_ found: Candidate?, isDisabled: Bool, _ flag: Flag, _ budget: ReadBudget) throws(FlagFault) {
        if let fault = budget.fault { throw FlagFault(fault, flag.key) }
        if !isDisabled, found?.reason ?? .default == .default, lacksTargetingKey(flag) {
            throw FlagFault(.targetingKeyMissing, "\(flag.key.excerpt) depends on the targeting key")
        }
        if found?.value.array != nil { throw FlagFault(list: flag.key) }
    }

    /// The variant of a value from neither an experiment nor a rule. Some clients require one.
    private static let defaultVariant = "default"

    private static func variant(_ found: Candidate) -> String {
        if case .experiment(_, let variant) = found.source { return variant }
        return found.rule ?? defaultVariant
    }

    /// The reason in the protocol's terms. Clients cache static values, so a value for all contexts is static only if
    /// no rule may set another one.
    private func reason(_ found: Candidate, _ flag: Flag) -> String {
        switch found.reason {
        case .static: "STATIC"
        case .targetingMatch: isForAll(found, flag) ? "STATIC" : "TARGETING_MATCH"
        case .split, .cached: "SPLIT"
        case .disabled: "DISABLED"
        default: "UNKNOWN"
        }
    }

    /// Whether the value comes from a rule for all contexts that precedes any rule that depends on the context.
    private func isForAll(_ found: Candidate, _ flag: Flag) -> Bool {
        let definitions = layers.definitions(of: flag.feature)
        let rule = definitions.flatMap(\.rules).first { rule in
            rule.isUsable
                && (decides(rule, flag) || rule.targeting.prerequisites.contains(where: \.isGate))
        }
        guard let rule, let id = found.rule, rule.id.isExactly(id) else { return false }
        return rule.bucket == nil && rule.targeting == Targeting() && rule.experiment == nil
            && !layers.experiments.all.contains { $0.experiment.decides(flag.feature, flag.variable) }
    }

    private func decides(_ rule: FeatureRule, _ flag: Flag) -> Bool {
        if let experiment = rule.experiment { return experiment.decides(flag.feature, flag.variable) }
        return flag.variable.map { rule.values[$0] != nil } ?? (rule.isEnabled != nil)
    }

    private func isCurrent(_ schedule: Schedule?) -> Bool {
        schedule?.contains(layers.time) ?? true
    }

    /// Whether a rule or experiment needs the unit of the targeting key, which the context does not have.
    private func lacksTargetingKey(_ flag: Flag) -> Bool {
        guard context.unit(Self.unit) == nil else { return false }
        func isDecided(byExperiment experiment: Experiment) -> Bool {
            experiment.isEnabled && experiment.isUsable && isCurrent(experiment.targeting.schedule)
                && context.unit(experiment.unit) == nil
                && (experiment.unit == Self.unit || experiment.fallbackUnit == Self.unit)
                && experiment.decides(flag.feature, flag.variable)
        }
        func isDecided(byRule rule: FeatureRule) -> Bool {
            guard rule.isUsable, isCurrent(rule.targeting.schedule) else { return false }
            if let experiment = rule.experiment { return isDecided(byExperiment: experiment) }
            return decides(rule, flag) && rule.bucket?.unit == Self.unit
        }
        let definitions = layers.definitions(of: flag.feature)
        return definitions.flatMap(\.rules).contains { isDecided(byRule: $0) }
            || layers.experiments.all.contains { isDecided(byExperiment: $0.experiment) }
    }
}

extension Experiment {
    /// Whether a variant sets a feature's variable; if it is nil, whether the feature is enabled.
    fileprivate func decides(_ feature: String, _ variable: String?) -> Bool {
        variants.contains { variant in
            guard let variable else { return variant.enabledFeatures[exactly: feature] != nil }
            return variant.overrides[exactly: feature]?[variable] != nil
        }
    }
}
