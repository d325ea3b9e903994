/// A difference of a feature or a variable between two snapshots: of its ``FeatureValues``, or of the variable's value.
public struct FeatureChange<Value> {
    /// The feature's name.
    public let feature: String

    /// The value before; nil if there was none of this type, and in a listener's first change.
    public let old: Value?

    /// The value now; nil if there is none of this type.
    public let new: Value?

    /// Creates a change, for example to compare with.
    /// - Parameters:
    ///   - feature: The feature's name.
    ///   - old: The value before.
    ///   - new: The value now.
    public init(feature: String, old: Value?, new: Value?) {
        self.feature = feature
        self.old = old
        self.new = new
    }
}

extension FeatureChange: Sendable where Value: Sendable {}
extension FeatureChange: Equatable where Value: Equatable {}
extension FeatureChange: Hashable where Value: Hashable {}
