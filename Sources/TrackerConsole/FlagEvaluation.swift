import TrackerConfig

/// The features as flags of the OpenFeature Remote Evaluation Protocol: `checkout` is whether a feature is enabled,
/// `checkout.retryLimit` a variable (https://openfeature.dev/specification/appendix-c).
///
/// No exposure is recorded and no assignment is stored.
struct FlagEvaluation {
    /// Whether a feature is enabled, or one of its variables.
    private struct Flag {
        let feature: String
        /// nil for whether the feature is enabled.
        var variable: String?

        var key: String { variable.map { "\(feature).\($0)" } ?? feature }

        var place: FeatureKey { variable.map { .variable(VariableKey(feature, $0)) } ?? .enabled(feature) }
    }

    /// The unit whose id the targeting key is.
    static let unit = "userId"

    private let layers: FeatureLayers
    private let reader: FeatureReader
    private let context: FeatureContext

    /// Evaluates flags for a context.
    init(_ features: Features, for context: FeatureContext) {
        (layers, reader, self.context) = (features.store.layers, features.reader, context)
    }

    /// The evaluation of the flag of a key.
    func flag(_ key: String) throws(FlagFault) -> JSONObject {
        guard let flag = find(key) else { throw FlagFault(.flagNotFound, "there is no flag \(key.excerpt)") }
        return try ReadBudget.open { budget throws(FlagFault) in try evaluate(flag, budget) }
    }

    /// The evaluations of all flags that have a value and are no secret; together they have the budget of one read.
    var flags: [JSONValue] { ReadBudget.open { flags($0) } }

    private func flags(_ budget: ReadBudget) -> [JSONValue] {
        layers.names.flatMap { feature -> [JSONValue] in
            let variables = layers.variables(of: feature).filter { variable in
                let key = VariableKey(feature, variable)
                // A feature of the same name comes first, as for a single flag.
                return !layers.isSecret(key) && !layers.has("\(key)")
            }
            let flags = [Flag(feature: feature)] + variables.map { Flag(feature: feature, variable: $0) }
            return flags.compactMap { flag -> JSONValue? in
                do throws(FlagFault) {
                    return .object(try evaluate(flag, budget))
                } catch {
                    return error.code == .flagNotFound ? nil : .object(error.json(of: flag.key))
                }
            }
        }
    }

    private func find(_ key: String) -> Flag? {
        if layers.has(key) { return Flag(feature: key) }
        // Names may have dots.
        for dot in key.utf8.indices where key.utf8[dot] == UInt8(ascii: ".") {
            let (feature, variable) = (String(key[..<dot]), String(key[key.utf8.index(after: dot)...]))
            if layers.variables(of: feature).contains(where: { $0.isExactly(variable) }) {
                return Flag(feature: feature, variable: variable)
            }
        }
        return nil
    }

    private func evaluate(_ flag: Flag, _ budget: ReadBudget) throws(FlagFault) -> JSONObject {
        if let variable = flag.variable, layers.isSecret(VariableKey(flag.feature, variable)) {
            throw FlagFault(.general, "\(flag.key.excerpt) is encrypted, and a console does not show secrets")
        }
        var found: Candidate?
        var request = FeatureReader.Request(layers: layers, context: context, records: false)
        request.budget = budget
        reader.resolve(flag.place, request) { candidate in
            found = candidate
            return .taken
        }
        if let fault = budget.fault { throw FlagFault(fault, flag.key) }
        if found?.reason ?? .default == .default, lacksTargetingKey(flag) {
            throw FlagFault(.targetingKeyMissing, "\(flag.key.excerpt) depends on the targeting key")
        }
        guard let found else { throw FlagFault(.flagNotFound, "no source has a value for \(flag.key.excerpt)") }
        var json: JSONObject = [
            "key": .string(flag.key), "value": found.content.value, "reason": .string(found.reason.rawValue),
        ]
        if case .experiment(_, let variant) = found.source { json["variant"] = .string(variant) }
        var metadata: JSONObject = ["source": .string(found.source.description)]
        metadata["rule"] = found.rule.map(JSONValue.string)
        json["metadata"] = .object(metadata)
        return json
    }

    /// Whether a rule or experiment decides by the unit of the targeting key, and the context has none.
    private func lacksTargetingKey(_ flag: Flag) -> Bool {
        guard context.unit(Self.unit) == nil else { return false }
        func isDecided(byExperiment experiment: Experiment) -> Bool {
            guard experiment.isEnabled, experiment.isUsable, context.unit(experiment.unit) == nil,
                experiment.unit == Self.unit || experiment.fallbackUnit == Self.unit
            else { return false }
            return experiment.variants.contains { variant in
                guard let variable = flag.variable else { return variant.enabledFeatures[exactly: flag.feature] != nil }
                return variant.overrides[exactly: flag.feature]?[variable] != nil
            }
        }
        func isDecided(byRule rule: FeatureRule) -> Bool {
            guard rule.isUsable else { return false }
            if let experiment = rule.experiment { return isDecided(byExperiment: experiment) }
            let hasValue = flag.variable.map { rule.values[$0] != nil } ?? (rule.isEnabled != nil)
            return hasValue && rule.bucket?.unit == Self.unit
        }
        return layers.definitions(of: flag.feature).flatMap(\.rules).contains { isDecided(byRule: $0) }
            || layers.experiments.all.contains { isDecided(byExperiment: $0.experiment) }
    }
}
