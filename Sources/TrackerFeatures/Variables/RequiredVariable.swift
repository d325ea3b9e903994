/// A variable as a property that must have a value: creating it throws if no source has one.
///
/// ```swift
/// @RequiredVariable var host: String
/// _host = try RequiredVariable(features, "search", variable: "host")
/// ```
///
/// If a later document no longer has the variable, or has another type, the property has the value that it was created
/// with. `$host.setOverride("…")` sets an override, see ``FeatureOverrides``.
@propertyWrapper
public struct RequiredVariable<Value: Decodable & Sendable>: Sendable {
    /// The variable itself.
    public private(set) var projectedValue: Variable<Value>

    /// Creates the property's wrapper.
    /// - Parameters:
    ///   - features: The features to read.
    ///   - feature: The feature's name.
    ///   - variable: The variable's name.
    /// - Throws: ``FeatureError`` if no source has the variable, or if its value cannot be read as this type.
    public init(_ features: Features, _ feature: String, variable: String) throws(FeatureError) {
        let first: Value = try features.require(feature, variable: variable)
        projectedValue = Variable(features, feature, variable: variable, default: first)
    }

    /// The value.
    public var wrappedValue: Value { projectedValue.value }

    /// Returns the property for one context, whatever is bound to the task; see ``Variable/evaluated(in:)``.
    /// - Parameter context: The context, of which only ``TrackingContext/evaluation`` is used.
    /// - Returns: The property.
    public func evaluated(in context: TrackingContext) -> RequiredVariable {
        var property = self
        property.projectedValue = projectedValue.evaluated(in: context)
        return property
    }
}
