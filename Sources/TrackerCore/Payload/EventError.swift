/// The error of an event or an entity that cannot be created, because its data cannot be encoded as a JSON object.
public struct EventError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The kind of error.
    public let code: NamedCode<EventError>

    /// The name of the type that could not be created, `SelfDescribing` or `Entity`.
    public let type: String

    /// The place in the data, such as `data.items[2].price`.
    public let place: String

    /// The reason, without type and place.
    public let reason: String

    /// The error that led to this one; nil if there is none. Comparisons of errors ignore it.
    public var cause: (any Error)? { underlying.error }

    private let underlying: ErrorCause

    /// Creates an error.
    /// - Parameters:
    ///   - code: The kind of error.
    ///   - type: The name of the type that could not be created.
    ///   - place: The place in the data.
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
    /// A number is infinite or not a number.
    public static var notFinite: Self { Self(rawValue: "notFinite") }

    /// A value cannot be encoded as a JSON object.
    public static var notEncodable: Self { Self(rawValue: "notEncodable") }
}
