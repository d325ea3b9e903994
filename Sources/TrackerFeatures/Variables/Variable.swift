/// A variable as a handle for hot paths, and as a property wrapper. A read costs only a check for changes.
///
/// The first read after a change takes no lock and releases nothing; it decodes the value again only if the variable itself
/// has changed.
///
/// ```swift
/// struct Checkout {
///     @Variable var retryLimit: Int
///
///     init(_ features: Features) {
///         _retryLimit = Variable(features, "checkout", variable: "retryLimit", default: 3)
///     }
/// }
/// ```
///
/// A read evaluates experiments for the context that is bound to the task (``TrackingContext``), and skips them if there is
/// none; ``evaluated(in:)`` gives the variable for one context. `$retryLimit.setOverride(5)` sets an override for the whole
/// process, see ``FeatureOverrides``.
@propertyWrapper
public struct Variable<Value: Decodable & Sendable>: Sendable {
    private let handle: VariableHandle<Value>
    /// The context to read for; nil takes the one that is bound to the task.
    private var scope: TrackingContext?

    /// Creates a variable.
    /// - Parameters:
    ///   - features: The features to read.
    ///   - feature: The feature's name.
    ///   - variable: The variable's name.
    ///   - default: The value if no source has the variable, or if its value cannot be read as this type.
    public init(_ features: Features, _ feature: String, variable: String, default: Value) {
        handle = VariableHandle(features, VariableKey(feature, variable), default: `default`)
    }

    /// The value.
    public var wrappedValue: Value { handle.value(in: scope) }

    /// The value, if this is not used as a property wrapper.
    public var value: Value { wrappedValue }

    /// The variable itself.
    public var projectedValue: Variable { self }

    /// Reads the variable for one context.
    /// - Parameter context: The context in which experiments are evaluated.
    /// - Returns: The value.
    public func value(for context: FeatureContext) -> Value {
        handle.value(in: TrackingContext(evaluation: context))
    }

    /// Returns the variable for one context, whatever is bound to the task.
    /// - Parameter context: The context, of which only ``TrackingContext/evaluation`` is used.
    /// - Returns: The variable.
    public func evaluated(in context: TrackingContext) -> Variable {
        var variable = self
        variable.scope = context
        return variable
    }

    /// Overrides the variable, and writes the file of overrides if there is one.
    /// - Parameters:
    ///   - value: The value; a null removes the override.
    ///   - details: The author, the reason and the expiry; none by default.
    /// - Throws: ``FeatureError`` if the value cannot be written as JSON, if the expiry is not in the future, or if the
    ///   file cannot be written.
    public func setOverride(
        _ value: Value, details: OverrideDetails = OverrideDetails()
    ) throws(FeatureError) where Value: Encodable {
        try handle.features.overrides.set(
            value, for: handle.key.feature, variable: handle.key.variable, details: details)
    }

    /// Removes the variable's override, so that the next source in precedence applies again.
    /// - Throws: ``FeatureError`` if the file of overrides cannot be written.
    public func removeOverride() throws(FeatureError) {
        try handle.features.overrides.remove(handle.key.feature, variable: handle.key.variable)
    }
}
