/// All features at one moment. Values from one snapshot are consistent, even if a document is applied or a schedule
/// begins in the meantime.
///
/// ```swift
/// let snapshot = setup.features.snapshot
/// let host = snapshot.value("search", variable: "host", default: "localhost")
/// let port = snapshot.value("search", variable: "port", default: 9200)
/// ```
public struct FeatureSnapshot: Sendable {
    package let layers: FeatureLayers
    private let store: FeatureStore
    private let experiments: Experiments
    /// The time of the snapshot; nil for the time of each read.
    private let time: Instant?

    init(_ store: FeatureStore, _ experiments: Experiments, _ layers: FeatureLayers, at time: Instant?) {
        (self.store, self.experiments, self.layers, self.time) = (store, experiments, layers, time)
    }

    /// The features without overrides; nil if nothing is overridden.
    package var withoutOverrides: FeatureSnapshot? {
        store.layersWithoutOverrides.map { FeatureSnapshot(store, experiments, $0, at: time) }
    }

    /// Reads features.
    /// - Parameters:
    ///   - context: The context; nil for the context that is bound to the task.
    ///   - records: Whether exposures are recorded, assignments stored and evaluations counted; true by default.
    ///   - body: The read.
    /// - Returns: The result of `body`.
    /// - Throws: The error of `body`.
    @inline(__always)
    package func evaluate<Result, Failure: Error>(
        for context: FeatureContext?, records: Bool = true,
        _ body: (borrowing Evaluator) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try Evaluator.open(store, experiments, layers, for: context, at: time, records: records, body)
    }

    /// The names of all features, sorted.
    public var names: [String] { layers.names }

    /// Returns whether a feature is enabled, like ``Features/isEnabled(_:default:for:)``.
    /// - Parameters:
    ///   - feature: The feature's name.
    ///   - default: The result if no source defines it; false by default.
    ///   - context: The context of rules and experiments; nil, the default, uses that of ``TrackingContext/current``.
    /// - Returns: Whether the feature is enabled.
    public func isEnabled(_ feature: String, default: Bool = false, for context: FeatureContext? = nil) -> Bool {
        evaluate(for: context) { $0.read(.enabled(feature), as: Bool.self).found?.value ?? `default` }
    }

    /// Returns whether a feature is enabled, with the source and the reason.
    /// - Parameters:
    ///   - feature: The feature's name.
    ///   - default: The value if no source defines it; false by default.
    ///   - context: The context of rules and experiments; nil, the default, uses that of ``TrackingContext/current``.
    /// - Returns: The value with its source and reason.
    public func detail(
        _ feature: String, default: Bool = false, for context: FeatureContext? = nil
    ) -> EvaluationDetail<Bool> {
        evaluate(for: context) { $0.detail(.enabled(feature), default: `default`) }
    }

    /// Reads a variable as any `Decodable`, like ``Features/value(_:variable:default:for:)``; never traps.
    /// - Parameters:
    ///   - feature: The feature's name.
    ///   - variable: The variable's name.
    ///   - default: The result if no source has the variable, or if its value cannot be read as this type.
    ///   - context: The context of rules and experiments; nil, the default, uses that of ``TrackingContext/current``.
    /// - Returns: The value.
    public func value<Value: Decodable>(
        _ feature: String, variable: String, default: Value, for context: FeatureContext? = nil
    ) -> Value {
        evaluate(for: context) {
            $0.read(.variable(VariableKey(feature, variable)), as: Value.self).found?.value ?? `default`
        }
    }

    /// Reads a variable together with the source of its value.
    /// - Parameters:
    ///   - feature: The feature's name.
    ///   - variable: The variable's name.
    ///   - default: The result if no source has the variable, or if its value cannot be read as this type.
    ///   - context: The context of rules and experiments; nil, the default, uses that of ``TrackingContext/current``.
    /// - Returns: The value with its source, and the error if there is one.
    public func detail<Value: Decodable>(
        _ feature: String, variable: String, default: Value, for context: FeatureContext? = nil
    ) -> EvaluationDetail<Value> {
        evaluate(for: context) { $0.detail(.variable(VariableKey(feature, variable)), default: `default`) }
    }

    /// Reads a variable without a default.
    /// - Parameters:
    ///   - feature: The feature's name.
    ///   - variable: The variable's name.
    ///   - type: The requested type.
    ///   - context: The context of rules and experiments; nil, the default, uses that of ``TrackingContext/current``.
    /// - Returns: The value.
    /// - Throws: ``FeatureError`` if no source has the variable, or if its value cannot be read as this type.
    public func require<Value: Decodable>(
        _ feature: String, variable: String, as type: Value.Type = Value.self, for context: FeatureContext? = nil
    ) throws(FeatureError) -> Value {
        try evaluate(for: context) { evaluator throws(FeatureError) in
            try evaluator.require(.variable(VariableKey(feature, variable)))
        }
    }

    /// Reads a whole feature as a type with a property for each variable.
    /// - Parameters:
    ///   - feature: The feature's name.
    ///   - type: The type.
    ///   - context: The context of rules and experiments; nil, the default, uses that of ``TrackingContext/current``.
    /// - Returns: The value.
    /// - Throws: ``FeatureError`` if no source has the feature, or if a variable is missing or has another type.
    public func feature<Value: Decodable>(
        _ feature: String, as type: Value.Type = Value.self, for context: FeatureContext? = nil
    ) throws(FeatureError) -> Value {
        try evaluate(for: context) { evaluator throws(FeatureError) in try evaluator.feature(feature, as: type) }
    }

    /// Reads a whole feature as JSON values.
    /// - Parameters:
    ///   - feature: The feature's name.
    ///   - context: The context of rules and experiments; nil, the default, uses that of ``TrackingContext/current``.
    /// - Returns: The values in effect; nil if no source has the feature.
    public func values(of feature: String, for context: FeatureContext? = nil) -> FeatureValues? {
        evaluate(for: context) { $0.values(of: feature) }
    }

    /// Explains whether a feature is enabled: each source, rule and experiment with its verdict and the reason. Records
    /// no exposure and stores nothing.
    /// - Parameters:
    ///   - feature: The feature's name.
    ///   - context: The context of rules and experiments; nil, the default, uses that of ``TrackingContext/current``.
    /// - Returns: The explanation, with the same result as ``detail(_:default:for:)``.
    public func explain(_ feature: String, for context: FeatureContext? = nil) -> FeatureExplanation {
        evaluate(for: context, records: false) { $0.explanation(of: .enabled(feature), as: Bool.self) }
    }

    /// Explains a variable: each source, rule and experiment with its verdict and the reason. Records no exposure and
    /// stores nothing.
    /// - Parameters:
    ///   - feature: The feature's name.
    ///   - variable: The variable's name.
    ///   - type: The requested type; any JSON value by default.
    ///   - context: The context of rules and experiments; nil, the default, uses that of ``TrackingContext/current``.
    /// - Returns: The explanation, with the same result as ``detail(_:variable:default:for:)``.
    public func explain<Value: Decodable>(
        _ feature: String, variable: String, as type: Value.Type = JSONValue.self, for context: FeatureContext? = nil
    ) -> FeatureExplanation {
        let key = FeatureKey.variable(VariableKey(feature, variable))
        return evaluate(for: context, records: false) { $0.explanation(of: key, as: type) }
    }
}
