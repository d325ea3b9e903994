/// A difference of a feature between two snapshots.
public struct FeatureChange: Sendable, Hashable {
    /// The feature's name.
    public let feature: String

    /// The values before; nil if no source had the feature, and in the first change that a listener gets.
    public let old: FeatureValues?

    /// The values now; nil if no source has the feature any more.
    public let new: FeatureValues?

    /// Creates a change, for example to compare with.
    /// - Parameters:
    ///   - feature: The feature's name.
    ///   - old: The values before.
    ///   - new: The values now.
    public init(feature: String, old: FeatureValues?, new: FeatureValues?) {
        self.feature = feature
        self.old = old
        self.new = new
    }
}

/// A difference of a variable between two snapshots.
public struct VariableChange<Value> {
    /// The value before; nil if there was none of this type, and in the first change that a listener gets.
    public let old: Value?

    /// The value now; nil if there is none of this type any more.
    public let new: Value?

    /// Creates a change, for example to compare with.
    /// - Parameters:
    ///   - old: The value before.
    ///   - new: The value now.
    public init(old: Value?, new: Value?) {
        self.old = old
        self.new = new
    }
}

extension VariableChange: Sendable where Value: Sendable {}
extension VariableChange: Equatable where Value: Equatable {}
