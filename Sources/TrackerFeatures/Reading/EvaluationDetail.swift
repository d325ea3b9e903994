/// A value that was read, with its source.
public struct EvaluationDetail<Value> {
    /// The value; the caller's default if there is none of this type.
    public let value: Value

    /// The source of the value; ``FeatureSource/fallback`` for the caller's default.
    public let source: FeatureSource

    /// The reason for the caller's default; nil if the value comes from a source.
    public let error: FeatureError?
}

extension EvaluationDetail: Sendable where Value: Sendable {}
