/// Why a variable or a feature could not be read as asked.
public struct FeatureError: Error, Sendable, Hashable {
    /// The kind of failure; later versions may have more.
    public typealias Code = NamedCode<FeatureError>

    /// The kind of failure.
    public let code: Code

    /// What was read: `checkout.retryLimit`, with the path into the value if there is one.
    public let place: String

    /// What is wrong, as a sentence; never with a secret in it.
    public let reason: String

    /// The type that was asked for and the one that was found, in words; nil if the types are not the reason.
    public let mismatch: TypeMismatch?

    /// The error that led to this one, if there is one. It does not count when errors are compared.
    public var cause: (any Error)? { underlying.error }

    private let underlying: ErrorCause

    /// Creates an error.
    /// - Parameters:
    ///   - code: The kind of failure.
    ///   - place: What was read.
    ///   - reason: What is wrong, as a sentence without a secret.
    ///   - mismatch: The type that was asked for and the one that was found.
    ///   - cause: The error that led to this one.
    public init(
        _ code: Code, place: String, reason: String, mismatch: TypeMismatch? = nil, cause: (any Error)? = nil
    ) {
        (self.code, self.place, self.reason, self.mismatch) = (code, place, reason, mismatch)
        underlying = ErrorCause(cause)
    }

    init(mismatch: TypeMismatch, place: String) {
        let reason = "expected \(mismatch.expected), found \(mismatch.found)"
        self.init(.wrongType, place: place, reason: reason, mismatch: mismatch)
    }

    /// The type that was asked for and the one that was found, in words such as `an integer`.
    public struct TypeMismatch: Sendable, Hashable {
        /// The type that was asked for.
        public let expected: String

        /// The type that was found.
        public let found: String

        /// Creates a mismatch.
        /// - Parameters:
        ///   - expected: The type that was asked for.
        ///   - found: The type that was found.
        public init(expected: String, found: String) {
            self.expected = expected
            self.found = found
        }
    }
}

/// The kinds of error.
extension NamedCode<FeatureError> {
    /// No document, default, provider or override has a value for it.
    public static var notFound: Self { Self(rawValue: "notFound") }

    /// It has another type than asked for.
    public static var wrongType: Self { Self(rawValue: "wrongType") }

    /// Too many prerequisites led from feature to feature: more than ten one after another, or 1,000 in one read.
    public static var prerequisiteLimit: Self { Self(rawValue: "prerequisiteLimit") }

    /// It is encrypted, and there is no closure to decrypt it with.
    public static var encrypted: Self { Self(rawValue: "encrypted") }

    /// The closure could not decrypt it.
    public static var decryptionFailed: Self { Self(rawValue: "decryptionFailed") }

    /// An override cannot be written as JSON.
    public static var notEncodable: Self { Self(rawValue: "notEncodable") }

    /// An override is in effect but could not be written to its file; in a forked child it is not in effect either.
    public static var notKept: Self { Self(rawValue: "notKept") }

    /// An override's expiry is not later than now.
    public static var invalidExpiry: Self { Self(rawValue: "invalidExpiry") }

    /// A `Decodable` refused it.
    public static var notDecodable: Self { Self(rawValue: "notDecodable") }
}

extension FeatureError: CustomStringConvertible {
    /// Place and reason on one line.
    public var description: String { "\(place): \(reason)" }
}
