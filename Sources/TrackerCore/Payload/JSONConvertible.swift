public import FoundationEssentials

/// A type whose values can be part of the data of an event or an entity, or an attribute of a ``FeatureContext``.
///
/// ```swift
/// let event = SelfDescribing(
///     schema: "iglu:com.acme/served/jsonschema/1-0-0", data: ["route": route, "status": status, "cache": cache])
/// ```
///
/// Texts, numbers, booleans, ids, dates, optionals, lists and dictionaries of these conform to it. A member whose value
/// is nil is left out; ``JSONValue/null`` writes `null`.
public protocol JSONConvertible {
    /// The value as JSON; nil leaves out the member.
    var jsonValue: JSONValue? { get }
}

extension String: JSONConvertible {
    /// The text.
    public var jsonValue: JSONValue? { .string(self) }
}

extension Int: JSONConvertible {
    /// The number.
    public var jsonValue: JSONValue? { .int(self) }
}

extension Double: JSONConvertible {
    /// The number.
    public var jsonValue: JSONValue? { .double(self) }
}

extension Bool: JSONConvertible {
    /// The boolean.
    public var jsonValue: JSONValue? { .bool(self) }
}

extension UUID: JSONConvertible {
    /// The id in lower case.
    public var jsonValue: JSONValue? { .string(uuidString.lowercased()) }
}

extension Date: JSONConvertible {
    /// The date in UTC in the format of RFC 3339 with milliseconds; nil outside the years 0000 to 9999.
    public var jsonValue: JSONValue? { Timestamp.iso8601(self).map(JSONValue.string) }
}

extension JSONValue: JSONConvertible {
    /// The value itself.
    public var jsonValue: JSONValue? { self }
}

extension JSONObject: JSONConvertible {
    /// The object.
    public var jsonValue: JSONValue? { .object(self) }
}

extension Optional: JSONConvertible where Wrapped: JSONConvertible {
    /// The value; nil if there is none.
    public var jsonValue: JSONValue? { flatMap(\.jsonValue) }
}

extension Array: JSONConvertible where Element: JSONConvertible {
    /// The list; an element without a value is `null`.
    public var jsonValue: JSONValue? { .array(map { $0.jsonValue ?? .null }) }
}

extension Dictionary: JSONConvertible where Key == String, Value: JSONConvertible {
    /// The object without the members that have no value, sorted by name.
    public var jsonValue: JSONValue? {
        .object(JSONObject(present: sorted { $0.key < $1.key }.map { ($0.key, $0.value.jsonValue) }))
    }
}

extension JSONObject {
    /// Creates an object from Swift values, without the members that are nil; a repeated name keeps its last value.
    /// - Parameter members: Names and values.
    @_disfavoredOverload
    public init(_ members: KeyValuePairs<String, any JSONConvertible>) {
        self.init(members.compactMap { name, value in value.jsonValue.map { (name, $0) } })
    }

    /// Creates the data of a Snowplow event or entity; empty lists are left out too.
    /// - Parameter members: Values by name; the names must differ.
    package init(data members: KeyValuePairs<String, any JSONConvertible>) {
        self.init(present: members.map { ($0.key, $0.value.jsonValue) }.filter { $0.1 != .array([]) })
    }
}
