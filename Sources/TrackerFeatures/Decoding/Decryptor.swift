/// Makes the value of an encrypted variable. Called on the thread that reads, outside all locks, at each read by name and
/// once for each change by a ``Variable``; what it throws is the reader's error and is logged, so keep secrets out of it.
public typealias Decryptor = @Sendable (EncryptedVariable) throws -> JSONValue

/// A variable whose value is a ciphertext.
public struct EncryptedVariable: Sendable, Hashable {
    /// The feature's name.
    public let feature: String

    /// The variable's name.
    public let variable: String

    /// The ciphertext, as the document has it.
    public let ciphertext: String
}
