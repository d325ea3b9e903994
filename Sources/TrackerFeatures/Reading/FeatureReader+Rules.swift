extension FeatureReader {
    /// What a rule says of a context.
    enum Admission {
        case matches, doesNotMatch
        /// A prerequisite that is a gate is not met.
        case isBlocked
    }

    /// Whether a rule is for the context of a read.
    func admits(_ rule: CompiledRule, of feature: String, _ request: Request) -> Admission {
        if rule.hasPrerequisites {
            for prerequisite in rule.rule.targeting.prerequisites
            where !meets(prerequisite, of: feature, request) {
                return prerequisite.isGate ? .isBlocked : .doesNotMatch
            }
        }
        return rule.matches(request.context ?? .empty) ? .matches : .doesNotMatch
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
        if request.path.contains(where: { $0.isExactly(prerequisite.feature) }) { return false }
        let budget = request.budget ?? PrerequisiteBudget()
        request.budget = budget
        guard request.path.count <= Prerequisite.maxDepth, budget.spend() else {
            if request.records { reportLimit(at: prerequisite.feature) }
            return false
        }
        guard let condition = prerequisite.condition else { return isEnabled(prerequisite.feature, request) ?? false }
        let isMet = condition.matches { name in
            guard budget.spend() else { return nil }
            if name == "enabled" { return isEnabled(prerequisite.feature, request).map(JSONValue.bool) }
            return value(VariableKey(prerequisite.feature, name), request)?.value
        }
        return isMet && !budget.isExceeded
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

    private func reportLimit(at feature: String) {
        let reason =
            "it is a prerequisite behind more than \(Prerequisite.maxDepth) others, or one of more than "
            + "\(Prerequisite.maxEvaluations) of one read, and counts as not met"
        report(FeatureError(.prerequisiteLimit, place: feature, reason: reason), of: .enabled(feature))
    }
}
