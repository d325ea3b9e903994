import FoundationEssentials

/// A type to which a variable's value is converted without a decoder.
///
/// Only lossless conversions are made: 3 is read as `Double`, 3.0 as `Int`, and the strings `"45"` and `"true"`, for
/// example from environment variables, as a number or a `Bool`. All others fail: `true` and 10.3 as an `Int`, a number
/// as a `String`. `JSONDecoder` reads other `Decodable` types.
protocol VariableConvertible: Decodable {
    /// The expected value as a phrase for errors: `an integer`.
    static var expectedVariable: String { get }

    /// Converts a value; returns nil if it has another type.
    /// - Parameter value: The value; never null if it is the value of a whole variable.
    init?(variable value: JSONValue)
}

extension JSONValue {
    /// Converts the value to a type of ``VariableConvertible``; nil for other types, and if it cannot be converted.
    @inline(__always)
    func converted<Value>(to type: Value.Type = Value.self) -> Value? {
        // The compiler resolves these comparisons in specialized code; a cast to the protocol takes longer than the
        // rest of a read. The casts back cannot fail, because the types were compared.
        // swift-format-ignore-start: NeverForceUnwrap
        if Value.self == Bool.self { return Bool(variable: self) as! Value? }
        if Value.self == Int.self { return Int(variable: self) as! Value? }
        if Value.self == Double.self { return Double(variable: self) as! Value? }
        if Value.self == String.self { return String(variable: self) as! Value? }
        // swift-format-ignore-end
        return (Value.self as? any VariableConvertible.Type).flatMap { $0.init(variable: self) as? Value }
    }
}

extension JSONValue {
    /// Reads the value as a type of ``VariableConvertible``, or else with `JSONDecoder`.
    /// - Throws: ``FeatureError/TypeMismatch``, the decoder's error, or an error of the type itself.
    func decoded<Value: Decodable>(as type: Value.Type) throws -> Value {
        guard let known = type as? any VariableConvertible.Type else {
            return try JSONDecoder().decode(type, from: Data(description.utf8))
        }
        guard let converted = known.init(variable: self) as? Value else {
            throw FeatureError.TypeMismatch(expected: known.expectedVariable, found: kind)
        }
        return converted
    }

    /// The reason why the value cannot be read as a type, in the words of a failing read; nil if it can.
    package func fault<Value: Decodable>(readAs type: Value.Type) -> String? {
        do {
            _ = try decoded(as: type)
            return nil
        } catch {
            return FeatureError(error, place: "", type).reason
        }
    }
}

extension Bool: VariableConvertible {
    static var expectedVariable: String { "a boolean" }

    /// Converts `true` or `false`, also from a string.
    init?(variable value: JSONValue) {
        switch value {
        case .bool(let bool): self = bool
        case .string("true"): self = true
        case .string("false"): self = false
        default: return nil
        }
    }
}

extension Int: VariableConvertible {
    static var expectedVariable: String { "an integer" }

    /// Converts a number without a fraction, also from a string.
    init?(variable value: JSONValue) {
        switch value.asNumber {
        case .int(let number): self = number
        case .double(let number): self.init(exactly: number)
        default: return nil
        }
    }
}

extension Double: VariableConvertible {
    static var expectedVariable: String { "a number" }

    /// Converts a number, also from a string; fails for an integer that a `Double` cannot represent exactly.
    init?(variable value: JSONValue) {
        switch value.asNumber {
        case .double(let number): self = number
        case .int(let number): self.init(exactly: number)
        default: return nil
        }
    }
}

// If Foundation is imported, the compiler infers `Decimal` for `value(…, default: 0.5) == 2.5`.
extension Decimal: VariableConvertible {
    static var expectedVariable: String { "a number" }

    /// Converts a number with its written digits, also from a string.
    init?(variable value: JSONValue) {
        guard value.asNumber.double != nil else { return nil }
        self.init(string: value.string ?? value.description)
    }
}

extension String: VariableConvertible {
    static var expectedVariable: String { "a string" }

    /// Converts a string.
    init?(variable value: JSONValue) {
        guard case .string(let text) = value else { return nil }
        self = text
    }
}

extension URL: VariableConvertible {
    static var expectedVariable: String { "a URL" }

    /// Converts a string with a URL.
    init?(variable value: JSONValue) {
        guard case .string(let text) = value else { return nil }
        self.init(string: text)
    }
}

extension JSONValue: VariableConvertible {
    static var expectedVariable: String { "any value" }

    /// Returns the value unchanged.
    init?(variable value: JSONValue) { self = value }
}

extension JSONObject: VariableConvertible {
    static var expectedVariable: String { "an object" }

    /// Converts an object.
    init?(variable value: JSONValue) {
        guard case .object(let object) = value else { return nil }
        self = object
    }
}

extension Array: VariableConvertible where Element: VariableConvertible {
    static var expectedVariable: String { "a list, each element \(Element.expectedVariable)" }

    /// Converts a list if all elements can be converted.
    init?(variable value: JSONValue) {
        guard case .array(let values) = value else { return nil }
        self = []
        for value in values {
            guard let element = Element(variable: value) else { return nil }
            append(element)
        }
    }
}

extension Optional: VariableConvertible where Wrapped: VariableConvertible {
    static var expectedVariable: String { Wrapped.expectedVariable }

    /// Converts the value to the wrapped type; null becomes nil.
    init?(variable value: JSONValue) {
        guard value != .null else {
            self = .none
            return
        }
        guard let wrapped = Wrapped(variable: value) else { return nil }
        self = .some(wrapped)
    }
}

extension Dictionary: VariableConvertible where Key == String, Value: VariableConvertible {
    static var expectedVariable: String { "an object, each member \(Value.expectedVariable)" }

    /// Converts an object if all members can be converted.
    init?(variable value: JSONValue) {
        guard case .object(let object) = value else { return nil }
        self = [:]
        for member in object.members {
            guard let converted = Value(variable: member.value) else { return nil }
            self[member.name] = converted
        }
    }
}

extension JSONValue {
    /// The number in a string, if the string is a number in JSON's grammar; otherwise the value itself.
    fileprivate var asNumber: JSONValue {
        // Longer numbers are exact only with some hundred digits, which no document needs. JSON allows blanks around a
        // value, but a number must not have any.
        guard case .string(let text) = self, text.utf8.count <= 64, text.utf8.allSatisfy({ $0 > 0x20 }),
            let node = try? JSONReader.read(Array(text.utf8)), node.number != nil
        else { return self }
        return node.value
    }
}
