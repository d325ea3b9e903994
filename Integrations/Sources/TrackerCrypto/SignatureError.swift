/// The error of a document that is not trusted.
public struct SignatureError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The kind of failure.
    public enum Code: String, Sendable, Hashable {
        /// The response has no signature.
        case missing
        /// The signature is not Base64.
        case malformed
        /// The signature does not belong to these bytes, or its key is not trusted.
        case wrong
    }

    /// The kind of failure.
    public let code: Code

    /// The name of the signature's header.
    public let header: String

    /// The reason, as a sentence.
    public var description: String {
        switch code {
        case .missing: "the answer has no header '\(header)' with a signature"
        case .malformed: "the signature in the header '\(header)' is not Base64"
        case .wrong: "the signature in the header '\(header)' is wrong"
        }
    }
}
