/// The error of an event or an entity that cannot be created: its schema or the tracker protocol does not accept a
/// value.
///
/// Lengths are counted in Unicode code points, as in JSON Schema.
public struct EventError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The kind of error.
    public let code: NamedCode<EventError>

    /// The name of the type that could not be created, such as `PagePing` or `Ecommerce.Product`.
    public let type: String

    /// The name of the parameter, with the place in it if it is a list or an object (`domainsApplied[1]`,
    /// `data.items[2].price`).
    public let place: String

    /// The reason, without type and place.
    public let reason: String

    /// The error that led to this one; nil if there is none. Comparisons of errors ignore it.
    public var cause: (any Error)? { underlying.error }

    private let underlying: ErrorCause

    /// Creates an error.
    /// - Parameters:
    ///   - code: The kind of error.
    ///   - type: The name of the type of the event or entity.
    ///   - place: The name of the parameter.
    ///   - reason: The reason, without type and place.
    ///   - cause: The error that led to this one; nil by default.
    public init(_ code: NamedCode<EventError>, type: String, place: String, reason: String, cause: (any Error)? = nil) {
        self.code = code
        self.type = type
        self.place = place
        self.reason = reason
        underlying = ErrorCause(cause)
    }

    /// The type, the place and the reason as one sentence.
    public var description: String { "\(type): \(place): \(reason)" }
}

/// The kinds of error.
extension NamedCode<EventError> {
    /// A text is too long or too short.
    public static var wrongLength: Self { Self(rawValue: "wrongLength") }

    /// A list is empty that must not be empty.
    public static var empty: Self { Self(rawValue: "empty") }

    /// A number or a date is out of range.
    public static var outOfRange: Self { Self(rawValue: "outOfRange") }

    /// A number is infinite or not a number.
    public static var notFinite: Self { Self(rawValue: "notFinite") }

    /// An amount of money has more than two decimals.
    public static var tooPrecise: Self { Self(rawValue: "tooPrecise") }

    /// A value cannot be encoded as a JSON object.
    public static var notEncodable: Self { Self(rawValue: "notEncodable") }

    /// A text is not an absolute URI (RFC 3986).
    public static var malformedURI: Self { Self(rawValue: "malformedURI") }
}
