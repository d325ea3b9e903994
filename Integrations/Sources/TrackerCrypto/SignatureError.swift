/// Why a document is not trusted.
public struct SignatureError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The kind of failure.
    public enum Code: String, Sendable, Hashable {
        /// The answer has no signature.
        case missing
        /// The signature is no Base64.
        case malformed
        /// The signature is not of these bytes, or not of a key that is trusted.
        case wrong
    }

    /// The kind of failure.
    public let code: Code

    /// The header that was read.
    public let header: String

    /// What is wrong, as a sentence.
    public var description: String {
        switch code {
        case .missing: "the answer has no header '\(header)' with a signature"
        case .malformed: "the signature in the header '\(header)' is not Base64"
        case .wrong: "the signature in the header '\(header)' is wrong"
        }
    }
}
