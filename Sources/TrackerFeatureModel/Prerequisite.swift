/// A condition of a rule or an experiment on another feature, evaluated for the same context.
///
/// ```json
/// "prerequisites": [ { "feature": "checkout", "condition": { "retryLimit": { "$gte": 3 } } } ]
/// ```
package struct Prerequisite: Sendable, Hashable {
    /// The maximum length of a chain of prerequisites. Those of a longer chain are not met.
    package static let maxDepth = 10

    /// The maximum number of prerequisites that one read evaluates. Further ones are not met.
    package static let maxEvaluations = ReadBudget.maximumPrerequisites

    /// The other feature's name.
    package let feature: String

    /// The condition on an object with that feature's variables and `enabled`; nil, the default, requires that it is
    /// enabled.
    package var condition: Condition?

    /// Whether a failure turns off the whole feature instead of only the rule; false by default.
    ///
    /// A feature that a gate turns off is not enabled, and its document or provider gives none of its variables.
    package var isGate: Bool

    /// Creates a prerequisite.
    /// - Parameters:
    ///   - feature: The other feature's name.
    ///   - condition: The condition on that feature's variables and `enabled`; nil, the default, requires that it is
    ///     enabled.
    ///   - isGate: Whether a failure turns off the whole feature; false by default.
    package init(feature: String, condition: Condition? = nil, isGate: Bool = false) {
        self.feature = feature
        self.condition = condition
        self.isGate = isGate
    }
}
