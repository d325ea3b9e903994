/// The reads of ``Features``, which see each change at once, and of one ``FeatureSnapshot``.
///
/// Your own wrapper can conform too, by returning the snapshot of the features that it wraps.
///
/// ```swift
/// if setup.features.isEnabled("checkout") {
///     let limit = setup.features.value("checkout", variable: "retryLimit", default: 3)
/// }
/// let checkout = try setup.features.feature("checkout", as: Checkout.self)
/// ```
///
/// A value comes from the first source that has one of the type that is asked for: an override, the service's own providers
/// in their order, the remote document, the default document, the caller's default. Within a source, the rules of the feature
/// come first, then experiments (if there is a context), then the value for all contexts.
///
/// Each read takes a ``FeatureContext``; nil, the default, takes that of ``TrackingContext/current``. Without any, experiments
/// are skipped, and only rules match that ask nothing of the context.
public protocol FeatureReading: Sendable {
    /// All features at this moment.
    var snapshot: FeatureSnapshot { get }
}

extension FeatureReading {
    /// The names of all features, sorted.
    public var names: [String] { snapshot.layers.names }

    /// Returns whether a feature is enabled, by the highest source in precedence that defines it.
    /// - Parameters:
    ///   - feature: The feature's name.
    ///   - default: The result if no source defines it; false by default.
    ///   - context: The context for rules and experiments; nil, the default, takes that of ``TrackingContext/current``.
    /// - Returns: Whether the feature is enabled.
    public func isEnabled(_ feature: String, default: Bool = false, for context: FeatureContext? = nil) -> Bool {
        let snapshot = snapshot
        return snapshot.reader.isEnabled(feature, snapshot.request(for: context)) ?? `default`
    }

    /// Returns whether a feature is enabled, with the source and the reason.
    /// - Parameters:
    ///   - feature: The feature's name.
    ///   - default: The value if no source defines it; false by default.
    ///   - context: The context for rules and experiments; nil, the default, takes that of ``TrackingContext/current``.
    /// - Returns: The value with its source and reason.
    public func detail(
        _ feature: String, default: Bool = false, for context: FeatureContext? = nil
    ) -> EvaluationDetail<Bool> {
        let snapshot = snapshot
        return snapshot.reader.detail(.enabled(feature), snapshot.request(for: context), default: `default`)
    }

    /// Reads a variable as any `Decodable`; never traps.
    ///
    /// Conversions without loss are made: 3 can be read as `Double`, 3.0 as `Int`, and the strings `"45"` and `"true"`,
    /// as in environment variables, as a number or a `Bool`. `true` and 10.3 cannot be read as `Int`, nor a number as
    /// `String`.
    /// - Parameters:
    ///   - feature: The feature's name.
    ///   - variable: The variable's name.
    ///   - default: The result if no source has the variable, or if its value cannot be read as this type; the latter is
    ///     logged once for each variable.
    ///   - context: The context for rules and experiments; nil, the default, takes that of ``TrackingContext/current``.
    /// - Returns: The value.
    public func value<Value: Decodable>(
        _ feature: String, variable: String, default: Value, for context: FeatureContext? = nil
    ) -> Value {
        let snapshot = snapshot
        return snapshot.reader.value(
            VariableKey(feature, variable), snapshot.request(for: context), default: `default`)
    }

    /// Reads a variable together with the source of its value.
    /// - Parameters:
    ///   - feature: The feature's name.
    ///   - variable: The variable's name.
    ///   - default: The result if no source has the variable, or if its value cannot be read as this type.
    ///   - context: The context for rules and experiments; nil, the default, takes that of ``TrackingContext/current``.
    /// - Returns: The value with its source, and the error if there is one.
    public func detail<Value: Decodable>(
        _ feature: String, variable: String, default: Value, for context: FeatureContext? = nil
    ) -> EvaluationDetail<Value> {
        let snapshot = snapshot
        return snapshot.reader.detail(
            .variable(VariableKey(feature, variable)), snapshot.request(for: context), default: `default`)
    }

    /// Reads a variable without a default.
    /// - Parameters:
    ///   - feature: The feature's name.
    ///   - variable: The variable's name.
    ///   - type: The type that the variable is read as.
    ///   - context: The context for rules and experiments; nil, the default, takes that of ``TrackingContext/current``.
    /// - Returns: The value.
    /// - Throws: ``FeatureError`` if no source has the variable, or if its value cannot be read as this type.
    public func require<Value: Decodable>(
        _ feature: String, variable: String, as type: Value.Type = Value.self, for context: FeatureContext? = nil
    ) throws(FeatureError) -> Value {
        let snapshot = snapshot
        return try snapshot.reader.require(VariableKey(feature, variable), snapshot.request(for: context))
    }

    /// Reads a whole feature as a type with a property for each variable.
    /// - Parameters:
    ///   - feature: The feature's name.
    ///   - type: The type.
    ///   - context: The context for rules and experiments; nil, the default, takes that of ``TrackingContext/current``.
    /// - Returns: The value.
    /// - Throws: ``FeatureError`` if no source has the feature, or if a variable is missing or of another type.
    public func feature<Value: Decodable>(
        _ feature: String, as type: Value.Type = Value.self, for context: FeatureContext? = nil
    ) throws(FeatureError) -> Value {
        let snapshot = snapshot
        return try snapshot.reader.feature(feature, as: type, snapshot.request(for: context))
    }

    /// Reads a whole feature as JSON values.
    /// - Parameters:
    ///   - feature: The feature's name.
    ///   - context: The context for rules and experiments; nil, the default, takes that of ``TrackingContext/current``.
    /// - Returns: The values in effect; nil if no source has the feature.
    public func values(of feature: String, for context: FeatureContext? = nil) -> FeatureValues? {
        let snapshot = snapshot
        return snapshot.reader.values(of: feature, snapshot.request(for: context))
    }

    /// Explains whether a feature is enabled: each source, rule and experiment with its verdict and the reason. Records no
    /// exposure and stores nothing.
    /// - Parameters:
    ///   - feature: The feature's name.
    ///   - context: The context for rules and experiments; nil, the default, takes that of ``TrackingContext/current``.
    /// - Returns: The explanation, which ends as ``detail(_:default:for:)`` does.
    public func explain(_ feature: String, for context: FeatureContext? = nil) -> FeatureExplanation {
        let snapshot = snapshot
        return snapshot.reader.explain(.enabled(feature), as: Bool.self, snapshot.request(for: context))
    }

    /// Explains a variable: each source, rule and experiment with its verdict and the reason. Records no exposure and stores
    /// nothing.
    /// - Parameters:
    ///   - feature: The feature's name.
    ///   - variable: The variable's name.
    ///   - type: The type that the variable is read as; any JSON value by default.
    ///   - context: The context for rules and experiments; nil, the default, takes that of ``TrackingContext/current``.
    /// - Returns: The explanation, which ends as ``detail(_:variable:default:for:)`` does.
    public func explain<Value: Decodable>(
        _ feature: String, variable: String, as type: Value.Type = JSONValue.self, for context: FeatureContext? = nil
    ) -> FeatureExplanation {
        let snapshot = snapshot
        return snapshot.reader.explain(
            .variable(VariableKey(feature, variable)), as: type, snapshot.request(for: context))
    }
}
