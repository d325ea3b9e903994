/// Why a configuration cannot be used, from a document or from code.
public struct ConfigurationError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The kind of fault; later versions may have more.
    public typealias Code = NamedCode<ConfigurationError>

    /// The kind of fault.
    public let code: Code

    /// Where it is, as a path of keys (`configurationBundle[1].networkConfiguration.endpoint`); empty for the whole.
    public let place: String

    /// What is wrong, without the place.
    public let reason: String

    /// Where in the document's text, if it came from one.
    public let position: TextPosition?

    /// The version of the document, if it came from one and that much of it could be read.
    public var version: Int?

    /// The error that led to this one, if there is one. It does not count when errors are compared.
    public var cause: (any Error)? { underlying.error }

    private let underlying: ErrorCause

    /// Creates an error.
    /// - Parameters:
    ///   - code: The kind of fault.
    ///   - place: Where it is, as a path of keys; empty for the whole.
    ///   - reason: What is wrong, without the place.
    ///   - position: Where in the document's text.
    ///   - cause: The error that led to this one.
    public init(
        _ code: Code, place: String, reason: String, position: TextPosition? = nil, cause: (any Error)? = nil
    ) {
        self.code = code
        self.place = place
        self.reason = reason
        self.position = position
        underlying = ErrorCause(cause)
    }

    /// The place, the reason and the position as one sentence.
    public var description: String {
        (place.isEmpty ? "" : "\(place): ") + reason + (position.map { " (\($0))" } ?? "")
    }
}

/// The kinds of error.
extension NamedCode<ConfigurationError> {
    /// The text is not JSON, or JSON that a strict reader refuses.
    public static var malformed: Self { Self(rawValue: "malformed") }

    /// The document has a schema that this version does not read.
    public static var unsupportedSchema: Self { Self(rawValue: "unsupportedSchema") }

    /// A required key is missing.
    public static var missingValue: Self { Self(rawValue: "missingValue") }

    /// A value has the wrong JSON type.
    public static var wrongType: Self { Self(rawValue: "wrongType") }

    /// A value is outside what can be accepted.
    public static var outOfRange: Self { Self(rawValue: "outOfRange") }

    /// A URL that nothing can be sent to or fetched from.
    public static var unusableURL: Self { Self(rawValue: "unusableURL") }

    /// A collector that a document may not name.
    public static var forbiddenCollector: Self { Self(rawValue: "forbiddenCollector") }

    /// Two bundles have one namespace.
    public static var duplicateNamespace: Self { Self(rawValue: "duplicateNamespace") }

    /// Two experiments have one id, or two variants of an experiment one name.
    public static var duplicateName: Self { Self(rawValue: "duplicateName") }

    /// A rule or an experiment has a key that this version does not know.
    public static var unknownKey: Self { Self(rawValue: "unknownKey") }

    /// The document requires something that this version does not have.
    public static var unmetRequirement: Self { Self(rawValue: "unmetRequirement") }

    /// The document's signature or the like is wrong.
    public static var unverified: Self { Self(rawValue: "unverified") }

    /// There is no field of that name.
    public static var unknownField: Self { Self(rawValue: "unknownField") }
}
