extension FeatureReader {
    /// How many prerequisites may follow from each other. A longer chain counts as unmet.
    static let maxPrerequisiteDepth = 10

    /// What a rule says of a context.
    enum Admission {
        case matches, doesNotMatch
        /// A prerequisite that is a gate is not met.
        case isBlocked
    }

    /// Whether a rule is for the context of a read.
    func admits(_ rule: CompiledRule, of feature: String, _ request: Request) -> Admission {
        if !rule.rule.targeting.prerequisites.isEmpty {
            for prerequisite in rule.rule.targeting.prerequisites
            where !meets(prerequisite, of: feature, request) {
                return prerequisite.isGate ? .isBlocked : .doesNotMatch
            }
        }
        return rule.matches(request.context ?? FeatureContext()) ? .matches : .doesNotMatch
    }

    /// Whether another feature is as a rule or an experiment asks. A feature that waits for itself is not.
    /// - Parameters:
    ///   - prerequisite: What is asked.
    ///   - feature: The feature of the rule; nil if an experiment is evaluated by its id.
    ///   - request: The layers and the context.
    /// - Returns: Whether it is met.
    func meets(_ prerequisite: Prerequisite, of feature: String?, _ request: Request) -> Bool {
        var request = request
        if let feature { request.path.append(feature) }
        guard request.path.count <= Self.maxPrerequisiteDepth,
            !request.path.contains(where: { $0.isExactly(prerequisite.feature) })
        else { return false }
        guard let condition = prerequisite.condition else { return isEnabled(prerequisite.feature, request) ?? false }
        return condition.matches { name in
            if name == "enabled" { return isEnabled(prerequisite.feature, request).map(JSONValue.bool) }
            return value(VariableKey(prerequisite.feature, name), request)?.value
        }
    }

    /// Whether a feature is enabled; nil if no source defines it.
    func isEnabled(_ feature: String, _ request: Request) -> Bool? {
        var isEnabled: Bool?
        resolve(.enabled(feature), request) { candidate in
            isEnabled = candidate.content.value.bool
            return isEnabled == nil ? .passed : .taken
        }
        return isEnabled
    }
}
