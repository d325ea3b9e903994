/// A variable as a property that must have a value: creating it throws if no source has one.
///
/// ```swift
/// @RequiredVariable var host: String
/// _host = try RequiredVariable(features, "search", "host")
/// ```
///
/// If a later document no longer has the variable, or has another type, the property has the value that it was created
/// with. Setting it sets an override, see ``FeatureOverrides``.
@propertyWrapper
public struct RequiredVariable<Value: Codable & Sendable>: Sendable {
    private let variable: Variable<Value>

    /// Creates the property's wrapper.
    /// - Parameters:
    ///   - features: The features to read.
    ///   - feature: The feature's name.
    ///   - variable: The variable's name.
    /// - Throws: ``FeatureError`` if no source has the variable, or if its value cannot be read as this type.
    public init(_ features: Features, _ feature: String, _ variable: String) throws(FeatureError) {
        let first: Value = try features.require(feature, variable: variable)
        self.variable = Variable(features, feature, variable: variable, default: first)
    }

    /// The value.
    public var wrappedValue: Value {
        get { variable.value }
        nonmutating set { variable.wrappedValue = newValue }
    }
}
