/// A value that was read, with where it comes from.
public struct VariableReading<Value> {
    /// The value; the caller's default where there is none of this type.
    public let value: Value

    /// Where it comes from; ``FeatureSource/fallback`` for the caller's default.
    public let source: FeatureSource

    /// Why the caller's default was taken; nil where it was not.
    public let error: FeatureError?
}

extension VariableReading: Sendable where Value: Sendable {}
