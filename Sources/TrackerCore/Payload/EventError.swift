/// Why an event or an entity cannot be made: a value is outside what its schema, or the tracker protocol, accepts.
///
/// Lengths are counted as JSON Schema counts them, in Unicode code points.
public struct EventError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The kind of fault; later versions may have more.
    public typealias Code = NamedCode<EventError>

    /// The kind of fault.
    public let code: Code

    /// What could not be made, as `PagePing` or `Ecommerce.Product`.
    public let type: String

    /// The name of the parameter, with the place in it if it is a list or an object (`domainsApplied[1]`,
    /// `data.items[2].price`).
    public let place: String

    /// What is wrong, without type and place.
    public let reason: String

    /// The error that led to this one, if there is one. It does not count when errors are compared.
    public var cause: (any Error)? { underlying.error }

    private let underlying: ErrorCause

    /// Creates an error.
    /// - Parameters:
    ///   - code: The kind of fault.
    ///   - type: The name of the type of the event or entity.
    ///   - place: The name of the parameter.
    ///   - reason: What is wrong, without type and place.
    ///   - cause: The error that led to this one.
    public init(_ code: Code, type: String, place: String, reason: String, cause: (any Error)? = nil) {
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
    /// A text is longer or shorter than can be accepted.
    public static var wrongLength: Self { Self(rawValue: "wrongLength") }

    /// A list that must not be empty is.
    public static var empty: Self { Self(rawValue: "empty") }

    /// A number or a date is outside what can be accepted.
    public static var outOfRange: Self { Self(rawValue: "outOfRange") }

    /// A number is infinite or not a number.
    public static var notFinite: Self { Self(rawValue: "notFinite") }

    /// An amount of money has more than two decimals.
    public static var tooPrecise: Self { Self(rawValue: "tooPrecise") }

    /// A value cannot be encoded, or not as a JSON object.
    public static var notEncodable: Self { Self(rawValue: "notEncodable") }

    /// A text is not an absolute URI (RFC 3986).
    public static var malformedURI: Self { Self(rawValue: "malformedURI") }
}
