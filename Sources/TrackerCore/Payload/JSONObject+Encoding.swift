import FoundationEssentials

extension JSONObject {
    /// Encodes the data of an event or an entity: dates in UTC as RFC 3339 with milliseconds, bytes in base64.
    /// - Parameters:
    ///   - value: The data.
    ///   - type: The type of the event or entity, for the error.
    /// - Throws: ``EventError`` if the value does not encode to an object.
    init(encoding value: some Encodable, for type: Any.Type) throws(EventError) {
        func fault(
            _ code: NamedCode<EventError>, _ path: String, _ reason: String, _ cause: (any Error)? = nil
        ) -> EventError {
            EventError(code, type: "\(type)", place: "data\(path)", reason: reason, cause: cause)
        }
        let encoder = JSONEncoder()
        encoder.dateEncodingStrategy = .custom { date, encoder in
            guard let text = Timestamp.iso8601(date) else {
                throw EncodingError.invalidValue(
                    date,
                    .init(codingPath: encoder.codingPath, debugDescription: "expected a date in the years 0000 to 9999")
                )
            }
            var container = encoder.singleValueContainer()
            try container.encode(text)
        }
        let json: JSONValue
        do throws(JSONEncodingError) {
            json = try JSONValue(encoding: value, by: encoder)
        } catch {
            let code: NamedCode<EventError> = error.isNotFinite ? .notFinite : .notEncodable
            let detail = error.cause.map { ": \(Self.sentence(of: $0))" } ?? ""
            throw fault(code, error.path, "\(error.subject) cannot be written as JSON\(detail)", error.cause)
        }
        guard case .object(let object) = json else {
            throw fault(.notEncodable, "", "expected a type that encodes to an object, found \(Swift.type(of: value))")
        }
        self = object
    }

    private static func sentence(of error: any Error) -> String {
        guard case EncodingError.invalidValue(_, let context) = error else { return "\(error)" }
        return context.debugDescription
    }
}
