/// A closure that decrypts the value of an encrypted variable. It is called on the thread that reads, outside all
/// locks, at each read by name and once for each change by a ``Variable``. The reader gets the error that it throws,
/// and the error is logged, so keep secrets out of it.
package typealias Decryptor = @Sendable (EncryptedVariable) throws -> JSONValue

/// A variable whose value is a ciphertext.
public struct EncryptedVariable: Sendable, Hashable {
    /// The feature's name.
    public let feature: String

    /// The variable's name.
    public let variable: String

    /// The ciphertext in the document.
    public let ciphertext: String

    /// Creates a variable, for example to test a closure that decrypts.
    /// - Parameters:
    ///   - feature: The feature's name.
    ///   - variable: The variable's name.
    ///   - ciphertext: The ciphertext in the document.
    public init(feature: String, variable: String, ciphertext: String) {
        self.feature = feature
        self.variable = variable
        self.ciphertext = ciphertext
    }
}
