import FoundationEssentials

/// A type that a variable's value is converted to without a decoder.
///
/// Conversions that lose nothing are made: 3 is read as `Double`, 3.0 as `Int`, and the texts `"45"` and `"true"`, as an
/// environment variable has them, as a number or a `Bool`. All others fail: `true` and 10.3 as an `Int`, a number as a
/// `String`. `JSONDecoder` reads other `Decodable` types.
protocol VariableConvertible: Decodable {
    /// The expected value in the words of an error: `an integer`.
    static var expectedVariable: String { get }

    /// Converts a value; returns nil if it is of another type.
    /// - Parameter value: The value; never null if it is a whole variable.
    init?(variable value: JSONValue)
}

extension JSONValue {
    /// The value as a type of ``VariableConvertible``; nil for other types, and if it cannot be converted.
    @inline(__always)
    func converted<Value>(to type: Value.Type = Value.self) -> Value? {
        // The compiler decides these in specialised code; a cast to the protocol takes longer than all the rest of a read.
        // What is cast back is of the type that was compared, so it cannot fail.
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
    /// Reads the value as a type of ``VariableConvertible``, or as `JSONDecoder` does.
    /// - Throws: ``FeatureError/TypeMismatch``, the decoder's error, or what the type itself throws.
    func decoded<Value: Decodable>(as type: Value.Type) throws -> Value {
        guard let known = type as? any VariableConvertible.Type else {
            return try JSONDecoder().decode(type, from: Data(description.utf8))
        }
        guard let converted = known.init(variable: self) as? Value else {
            throw FeatureError.TypeMismatch(expected: known.expectedVariable, found: kind)
        }
        return converted
    }

    /// Why the value cannot be read as a type, in the words of a failing read; nil if it can.
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

    /// `true`, `false`, or one of them as a text.
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

    /// A number without a fraction, or the text of one.
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

    /// A number, or the text of one; not a whole number that only an `Int` holds exactly.
    init?(variable value: JSONValue) {
        switch value.asNumber {
        case .double(let number): self = number
        case .int(let number): self.init(exactly: number)
        default: return nil
        }
    }
}

// The compiler takes `value(…, default: 0.5) == 2.5` as one of `Decimal` if Foundation is imported.
extension Decimal: VariableConvertible {
    static var expectedVariable: String { "a number" }

    /// A number with the digits that it is written with, or the text of one.
    init?(variable value: JSONValue) {
        guard value.asNumber.double != nil else { return nil }
        self.init(string: value.string ?? value.description)
    }
}

extension String: VariableConvertible {
    static var expectedVariable: String { "a string" }

    /// A text.
    init?(variable value: JSONValue) {
        guard case .string(let text) = value else { return nil }
        self = text
    }
}

extension URL: VariableConvertible {
    static var expectedVariable: String { "a URL" }

    /// The text of a URL.
    init?(variable value: JSONValue) {
        guard case .string(let text) = value else { return nil }
        self.init(string: text)
    }
}

extension JSONValue: VariableConvertible {
    static var expectedVariable: String { "any value" }

    /// The value as it is.
    init?(variable value: JSONValue) { self = value }
}

extension JSONObject: VariableConvertible {
    static var expectedVariable: String { "an object" }

    /// An object as it is.
    init?(variable value: JSONValue) {
        guard case .object(let object) = value else { return nil }
        self = object
    }
}

extension Array: VariableConvertible where Element: VariableConvertible {
    static var expectedVariable: String { "a list, each element \(Element.expectedVariable)" }

    /// A list, each of whose elements can be converted.
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

    /// The value as the wrapped type; nil for null.
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

    /// An object, each of whose members can be converted.
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
    /// Of a text that is a number by JSON's grammar that number, and else the value as it is.
    fileprivate var asNumber: JSONValue {
        // The longest exact numbers have some hundred digits, which no document needs. Blanks around a value are JSON's too,
        // but no part of a number.
        guard case .string(let text) = self, text.utf8.count <= 64, text.utf8.allSatisfy({ $0 > 0x20 }),
            let node = try? JSONReader.read(Array(text.utf8)), node.number != nil
        else { return self }
        return node.value
    }
}
