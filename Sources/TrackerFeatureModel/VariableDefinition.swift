/// A variable of a feature: a value, and its description for people.
public struct VariableDefinition: Sendable, Hashable {
    /// The variable's key in its feature's `variables`.
    public let name: String

    /// The value, of any JSON type but null; a string where ``isEncrypted``.
    public let value: JSONValue

    /// What a console calls the variable; nil by default.
    public let title: String?

    /// What the variable is for, in words; nil by default.
    public let description: String?

    /// The heading under which a console lists the variable; nil by default.
    public let group: String?

    /// Whether ``value`` is a ciphertext, to be decrypted before it is read; false by default.
    public let isEncrypted: Bool

    /// The Swift name of the variable's property among generated accessors; nil by default, and then made of ``name``.
    public let generatedName: String?

    /// Defines a variable.
    /// - Parameters:
    ///   - name: Its name.
    ///   - value: Its value; null is as if it were not there.
    ///   - title: What a console calls it.
    ///   - description: What it is for, in words.
    ///   - group: The heading under which a console lists it.
    ///   - isEncrypted: Whether the value is a ciphertext; then a string.
    ///   - generatedName: The Swift name of its property among generated accessors.
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
