package import FoundationEssentials

/// A type of the values in the data of events and entities.
package protocol EventValue {
    /// The value as JSON; nil if the data leaves it out.
    var eventData: JSONValue? { get }
}

extension String: EventValue {
    package var eventData: JSONValue? { .string(self) }
}

extension Int: EventValue {
    package var eventData: JSONValue? { .int(self) }
}

extension Double: EventValue {
    package var eventData: JSONValue? { .double(self) }
}

extension Bool: EventValue {
    package var eventData: JSONValue? { .bool(self) }
}

extension UUID: EventValue {
    /// The id in lower case.
    package var eventData: JSONValue? { .string(uuidString.lowercased()) }
}

extension Date: EventValue {
    /// The date as RFC 3339 has it, to the millisecond; nil outside the years 0000 to 9999.
    package var eventData: JSONValue? { Timestamp.iso8601(self).map(JSONValue.string) }
}

extension JSONValue: EventValue {
    package var eventData: JSONValue? { self }
}

extension Array: EventValue where Element: EventValue {
    /// The list; nil if it is empty.
    package var eventData: JSONValue? { isEmpty ? nil : .array(compactMap(\.eventData)) }
}

extension JSONObject {
    /// Creates the data of an event or an entity, without the members that are nil.
    /// - Parameter members: Values by their names, which differ.
    package init(data members: KeyValuePairs<String, (any EventValue)?>) {
        self.init(present: members.map { ($0.key, $0.value?.eventData) })
    }
}
