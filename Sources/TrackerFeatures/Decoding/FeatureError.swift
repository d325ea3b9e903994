/// The reason why a variable or a feature could not be read.
public struct FeatureError: Error, Sendable, Hashable {
    /// The kind of failure.
    public let code: NamedCode<FeatureError>

    /// The name of the feature or variable that was read, such as `checkout.retryLimit`, followed by the path into the
    /// value if there is one.
    public let place: String

    /// The reason, as a sentence without secrets.
    public let reason: String

    /// The requested type and the actual type; nil if the types are not the reason.
    package let mismatch: TypeMismatch?

    /// The underlying error; nil if there is none. Comparisons of errors ignore it.
    public var cause: (any Error)? { underlying.error }

    private let underlying: ErrorCause

    /// Creates an error.
    /// - Parameters:
    ///   - code: The kind of failure.
    ///   - place: The name of the feature or variable that was read.
    ///   - reason: The reason, as a sentence without secrets.
    ///   - cause: The underlying error; nil by default.
    public init(_ code: NamedCode<FeatureError>, place: String, reason: String, cause: (any Error)? = nil) {
        self.init(code, place: place, reason: reason, mismatch: nil, cause: cause)
    }

    package init(
        _ code: NamedCode<FeatureError>, place: String, reason: String, mismatch: TypeMismatch?,
        cause: (any Error)? = nil
    ) {
        (self.code, self.place, self.reason, self.mismatch) = (code, place, reason, mismatch)
        underlying = ErrorCause(cause)
    }

    init(_ fault: ReadBudget.Fault, place: String) {
        let code: NamedCode<FeatureError> =
            switch fault {
            case .tooManySteps, .nested: .workLimit
            case .unitTooLong: .unitTooLong
            }
        self.init(code, place: place, reason: "\(fault)")
    }

    init(mismatch: TypeMismatch, place: String) {
        let reason = "expected \(mismatch.expected), found \(mismatch.found)"
        self.init(.wrongType, place: place, reason: reason, mismatch: mismatch)
    }

    /// The requested type and the actual type, as phrases such as `an integer`.
    package struct TypeMismatch: Error, Hashable {
        /// The requested type.
        package let expected: String

        /// The actual type.
        package let found: String
    }
}

/// The kinds of error.
extension NamedCode<FeatureError> {
    /// No source has a value.
    public static var notFound: Self { Self(rawValue: "notFound") }

    /// The value's type differs from the requested one.
    public static var wrongType: Self { Self(rawValue: "wrongType") }

    /// Too many nested or repeated prerequisites: more than ten in a chain, or 1,000 in one read.
    public static var prerequisiteLimit: Self { Self(rawValue: "prerequisiteLimit") }

    /// The read would take more than 5,000,000 steps (some 50 ms): too many rules, patterns, hashes or prerequisites
    /// for these attributes. Rules and experiments that were not reached do not apply.
    public static var workLimit: Self { Self(rawValue: "workLimit") }

    /// The id of a unit is longer than 1,024 UTF-8 bytes. Rules and experiments that need the unit do not apply.
    public static var unitTooLong: Self { Self(rawValue: "unitTooLong") }

    /// The value is encrypted, and ``FeatureOptions/decrypt`` is nil.
    public static var encrypted: Self { Self(rawValue: "encrypted") }

    /// Decryption failed.
    public static var decryptionFailed: Self { Self(rawValue: "decryptionFailed") }

    /// An override cannot be written as JSON.
    public static var notEncodable: Self { Self(rawValue: "notEncodable") }

    /// An override is in effect but could not be written to its file.
    public static var notKept: Self { Self(rawValue: "notKept") }

    /// An override's expiry is not in the future.
    public static var invalidExpiry: Self { Self(rawValue: "invalidExpiry") }

    /// There are already 10,000 overrides; nothing is changed.
    public static var tooManyOverrides: Self { Self(rawValue: "tooManyOverrides") }

    /// The overrides of a request have an invalid key or type, or are too many; see
    /// ``FeatureOverrides/forRequest(_:)``.
    public static var invalidOverrides: Self { Self(rawValue: "invalidOverrides") }

    /// A `Decodable` type threw an error.
    public static var notDecodable: Self { Self(rawValue: "notDecodable") }
}

extension FeatureError: CustomStringConvertible {
    /// The place and the reason on one line.
    public var description: String { "\(place): \(reason)" }
}
