/// The contexts to which a rule or an experiment applies: all parts must match.
package struct Targeting: Sendable, Hashable {
    /// The condition on the context's attributes, units, country and language; nil, the default, for all contexts.
    package let condition: Condition?

    /// The conditions on other features; none by default.
    package let prerequisites: [Prerequisite]

    /// Shares of the units, each of which must contain the unit; none by default.
    package let filters: [BucketFilter]

    /// Creates a targeting.
    /// - Parameters:
    ///   - condition: The condition on the context; nil, the default, for all contexts.
    ///   - prerequisites: The conditions on other features; none by default.
    ///   - filters: Shares of the units; none by default.
    package init(condition: Condition? = nil, prerequisites: [Prerequisite] = [], filters: [BucketFilter] = []) {
        self.condition = condition
        self.prerequisites = prerequisites
        self.filters = filters
    }
}
