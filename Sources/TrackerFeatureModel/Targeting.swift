/// The contexts to which a rule or an experiment applies, and the time: all parts must match.
package struct Targeting: Sendable, Hashable {
    /// The condition on the context's attributes, units, country and language; nil, the default, for all contexts.
    package var condition: Condition?

    /// The conditions on other features; none by default.
    package var prerequisites: [Prerequisite]

    /// Shares of the units, each of which must contain the unit; none by default.
    package var filters: [BucketFilter]

    /// The time in which it applies; nil, the default, at any time.
    package var schedule: Schedule?

    /// Creates a targeting.
    /// - Parameters:
    ///   - condition: The condition on the context; nil, the default, for all contexts.
    ///   - prerequisites: The conditions on other features; none by default.
    ///   - filters: Shares of the units; none by default.
    ///   - schedule: The time in which it applies; nil, the default, at any time.
    package init(
        condition: Condition? = nil, prerequisites: [Prerequisite] = [], filters: [BucketFilter] = [],
        schedule: Schedule? = nil
    ) {
        self.condition = condition
        self.prerequisites = prerequisites
        self.filters = filters
        self.schedule = schedule
    }
}
