/// Why an event or an entity cannot be made: a value is outside what its schema, or the tracker protocol, accepts.
///
/// Lengths are counted as JSON Schema counts them, in Unicode code points.
public struct EventError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The kind of fault.
    public enum Code: Sendable, Hashable {
        /// A text is longer or shorter than can be accepted.
        case wrongLength
        /// A list that must not be empty is.
        case empty
        /// A number or a date is outside what can be accepted.
        case outOfRange
        /// A number is infinite or not a number.
        case notFinite
        /// An amount of money has more than two decimals.
        case tooPrecise
        /// A text is not an absolute URI (RFC 3986).
        case malformedURI
    }

    /// The kind of fault.
    public let code: Code

    /// What could not be made, as `PagePing` or `Ecommerce.Product`.
    public let type: String

    /// The name of the parameter, with the place in a list where it is one (`domainsApplied[1]`).
    public let place: String

    /// What is wrong, without type and place.
    public let reason: String

    init(_ code: Code, type: String, place: String, reason: String) {
        self.code = code
        self.type = type
        self.place = place
        self.reason = reason
    }

    /// The type, the place and the reason as one sentence.
    public var description: String { "\(type): \(place): \(reason)" }
}
