/// An event to track.
///
/// An event is a value; tracking it twice creates two events with different ids. Conform your own type to track events
/// of your own schema with typed properties:
///
/// ```swift
/// struct OrderShipped: Event {
///     var orderID: String
///     var content: EventContent {
///         .selfDescribing(schema: "iglu:com.acme/order_shipped/jsonschema/1-0-0", data: ["orderId": orderID])
///     }
/// }
/// ```
public protocol Event: Sendable {
    /// The content that is sent. It is read once each time the event is tracked, on the caller's thread.
    var content: EventContent { get }

    /// The entities that belong to every event of this type; none by default.
    var entities: [Entity] { get }

    /// The subject fields that belong to the event itself, such as the URL of a deep link; they take precedence over
    /// all other sources. nil by default.
    var subject: EventSubject? { get }
}

extension Event {
    /// No entities.
    public var entities: [Entity] { [] }

    /// No subject.
    public var subject: EventSubject? { nil }
}

/// The content of an event, which depends on its kind.
public struct EventContent: Sendable, Hashable {
    package enum Form: Sendable, Hashable {
        case selfDescribing(schema: String, data: JSONObject)
        /// A type of the Snowplow tracker protocol with its parameters; parameters that are nil are left out.
        case parameters(EventType, [EventParameter])
        case invalid(reason: String)
    }

    package let form: Form

    /// Returns self-describing data.
    /// - Parameters:
    ///   - schema: The Iglu URI of the schema that describes the data.
    ///   - data: The data.
    /// - Returns: The content.
    public static func selfDescribing(schema: String, data: JSONObject) -> EventContent {
        EventContent(form: .selfDescribing(schema: schema, data: data))
    }

    /// Returns self-describing data from Swift values; see ``JSONConvertible``.
    /// - Parameters:
    ///   - schema: The Iglu URI of the schema that describes the data.
    ///   - data: The data; a member whose value is nil is left out.
    /// - Returns: The content.
    @_disfavoredOverload
    public static func selfDescribing(schema: String, data: KeyValuePairs<String, any JSONConvertible>) -> EventContent
    {
        .selfDescribing(schema: schema, data: JSONObject(data))
    }

    /// Returns the content of an event that cannot be encoded; it is dropped, counted and logged.
    /// - Parameter reason: The reason, as a sentence.
    /// - Returns: The content.
    public static func invalid(reason: String) -> EventContent { EventContent(form: .invalid(reason: reason)) }

    package static func parameters(_ type: EventType, _ parameters: [EventParameter]) -> EventContent {
        EventContent(form: .parameters(type, parameters))
    }

    /// The Iglu URI of its schema; nil for an event of a protocol type, such as a structured one.
    public var schema: String? {
        guard case .selfDescribing(let schema, _) = form else { return nil }
        return schema
    }

    /// Its type of the Snowplow tracker protocol with parameters of its own; nil for a self-describing event.
    public var type: EventType? {
        guard case .parameters(let type, _) = form else { return nil }
        return type
    }

    /// The data that ``schema`` describes, or the parameters of a ``type`` by their names on the wire, such as `se_ca`.
    public var data: JSONObject {
        switch form {
        case .selfDescribing(_, let data): data
        case .parameters(_, let parameters):
            JSONObject(present: parameters.map { ($0.name, $0.value.map(JSONValue.string)) })
        case .invalid: [:]
        }
    }

    /// The reason why the event cannot be encoded; nil if it can.
    var fault: String? {
        switch form {
        case .invalid(let reason): reason
        case .selfDescribing(_, let data): data.isFinite ? nil : "a number in the event's data is not finite"
        case .parameters: nil
        }
    }
}

extension [Entity] {
    /// The reason why events with these entities cannot be encoded; nil if they can.
    var fault: String? {
        for entity in self where !entity.data.isFinite { return "a number in the data of an entity is not finite" }
        return nil
    }
}

/// The types of the Snowplow tracker protocol that have parameters of their own, `e`.
@nonexhaustive
public enum EventType: String, Sendable, Hashable {
    /// A page view.
    case pageView = "pv"
    /// A page ping.
    case pagePing = "pp"
    /// A structured event.
    case structured = "se"
    /// An ecommerce transaction.
    case transaction = "tr"
    /// An item of an ecommerce transaction.
    case transactionItem = "ti"
}

/// A parameter of the Snowplow tracker protocol.
package struct EventParameter: Sendable, Hashable {
    /// The name on the wire, such as `se_ca`.
    package let name: String

    /// The value; nil leaves out the parameter.
    package let value: String?

    package init(name: String, value: String?) {
        self.name = name
        self.value = value
    }
}
