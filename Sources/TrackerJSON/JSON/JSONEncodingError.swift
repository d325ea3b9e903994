/// The error of a value that cannot be written as JSON.
package struct JSONEncodingError: Error {
    /// Whether the fault is a number that is not finite.
    package let isNotFinite: Bool

    /// The part that JSON does not allow, such as "a number that is not finite".
    package let subject: String

    /// The path from the value to the fault, such as `.items[2].price`; empty for the whole.
    package let path: String

    /// The error of the value's own encoding or of the encoder.
    package let cause: (any Error)?

    static func notFinite(at path: [any CodingKey]) -> JSONEncodingError {
        JSONEncodingError("a number that is not finite", path, isNotFinite: true)
    }

    static func tooDeep(_ levels: Int) -> JSONEncodingError {
        JSONEncodingError("a value that is nested deeper than \(levels) levels")
    }

    init(refusedBy type: Any.Type, _ error: any Error) {
        let path: [any CodingKey] =
            if case EncodingError.invalidValue(_, let context) = error { context.codingPath } else { [] }
        self.init("a value of type \(type)", path, error)
    }

    private init(
        _ subject: String, _ path: [any CodingKey] = [], _ cause: (any Error)? = nil, isNotFinite: Bool = false
    ) {
        (self.subject, self.cause, self.isNotFinite) = (subject, cause, isNotFinite)
        self.path = path.map { key in key.intValue.map { "[\($0)]" } ?? ".\(key.stringValue)" }.joined()
    }
}
