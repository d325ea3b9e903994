/// What can be read of features: of ``Features`` as they are at each read, or of one ``FeatureSnapshot``.
///
/// ```swift
/// if setup.features.isEnabled("checkout") {
///     let limit = setup.features.value("checkout", "retryLimit", default: 3)
/// }
/// let checkout = try setup.features.feature("checkout", as: Checkout.self)
/// ```
///
/// The first that has a variable gives its value: an override, the service's own providers in their order, an experiment
/// (where a context is given), the remote document, the default document, the caller.
public protocol FeatureReading: Sendable {
    /// All that can be read, at one moment.
    var snapshot: FeatureSnapshot { get }
}

extension FeatureReading {
    /// All features that somebody names, sorted.
    public var names: [String] { snapshot.layers.names }

    /// Whether a feature is on: what the highest provider with an opinion says.
    /// - Parameters:
    ///   - feature: The feature's name.
    ///   - default: What is answered where nobody has an opinion; built in: false.
    /// - Returns: Whether it is on.
    public func isEnabled(_ feature: String, default: Bool = false) -> Bool {
        snapshot.layers.isEnabled(feature) ?? `default`
    }

    /// Reads a variable; never traps.
    /// - Parameters:
    ///   - feature: The feature's name.
    ///   - variable: The variable's name.
    ///   - default: What is answered where nobody has the variable, or where it cannot be read as this type; the latter
    ///     is logged once for each variable.
    ///   - context: For whom it is read; nil, which is built in, skips experiments.
    /// - Returns: The value.
    public func value<Value: VariableValue>(
        _ feature: String, _ variable: String, default: Value, for context: EvaluationContext? = nil
    ) -> Value {
        let key = VariableKey(feature, variable)
        let snapshot = snapshot
        return snapshot.reader.value(key, in: snapshot.layers, for: context, default: `default`) {
            Value(variable: $0)
        }
    }

    /// Reads a variable as any `Decodable`; never traps.
    /// - Parameters:
    ///   - feature: The feature's name.
    ///   - variable: The variable's name.
    ///   - default: What is answered where nobody has the variable, or where it cannot be read as this type; the latter
    ///     is logged once for each variable.
    ///   - context: For whom it is read; nil, which is built in, skips experiments.
    /// - Returns: The value.
    public func value<Value: Decodable>(
        _ feature: String, _ variable: String, default: Value, for context: EvaluationContext? = nil
    ) -> Value {
        reading(feature, variable, default: `default`, for: context).value
    }

    /// Reads a variable and says where its value comes from.
    /// - Parameters:
    ///   - feature: The feature's name.
    ///   - variable: The variable's name.
    ///   - default: What is answered where nobody has the variable, or where it cannot be read as this type.
    ///   - context: For whom it is read; nil, which is built in, skips experiments.
    /// - Returns: The value with its source, and the error where there is one.
    public func reading<Value: Decodable>(
        _ feature: String, _ variable: String, default: Value, for context: EvaluationContext? = nil
    ) -> VariableReading<Value> {
        let key = VariableKey(feature, variable)
        let snapshot = snapshot
        return snapshot.reader.reading(key, in: snapshot.layers, for: context, default: `default`)
    }

    /// Reads a variable that must be there.
    /// - Parameters:
    ///   - feature: The feature's name.
    ///   - variable: The variable's name.
    ///   - type: The type that it is read as.
    ///   - context: For whom it is read; nil, which is built in, skips experiments.
    /// - Returns: The value.
    /// - Throws: Where nobody has the variable, or where it cannot be read as this type.
    public func require<Value: Decodable>(
        _ feature: String, _ variable: String, as type: Value.Type = Value.self, for context: EvaluationContext? = nil
    ) throws(FeatureError) -> Value {
        let snapshot = snapshot
        return try snapshot.reader.require(VariableKey(feature, variable), in: snapshot.layers, for: context).value
    }

    /// Reads a whole feature: a type with a property for each variable that it wants.
    /// - Parameters:
    ///   - feature: The feature's name.
    ///   - type: The type.
    ///   - context: For whom it is read; nil, which is built in, skips experiments.
    /// - Returns: The value.
    /// - Throws: Where nobody has the feature, or a variable is missing or of another type.
    public func feature<Value: Decodable>(
        _ feature: String, as type: Value.Type = Value.self, for context: EvaluationContext? = nil
    ) throws(FeatureError) -> Value {
        let snapshot = snapshot
        return try snapshot.reader.feature(feature, as: type, in: snapshot.layers, for: context)
    }

    /// Reads a whole feature as it is.
    /// - Parameters:
    ///   - feature: The feature's name.
    ///   - context: For whom it is read; nil, which is built in, skips experiments.
    /// - Returns: What is in effect; nil where nobody names the feature.
    public func values(of feature: String, for context: EvaluationContext? = nil) -> FeatureValues? {
        let snapshot = snapshot
        return snapshot.reader.values(of: feature, in: snapshot.layers, for: context)
    }

    /// Explains a variable, without telling anybody that an experiment decided it.
    /// - Parameters:
    ///   - feature: The feature's name.
    ///   - variable: The variable's name.
    ///   - context: For whom it is explained; nil, which is built in, skips experiments.
    /// - Returns: What is in effect, and what it won over; nil where nobody has the variable.
    public func explain(
        _ feature: String, _ variable: String, for context: EvaluationContext? = nil
    ) -> VariableExplanation? {
        let snapshot = snapshot
        return snapshot.reader.explain(VariableKey(feature, variable), in: snapshot.layers, for: context)
    }
}
