/// An error in a configuration from a document or from code, or a warning about a configuration that is used anyway.
public struct ConfigurationError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The kind of error.
    public let code: NamedCode<ConfigurationError>

    /// The place, as a path of keys (`configurationBundle[1].networkConfiguration.endpoint`); empty for the whole
    /// document. If a required key is missing, the place of the object that lacks it.
    public let place: String

    /// The reason, without the place.
    public let reason: String

    package let position: TextPosition?

    /// The line in the document's text, from 1; nil if there is none.
    public var line: Int? { position?.line }

    /// The column in the line, from 1, counted in Unicode scalars; nil if there is none.
    public var column: Int? { position?.column }

    /// The version of the document; nil if there is no document or its version could not be read.
    public var version: Int?

    /// The author from the document's `meta`; nil if it could not be read.
    package var author: String?

    /// The error that led to this one; nil if there is none. Comparisons of errors ignore it.
    public var cause: (any Error)? { underlying.error }

    private let underlying: ErrorCause

    /// Creates an error.
    /// - Parameters:
    ///   - code: The kind of error.
    ///   - place: The place, as a path of keys; empty for the whole document.
    ///   - reason: The reason, without the place.
    ///   - cause: The error that led to this one; nil by default.
    public init(_ code: NamedCode<ConfigurationError>, place: String, reason: String, cause: (any Error)? = nil) {
        self.init(code, place: place, reason: reason, position: nil, cause: cause)
    }

    package init(
        _ code: NamedCode<ConfigurationError>, place: String, reason: String, position: TextPosition?,
        cause: (any Error)? = nil
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

/// Encoded with the keys `place`, `reason`, `line` and `column`.
extension ConfigurationError: Encodable {
    private enum CodingKeys: CodingKey {
        case place, reason, line, column
    }

    /// Encodes the error.
    /// - Parameter encoder: The encoder.
    /// - Throws: The encoder's error.
    public func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: CodingKeys.self)
        try values.encode(place, forKey: .place)
        try values.encode(reason, forKey: .reason)
        try values.encodeIfPresent(line, forKey: .line)
        try values.encodeIfPresent(column, forKey: .column)
    }
}

/// The kinds of error.
extension NamedCode<ConfigurationError> {
    /// The configuration is used in spite of the problem; the reason says how.
    public static var warning: Self { Self(rawValue: "warning") }

    /// The text is not JSON, or the strict reader rejects it.
    public static var malformed: Self { Self(rawValue: "malformed") }

    /// The document has a schema that this version does not support.
    public static var unsupportedSchema: Self { Self(rawValue: "unsupportedSchema") }

    /// A required key is missing.
    public static var missingValue: Self { Self(rawValue: "missingValue") }

    /// A value has the wrong JSON type.
    public static var wrongType: Self { Self(rawValue: "wrongType") }

    /// A value is out of range.
    public static var outOfRange: Self { Self(rawValue: "outOfRange") }

    /// A URL cannot be used.
    public static var unusableURL: Self { Self(rawValue: "unusableURL") }

    /// A collector is not allowed in documents.
    public static var forbiddenCollector: Self { Self(rawValue: "forbiddenCollector") }

    /// Two bundles have the same namespace.
    public static var duplicateNamespace: Self { Self(rawValue: "duplicateNamespace") }

    /// Two experiments have the same id, or two variants of an experiment the same name.
    public static var duplicateName: Self { Self(rawValue: "duplicateName") }

    /// A rule or an experiment has a key that this version does not know.
    public static var unknownKey: Self { Self(rawValue: "unknownKey") }

    /// The document has a requirement that this version does not meet.
    public static var unmetRequirement: Self { Self(rawValue: "unmetRequirement") }

    /// The verification of the document failed, for example because of its signature.
    public static var unverified: Self { Self(rawValue: "unverified") }

    /// There is no field with the name.
    public static var unknownField: Self { Self(rawValue: "unknownField") }
}
