/// A read value with its source and the reason.
///
/// ```swift
/// let detail = setup.features.detail("checkout", variable: "retryLimit", default: 3, for: context)
/// print(detail.value, detail.reason, detail.rule ?? "-")      // 9 targetingMatch staff
/// ```
public struct EvaluationDetail<Value> {
    /// The value; the caller's default if no source has a value of this type.
    public let value: Value

    /// The source of the value; ``FeatureSource/fallback`` for the caller's default.
    public let source: FeatureSource

    /// The reason for the value.
    public let reason: EvaluationReason

    /// The id of the rule that gives the value; nil if there is none.
    public let rule: String?

    /// The error of a value with higher precedence; nil if there was none, or if no source has the value and ``source``
    /// is not the fallback.
    public let error: FeatureError?

    /// The feature's `metadata` in the document: strings, numbers and booleans by name.
    public let metadata: [String: JSONValue]

    /// Creates a detail, for example to compare with.
    /// - Parameters:
    ///   - value: The value.
    ///   - source: The source of the value.
    ///   - reason: The reason for the value; ``EvaluationReason/static`` by default.
    ///   - rule: The id of the rule that gives the value; nil by default.
    ///   - error: The error of a value with higher precedence; nil by default.
    ///   - metadata: The feature's metadata; empty by default.
    public init(
        value: Value, source: FeatureSource, reason: EvaluationReason = .static, rule: String? = nil,
        error: FeatureError? = nil, metadata: [String: JSONValue] = [:]
    ) {
        self.value = value
        self.source = source
        self.reason = reason
        self.rule = rule
        self.error = error
        self.metadata = metadata
    }

    /// The variant that gives the value; nil if there is none.
    public var variant: String? {
        if case .experiment(_, let variant) = source { variant } else { nil }
    }
}

extension EvaluationDetail: Sendable where Value: Sendable {}
