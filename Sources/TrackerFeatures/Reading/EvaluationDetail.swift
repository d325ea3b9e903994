/// A value that was read, with its source.
public struct EvaluationDetail<Value> {
    /// The value; the caller's default if there is none of this type.
    public let value: Value

    /// The source of the value; ``FeatureSource/fallback`` for the caller's default.
    public let source: FeatureSource

    /// The reason for the caller's default; nil if the value comes from a source.
    public let error: FeatureError?

    /// Creates a detail, for example to compare with.
    /// - Parameters:
    ///   - value: The value.
    ///   - source: The source of the value.
    ///   - error: The reason for the caller's default.
    public init(value: Value, source: FeatureSource, error: FeatureError? = nil) {
        self.value = value
        self.source = source
        self.error = error
    }
}

extension EvaluationDetail: Sendable where Value: Sendable {}
