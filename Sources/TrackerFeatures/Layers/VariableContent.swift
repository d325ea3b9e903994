/// A variable's value as a layer has it.
package struct VariableContent: Sendable, Hashable {
    /// The value; the ciphertext if the variable is encrypted.
    package let value: JSONValue

    /// Whether the value is a ciphertext.
    package let isEncrypted: Bool
}
