/// A variable as a property that is nil if no source has the variable, or if its value cannot be read as this type.
///
/// ```swift
/// @OptionalVariable var apiKey: String?
/// _apiKey = OptionalVariable(features, "checkout", variable: "apiKey")
/// ```
///
/// `$apiKey.setOverride("…")` sets an override, see ``FeatureOverrides``.
@propertyWrapper
public struct OptionalVariable<Value: Decodable & Sendable>: Sendable {
    /// The variable itself.
    public private(set) var projectedValue: Variable<Value?>

    /// Creates the property's wrapper.
    /// - Parameters:
    ///   - features: The features to read.
    ///   - feature: The feature's name.
    ///   - variable: The variable's name.
    public init(_ features: Features, _ feature: String, variable: String) {
        projectedValue = Variable(features, feature, variable: variable, default: nil)
    }

    /// The value.
    public var wrappedValue: Value? { projectedValue.value }

    /// Returns the property for one context, whatever is bound to the task; see ``Variable/evaluated(in:)``.
    /// - Parameter context: The context, of which only ``TrackingContext/evaluation`` is used.
    /// - Returns: The property.
    public func evaluated(in context: TrackingContext) -> OptionalVariable {
        var property = self
        property.projectedValue = projectedValue.evaluated(in: context)
        return property
    }
}
