/// Any JSON value.
///
/// ```swift
/// let order: JSONValue = ["id": "o-17", "total": 12.5, "items": ["sku-1", "sku-2"], "gift": false]
/// ```
public enum JSONValue: Sendable, Hashable {
    /// `null`.
    case null
    /// `true` or `false`.
    case bool(Bool)
    /// A number without a fraction that fits into 64 bits.
    case int(Int)
    /// Any other number; an integer beyond 64 bits becomes the nearest `Double`. A number that is not finite cannot be
    /// written as JSON; an event that contains one is not tracked.
    case double(Double)
    /// A string.
    case string(String)
    /// A list.
    case array([JSONValue])
    /// An object: members by name, in order.
    case object(JSONObject)
}

extension JSONValue: ExpressibleByNilLiteral, ExpressibleByBooleanLiteral, ExpressibleByIntegerLiteral,
    ExpressibleByFloatLiteral, ExpressibleByStringInterpolation, ExpressibleByArrayLiteral,
    ExpressibleByDictionaryLiteral
{
    /// Creates `null`.
    public init(nilLiteral: ()) { self = .null }

    /// Creates a boolean.
    public init(booleanLiteral value: Bool) { self = .bool(value) }

    /// Creates a whole number.
    public init(integerLiteral value: Int) { self = .int(value) }

    /// Creates a number.
    public init(floatLiteral value: Double) { self = .double(value) }

    /// Creates a string.
    public init(stringLiteral value: String) { self = .string(value) }

    /// Creates a list.
    public init(arrayLiteral elements: JSONValue...) { self = .array(elements) }

    /// Creates an object; a repeated name keeps its last value.
    public init(dictionaryLiteral elements: (String, JSONValue)...) { self = .object(JSONObject(elements)) }
}

extension JSONValue {
    /// The member with a name; nil if the value is not an object or has no such member.
    public subscript(name: String) -> JSONValue? {
        guard case .object(let object) = self else { return nil }
        return object[name]
    }

    /// The string; nil if the value is not a string.
    public var string: String? {
        guard case .string(let value) = self else { return nil }
        return value
    }

    /// The integer; nil if the value is not a whole number that fits into 64 bits.
    public var int: Int? {
        guard case .int(let value) = self else { return nil }
        return value
    }

    /// The number, whole or not; nil if the value is not a number.
    public var double: Double? {
        switch self {
        case .int(let value): Double(value)
        case .double(let value): value
        default: nil
        }
    }

    /// The boolean; nil if the value is not a boolean.
    public var bool: Bool? {
        guard case .bool(let value) = self else { return nil }
        return value
    }

    /// The list; nil if the value is not a list.
    public var array: [JSONValue]? {
        guard case .array(let value) = self else { return nil }
        return value
    }

    /// The object; nil if the value is not an object.
    public var object: JSONObject? {
        guard case .object(let value) = self else { return nil }
        return value
    }
}

extension JSONValue {
    // Disfavoured, because a comparison with a literal would be ambiguous otherwise.
    /// Whether both are the same; numbers are compared by value, so that `1` and `1.0` are equal.
    @_disfavoredOverload
    public static func == (left: JSONValue, right: JSONValue) -> Bool {
        switch (left, right) {
        case (.null, .null): true
        case (.bool(let left), .bool(let right)): left == right
        case (.int(let left), .int(let right)): left == right
        case (.double(let left), .double(let right)): left == right
        case (.int(let integer), .double(let number)), (.double(let number), .int(let integer)):
            Int(exactly: number) == integer
        case (.string(let left), .string(let right)): left == right
        case (.array(let left), .array(let right)): left == right
        case (.object(let left), .object(let right)): left == right
        default: false
        }
    }

    /// Hashes the value; equal numbers have the same hash.
    public func hash(into hasher: inout Hasher) {
        switch self {
        case .null: hasher.combine(0)
        case .bool(let value): hasher.combine(value)
        case .int, .double: hasher.combine(double)
        case .string(let value): hasher.combine(value)
        case .array(let elements): hasher.combine(elements)
        case .object(let object): hasher.combine(object)
        }
    }

    /// Creates a number, as an integer if it has no fraction.
    package init(shortest number: Double) {
        self = Int(exactly: number).map(JSONValue.int) ?? .double(number)
    }

    /// Whether every number in it is finite, as JSON requires.
    package var isFinite: Bool {
        switch self {
        case .null, .bool, .int, .string: true
        case .double(let number): number.isFinite
        case .array(let elements): elements.allSatisfy(\.isFinite)
        case .object(let object): object.isFinite
        }
    }
}

extension JSONObject {
    /// Whether every number in it is finite, as JSON requires.
    package var isFinite: Bool {
        // Buffer access avoids copies of the elements and their reference counting.
        members.withUnsafeBufferPointer { members in members.indices.allSatisfy { members[$0].value.isFinite } }
    }
}

extension JSONValue: CustomStringConvertible {
    /// The value as compact JSON; a number that is not finite is written as `null`.
    public var description: String {
        var writer = ByteWriter(capacity: 128)
        writer.append(json: self)
        return writer.text
    }
}
