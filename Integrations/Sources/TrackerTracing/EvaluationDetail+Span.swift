public import Tracing
public import TrackerConfig

extension EvaluationDetail {
    /// The attributes of an evaluation, named by OpenTelemetry's conventions for feature flags.
    ///
    /// They are `feature_flag.key` (`FEATURE` or `FEATURE.VARIABLE`), `feature_flag.provider.name`,
    /// `feature_flag.result.reason` (such as `targeting_match`), `feature_flag.result.variant` if an experiment gave
    /// the value, `feature_flag.version` if the remote document did, `feature_flag.context.id` if there is a context
    /// with the unit `userId`, and `error.type` and `feature_flag.error.message` if a value could not be read. The value
    /// itself is left out, because it may be secret.
    /// - Parameters:
    ///   - feature: The feature that was read.
    ///   - variable: The variable that was read; nil, the default, for whether the feature is enabled.
    ///   - context: The context of the read; nil, the default, uses that of `TrackingContext.current`.
    /// - Returns: The attributes.
    public func spanAttributes(
        of feature: String, variable: String? = nil, for context: FeatureContext? = nil
    ) -> SpanAttributes {
        var attributes: SpanAttributes = [:]
        attributes["feature_flag.key"] = variable.map { "\(feature).\($0)" } ?? feature
        attributes["feature_flag.provider.name"] = "tracker-config"
        attributes["feature_flag.result.reason"] = reason.rawValue.lowercased()
        if let variant { attributes["feature_flag.result.variant"] = variant }
        if case .remote(let version) = source { attributes["feature_flag.version"] = "\(version)" }
        if let user = (context ?? TrackingContext.current?.evaluation)?.units["userId"] {
            attributes["feature_flag.context.id"] = user
        }
        if let error {
            attributes["error.type"] =
                switch error.code {
                case .notFound: "flag_not_found"
                case .wrongType: "type_mismatch"
                default: "general"
                }
            attributes["feature_flag.error.message"] = error.reason
        }
        return attributes
    }
}

extension Span {
    /// Adds the event `feature_flag.evaluation` to the span.
    ///
    /// ```swift
    /// let detail = setup.features.detail("checkout", variable: "retryLimit", default: 3)
    /// span.recordEvaluation(detail, of: "checkout", variable: "retryLimit")
    /// ```
    /// - Parameters:
    ///   - detail: The result of the read.
    ///   - feature: The feature that was read.
    ///   - variable: The variable that was read; nil, the default, for whether the feature is enabled.
    ///   - context: The context of the read; nil, the default, uses that of `TrackingContext.current`.
    public func recordEvaluation<Value>(
        _ detail: EvaluationDetail<Value>, of feature: String, variable: String? = nil,
        for context: FeatureContext? = nil
    ) {
        let attributes = detail.spanAttributes(of: feature, variable: variable, for: context)
        addEvent(SpanEvent(name: "feature_flag.evaluation", attributes: attributes))
    }
}
