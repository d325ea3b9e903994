/// The error of a value that cannot be written as JSON.
package struct JSONEncodingError: Error {
    /// The kind of error.
    package enum Code: Sendable {
        case notFinite
        case tooDeep
        case refused
    }

    package let code: Code

    /// The part that JSON does not allow, such as "a number that is not finite".
    package let subject: String

    /// The path from the value to the fault, such as `.items[2].price`; empty for the whole.
    package let path: String

    /// The error of the value's own encoding or of the encoder.
    package let cause: (any Error)?

    static func notFinite(at path: [any CodingKey]) -> JSONEncodingError {
        JSONEncodingError(.notFinite, "a number that is not finite", path)
    }

    static func tooDeep(_ levels: Int) -> JSONEncodingError {
        JSONEncodingError(.tooDeep, "a value that is nested deeper than \(levels) levels")
    }

    init(refusedBy type: Any.Type, _ error: any Error) {
        let path: [any CodingKey] =
            if case EncodingError.invalidValue(_, let context) = error { context.codingPath } else { [] }
        self.init(.refused, "a value of type \(type)", path, error)
    }

    private init(_ code: Code, _ subject: String, _ path: [any CodingKey] = [], _ cause: (any Error)? = nil) {
        (self.code, self.subject, self.cause) = (code, subject, cause)
        self.path = path.map { key in key.intValue.map { "[\($0)]" } ?? ".\(key.stringValue)" }.joined()
    }
}
