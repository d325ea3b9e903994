/// Why a variable or a feature could not be read as asked.
public struct FeatureError: Error, Sendable, Hashable {
    /// The kind of failure.
    public enum Code: Sendable, Hashable {
        /// Nobody says anything of it.
        case notFound
        /// It has another type than asked for.
        case wrongType(expected: String, found: String)
        /// It is encrypted, and there is no closure to decrypt it with.
        case encrypted
        /// The closure could not decrypt it.
        case decryptionFailed
        /// An override cannot be written as JSON.
        case notEncodable
        /// An override is in effect but could not be written to its file; in a forked child it is not in effect either.
        case notKept
        /// A `Decodable` refused it.
        case notDecodable
    }

    /// The kind of failure.
    public let code: Code

    /// What was read: `checkout.retryLimit`, with the path into the value where there is one.
    public let place: String

    /// What is wrong, as a sentence; never with a secret in it.
    public let reason: String

    init(_ code: Code, place: String, reason: String) {
        self.code = code
        self.place = place
        self.reason = reason
    }
}

extension FeatureError: CustomStringConvertible {
    /// Place and reason on one line.
    public var description: String { "\(place): \(reason)" }
}
