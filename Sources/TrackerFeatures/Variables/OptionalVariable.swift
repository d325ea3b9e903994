/// A variable as a property that is nil if no source has the variable, or if its value cannot be read as this type.
///
/// ```swift
/// @OptionalVariable var apiKey: String?
/// _apiKey = OptionalVariable(features, "checkout", "apiKey")
/// ```
///
/// Setting it sets an override, see ``FeatureOverrides``; setting nil removes the override.
@propertyWrapper
public struct OptionalVariable<Value: Codable & Sendable>: Sendable {
    private let variable: Variable<Value?>
    private let features: Features
    private let key: VariableKey

    /// Creates the property's wrapper.
    /// - Parameters:
    ///   - features: The features to read.
    ///   - feature: The feature's name.
    ///   - variable: The variable's name.
    public init(_ features: Features, _ feature: String, _ variable: String) {
        self.variable = Variable(features, feature, variable: variable, default: nil)
        self.features = features
        key = VariableKey(feature, variable)
    }

    /// The value.
    public var wrappedValue: Value? {
        get { variable.value }
        nonmutating set { features.set(newValue, for: key) }
    }
}
