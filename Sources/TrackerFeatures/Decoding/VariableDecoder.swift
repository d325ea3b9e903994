/// Reads any `Decodable` from a JSON value, by the conversions of ``VariableConvertible`` and no others.
struct VariableDecoder: Decoder {
    let value: JSONValue
    let codingPath: [any CodingKey]
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    /// Decodes a value.
    /// - Throws: `DecodingError`, or what the type itself throws.
    static func decode<Value: Decodable>(_ type: Value.Type = Value.self, from value: JSONValue) throws -> Value {
        try VariableDecoder(value: value, codingPath: []).decode(type)
    }

    func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
        // A list of some other `Decodable` is no `VariableConvertible`, and comes here element by element.
        guard let known = type as? any VariableConvertible.Type else { return try Value(from: self) }
        // What it makes is of the type that it is given, which is `Value`: the cast cannot fail.
        return try convert(to: known) as! Value  // swift-format-ignore: NeverForceUnwrap
    }

    func convert<Value: VariableConvertible>(to type: Value.Type) throws -> Value {
        guard let converted = Value(variable: value) else {
            throw mismatch(Value.self, Value.expectedVariable)
        }
        return converted
    }

    func mismatch(_ type: any Any.Type, _ expected: String) -> DecodingError {
        .typeMismatch(
            type, .init(codingPath: codingPath, debugDescription: "expected \(expected), found \(value.kind)"))
    }

    func integer<Number: FixedWidthInteger>(_ type: Number.Type) throws -> Number {
        guard let number = Number(exactly: try convert(to: Int.self)) else {
            throw mismatch(type, "an integer from \(Number.min) to \(Number.max)")
        }
        return number
    }

    func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
        guard case .object(let object) = value else {
            throw mismatch(JSONObject.self, JSONObject.expectedVariable)
        }
        return KeyedDecodingContainer(KeyedVariables(object: object, codingPath: codingPath))
    }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
        guard case .array(let elements) = value else { throw mismatch([JSONValue].self, "a list") }
        return ListedVariables(elements: elements, codingPath: codingPath)
    }

    func singleValueContainer() throws -> any SingleValueDecodingContainer { self }
}

extension VariableDecoder: SingleValueDecodingContainer {
    func decodeNil() -> Bool { value == .null }

    func decode(_ type: Bool.Type) throws -> Bool { try convert(to: type) }
    func decode(_ type: String.Type) throws -> String { try convert(to: type) }
    func decode(_ type: Double.Type) throws -> Double { try convert(to: type) }
    func decode(_ type: Float.Type) throws -> Float {
        let number = try convert(to: Double.self)
        // A tenth is rounded in either type; a number that is out of one's bounds is not.
        guard Float(number).isFinite else { throw mismatch(type, "a number that a Float can hold") }
        return Float(number)
    }
    func decode(_ type: Int.Type) throws -> Int { try convert(to: type) }
    func decode(_ type: Int8.Type) throws -> Int8 { try integer(type) }
    func decode(_ type: Int16.Type) throws -> Int16 { try integer(type) }
    func decode(_ type: Int32.Type) throws -> Int32 { try integer(type) }
    func decode(_ type: Int64.Type) throws -> Int64 { try integer(type) }
    func decode(_ type: UInt.Type) throws -> UInt { try integer(type) }
    func decode(_ type: UInt8.Type) throws -> UInt8 { try integer(type) }
    func decode(_ type: UInt16.Type) throws -> UInt16 { try integer(type) }
    func decode(_ type: UInt32.Type) throws -> UInt32 { try integer(type) }
    func decode(_ type: UInt64.Type) throws -> UInt64 { try integer(type) }
}
