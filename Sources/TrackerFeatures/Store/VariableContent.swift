/// A variable's value as a layer has it.
package struct VariableContent: Sendable, Hashable {
    /// The value; the ciphertext if the variable is encrypted.
    package let value: JSONValue

    /// Whether the value is a ciphertext.
    package let isEncrypted: Bool

    /// Notes that the value was read; nil if it belongs to no layer.
    let mark: UsageMarks.Mark?

    init(value: JSONValue, isEncrypted: Bool, mark: UsageMarks.Mark? = nil) {
        self.value = value
        self.isEncrypted = isEncrypted
        self.mark = mark
    }
}

/// Whether a feature is enabled as a layer has it.
struct EnabledContent: Sendable {
    let value: Bool

    /// Notes that the value was read.
    let mark: UsageMarks.Mark
}
