/// The contexts that a rule or an experiment is for: all parts have to hold.
public struct Targeting: Sendable, Hashable {
    /// The condition over the context's attributes, units, country and language; nil, the default, for all contexts.
    public let condition: Condition?

    /// What is asked of other features; nothing by default.
    public let prerequisites: [Prerequisite]

    /// Shares of the units, all of which have to contain the unit; none by default.
    public let filters: [BucketFilter]

    /// Creates a targeting.
    /// - Parameters:
    ///   - condition: The condition over the context; nil, the default, for all contexts.
    ///   - prerequisites: What is asked of other features; nothing by default.
    ///   - filters: Shares of the units; none by default.
    public init(condition: Condition? = nil, prerequisites: [Prerequisite] = [], filters: [BucketFilter] = []) {
        self.condition = condition
        self.prerequisites = prerequisites
        self.filters = filters
    }
}
