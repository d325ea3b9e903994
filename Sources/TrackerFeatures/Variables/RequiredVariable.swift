/// A variable as a property that somebody must give a value: making it throws where nobody does.
///
/// ```swift
/// @RequiredVariable var host: String
/// _host = try RequiredVariable(features, "search", "host")
/// ```
///
/// Where a later document no longer has the variable, or has another type, the value that it had when this was made is
/// taken again. Setting it sets an override, see ``FeatureOverrides``.
@propertyWrapper
public struct RequiredVariable<Value: Codable & Sendable>: Sendable {
    private let variable: Variable<Value>

    /// Takes a variable at hand.
    /// - Parameters:
    ///   - features: Where it is read from.
    ///   - feature: The feature's name.
    ///   - variable: The variable's name.
    /// - Throws: Where nobody has the variable, or where it cannot be read as this type.
    public init(_ features: Features, _ feature: String, _ variable: String) throws(FeatureError) {
        let first: Value = try features.require(feature, variable)
        self.variable = Variable(features, feature, variable, default: first)
    }

    /// The value.
    public var wrappedValue: Value {
        get { variable.value }
        nonmutating set { variable.wrappedValue = newValue }
    }
}
