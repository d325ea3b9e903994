public import FoundationEssentials

/// A type that a variable's value is converted to without a decoder.
///
/// Conversions that lose nothing are made: 3 is read as `Double`, 3.0 as `Int`, and the texts `"45"` and `"true"`, as an
/// environment variable has them, as a number or a `Bool`. All others fail: `true` and 10.3 as an `Int`, a number as a
/// `String`. Other `Decodable` types are decoded by the same rules and need not conform to this protocol; its requirements
/// are the library's own.
public protocol VariableValue: Codable, Sendable {
    /// The expected value in the words of an error: `an integer`.
    static var _expectedVariableValue: String { get }

    /// Converts a value; returns nil if it is of another type.
    /// - Parameter value: The value; never null if it is a whole variable.
    init?(_variableValue value: JSONValue)
}

extension Bool: VariableValue {
    /// `a boolean`.
    public static var _expectedVariableValue: String { "a boolean" }

    /// `true`, `false`, or one of them as a text.
    public init?(_variableValue value: JSONValue) {
        switch value {
        case .bool(let bool): self = bool
        case .string("true"): self = true
        case .string("false"): self = false
        default: return nil
        }
    }
}

extension Int: VariableValue {
    /// `an integer`.
    public static var _expectedVariableValue: String { "an integer" }

    /// A number without a fraction, or the text of one.
    public init?(_variableValue value: JSONValue) {
        switch value {
        case .int(let number): self = number
        case .double(let number):
            guard let exact = Int(exactly: number) else { return nil }
            self = exact
        case .string(let text):
            guard let number = JSONValue(numberText: text) else { return nil }
            self.init(_variableValue: number)
        default: return nil
        }
    }
}

extension Double: VariableValue {
    /// `a number`.
    public static var _expectedVariableValue: String { "a number" }

    /// A number, or the text of one; not a whole number that only an `Int` holds exactly.
    public init?(_variableValue value: JSONValue) {
        switch value {
        case .double(let number): self = number
        case .int(let number):
            guard let exact = Double(exactly: number) else { return nil }
            self = exact
        case .string(let text):
            guard let number = JSONValue(numberText: text) else { return nil }
            self.init(_variableValue: number)
        default: return nil
        }
    }
}

extension Decimal: VariableValue {
    /// `a number`.
    public static var _expectedVariableValue: String { "a number" }

    /// A number with the digits that it is written with, or the text of one.
    public init?(_variableValue value: JSONValue) {
        switch value {
        case .int(let number): self.init(number)
        // By its shortest text: that of 10.3 is 10.3, whereas its binary digits are 10.30000000000000071.
        case .double(let number): self.init(string: "\(number)")
        case .string(let text):
            guard JSONValue(numberText: text) != nil else { return nil }
            self.init(string: text)
        default: return nil
        }
    }
}

extension Data: VariableValue {
    /// `a text in base64`.
    public static var _expectedVariableValue: String { "a text in base64" }

    /// The text of bytes in base64, as `JSONEncoder` writes them.
    public init?(_variableValue value: JSONValue) {
        guard case .string(let text) = value else { return nil }
        self.init(base64Encoded: text)
    }
}

extension String: VariableValue {
    /// `a string`.
    public static var _expectedVariableValue: String { "a string" }

    /// A text.
    public init?(_variableValue value: JSONValue) {
        guard case .string(let text) = value else { return nil }
        self = text
    }
}

extension URL: VariableValue {
    /// `a URL`.
    public static var _expectedVariableValue: String { "a URL" }

    /// The text of a URL.
    public init?(_variableValue value: JSONValue) {
        guard case .string(let text) = value else { return nil }
        self.init(string: text.withASCIIHost)
    }
}

extension JSONValue: VariableValue {
    /// `any value`.
    public static var _expectedVariableValue: String { "any value" }

    /// The value as it is.
    public init?(_variableValue value: JSONValue) { self = value }
}

extension JSONObject: VariableValue {
    /// `an object`.
    public static var _expectedVariableValue: String { "an object" }

    /// An object as it is.
    public init?(_variableValue value: JSONValue) {
        guard case .object(let object) = value else { return nil }
        self = object
    }
}

extension Array: VariableValue where Element: VariableValue {
    /// `a list, each element a string`.
    public static var _expectedVariableValue: String { "a list, each element \(Element._expectedVariableValue)" }

    /// A list, each of whose elements can be converted.
    public init?(_variableValue value: JSONValue) {
        guard case .array(let values) = value else { return nil }
        self = []
        reserveCapacity(values.count)
        for value in values {
            guard let element = Element(_variableValue: value) else { return nil }
            append(element)
        }
    }
}

extension Dictionary: VariableValue where Key == String, Value: VariableValue {
    /// `an object, each member a string`.
    public static var _expectedVariableValue: String { "an object, each member \(Value._expectedVariableValue)" }

    /// An object, each of whose members can be converted.
    public init?(_variableValue value: JSONValue) {
        guard case .object(let object) = value else { return nil }
        self.init(minimumCapacity: object.count)
        for member in object.members {
            guard let converted = Value(_variableValue: member.value) else { return nil }
            self[member.name] = converted
        }
    }
}

extension JSONValue {
    /// The number that a text is by JSON's grammar; nil if it is anything else.
    fileprivate init?(numberText text: String) {
        // The longest exact numbers have some hundred digits, which no document needs.
        guard text.utf8.count <= 64, let node = try? JSONReader.read(Array(text.utf8)) else { return nil }
        // Blanks around a value are JSON's too, but no part of a number.
        guard node.offset == 0, text.utf8.last.map({ 0x30...0x39 ~= $0 }) == true else { return nil }
        switch try? node.value {
        case .int(let number)?: self = .int(number)
        case .double(let number)?: self = .double(number)
        default: return nil
        }
    }
}
