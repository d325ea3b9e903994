import TrackerCore

/// A type that a variable can be read as.
protocol DriverValue: Decodable, Sendable {
    /// The value as JSON.
    var json: JSONValue { get }
}

extension Bool: DriverValue { var json: JSONValue { .bool(self) } }
extension Int: DriverValue { var json: JSONValue { .int(self) } }
extension Double: DriverValue { var json: JSONValue { .double(self) } }
extension String: DriverValue { var json: JSONValue { .string(self) } }
extension JSONObject: DriverValue { var json: JSONValue { .object(self) } }
extension JSONValue: DriverValue { var json: JSONValue { self } }
extension Array: DriverValue where Element: DriverValue { var json: JSONValue { .array(map(\.json)) } }

extension JSONValue {
    /// The value as the type of its JSON. The type of an array depends on its elements as written: `["45"]` is an array
    /// of strings, although "45" could be read as a number.
    var native: any DriverValue {
        switch self {
        case .bool(let value): value
        case .int(let value): value
        case .double(let value): value
        case .string(let value): value
        case .object(let value): value
        case .array(let elements):
            elements.all(\.bool) ?? elements.all(\.int) ?? elements.all(\.double) ?? elements.all(\.string) ?? elements
        case .null: self
        }
    }
}

extension [JSONValue] {
    /// The elements if there are any and all are of one type; otherwise nil.
    fileprivate func all<Kind: DriverValue>(_ kind: (JSONValue) -> Kind?) -> (any DriverValue)? {
        let elements = compactMap(kind)
        return elements.isEmpty || elements.count < count ? nil : elements
    }
}
