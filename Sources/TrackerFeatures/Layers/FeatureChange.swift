/// What differs of a feature between two snapshots.
public struct FeatureChange: Sendable, Hashable {
    /// The feature's name.
    public let feature: String

    /// What was in effect; nil where nobody named the feature, and in the first change that a listener gets.
    public let old: FeatureValues?

    /// What is in effect; nil where nobody names the feature any more.
    public let new: FeatureValues?

    /// Creates a change, as to compare with one.
    /// - Parameters:
    ///   - feature: The feature's name.
    ///   - old: What was in effect.
    ///   - new: What is in effect.
    public init(feature: String, old: FeatureValues?, new: FeatureValues?) {
        self.feature = feature
        self.old = old
        self.new = new
    }
}

/// What differs of a variable between two snapshots.
public struct VariableChange<Value> {
    /// The value that was in effect; nil where there was none of this type, and in the first change that a listener gets.
    public let old: Value?

    /// The value that is in effect; nil where there is none of this type any more.
    public let new: Value?

    /// Creates a change, as to compare with one.
    /// - Parameters:
    ///   - old: The value that was in effect.
    ///   - new: The value that is in effect.
    public init(old: Value?, new: Value?) {
        self.old = old
        self.new = new
    }
}

extension VariableChange: Sendable where Value: Sendable {}
extension VariableChange: Equatable where Value: Equatable {}
