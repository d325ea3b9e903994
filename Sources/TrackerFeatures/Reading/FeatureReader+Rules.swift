extension FeatureReader {
    /// What a rule says of a context.
    enum Admission {
        case matches, doesNotMatch
        /// A prerequisite that is a gate is not met.
        case isBlocked
        /// The feature is disabled.
        case isDisabled
    }

    /// Whether a rule is for the context of a read.
    func admits(
        _ rule: CompiledRule, of feature: String, _ request: Request, _ budget: ReadBudget
    ) -> Admission {
        if rule.asksMore {
            if rule.usesTime, !isCurrent(rule.schedule, request, budget) { return .doesNotMatch }
            if rule.isOff { return .isDisabled }
            for prerequisite in rule.rule.targeting.prerequisites
            where !meets(prerequisite, of: feature, request, budget) {
                return prerequisite.isGate ? .isBlocked : .doesNotMatch
            }
        }
        return rule.matches(request.context ?? .empty, budget) ? .matches : .doesNotMatch
    }

    /// Whether a schedule has begun and is not over at the time of the read, which conditions know from then on.
    /// - Parameters:
    ///   - schedule: The schedule; nil for any time.
    ///   - request: May have a time of its own.
    ///   - budget: The read.
    /// - Returns: Whether it is; false for a schedule if the clock has not been set.
    func isCurrent(_ schedule: Schedule?, _ request: Request, _ budget: ReadBudget) -> Bool {
        let time = budget.time { request.time ?? experiments.clock.now }
        return schedule?.contains(time) ?? true
    }

    /// Whether another feature is as a rule or an experiment asks. A feature that waits for itself is not.
    /// - Parameters:
    ///   - prerequisite: What is asked.
    ///   - feature: The feature of the rule; nil if an experiment is evaluated by its id.
    ///   - request: The layers and the context.
    ///   - budget: The work that is left to the read.
    /// - Returns: Whether it is met; false if the budget is used up.
    func meets(
        _ prerequisite: Prerequisite, of feature: String?, _ request: Request, _ budget: ReadBudget
    ) -> Bool {
        guard budget.spend(0) else { return false }
        var request = request
        if let feature { request.path.append(feature) }
        request.budget = budget
        if request.path.contains(where: { $0.isExactly(prerequisite.feature) }) { return false }
        guard request.path.count <= Prerequisite.maxDepth, budget.spendPrerequisite() else {
            if request.records { reportLimit(at: prerequisite.feature) }
            return false
        }
        guard let condition = prerequisite.condition else {
            return isEnabled(prerequisite.feature, request) ?? false && !budget.isExhausted
        }
        // A condition on what a disabled feature does not have could hold.
        let mayBeDisabled = request.layers.mayDisable(prerequisite.feature)
        var isDisabled = false
        func isOff(_ key: FeatureKey) -> Bool {
            var request = request
            request.records = false
            return resolve(key, request) { _ in .taken }
        }
        func attribute(_ name: String) -> JSONValue? {
            guard budget.spendPrerequisite() else { return nil }
            let key = VariableKey(prerequisite.feature, name)
            if mayBeDisabled, isOff(name.isExactly("enabled") ? .enabled(key.feature) : .variable(key)) {
                isDisabled = true
                return nil
            }
            if name.isExactly("enabled") { return isEnabled(prerequisite.feature, request).map(JSONValue.bool) }
            return value(key, request)?.value
        }
        return condition.matches(attribute, budget) && !isDisabled && !budget.hasTooManyPrerequisites
    }

    /// Whether a feature is enabled; nil if no source defines it.
    func isEnabled(_ feature: String, _ request: Request, _ decided: DecidedKey? = nil) -> Bool? {
        var isEnabled: Bool?
        resolve(.enabled(feature), request, decided) { candidate in
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
