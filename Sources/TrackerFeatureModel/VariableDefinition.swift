/// A variable of a feature: its value and its description.
public struct VariableDefinition: Sendable, Hashable {
    /// The variable's key in its feature's `variables`.
    public let name: String

    /// The value, of any JSON type but null; a string if ``isEncrypted`` is true.
    public let value: JSONValue

    /// The title of the variable in the console; nil by default.
    public let title: String?

    /// The purpose of the variable; nil by default.
    public let description: String?

    /// The heading under which the console lists the variable; nil by default.
    public let group: String?

    /// Whether ``value`` is a ciphertext, which is decrypted before it is read; false by default.
    public let isEncrypted: Bool

    /// The name of the variable's property in generated accessors; nil, the default, derives it from ``name``.
    public let generatedName: String?

    /// Defines a variable.
    /// - Parameters:
    ///   - name: Its name.
    ///   - value: Its value; null means the same as a missing value.
    ///   - title: Its title in the console.
    ///   - description: The purpose of the variable.
    ///   - group: The heading under which the console lists it.
    ///   - isEncrypted: Whether the value is a ciphertext, which is a string.
    ///   - generatedName: The name of its property in generated accessors.
    public init(
        name: String, value: JSONValue, title: String? = nil, description: String? = nil, group: String? = nil,
        isEncrypted: Bool = false, generatedName: String? = nil
    ) {
        self.name = name
        self.value = value
        self.title = title
        self.description = description
        self.group = group
        self.isEncrypted = isEncrypted
        self.generatedName = generatedName
    }
}
