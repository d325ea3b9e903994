/// An event on its way, as plugins and global entities see it.
public struct TrackedEvent: Sendable {
    /// Its id, nil until it has one.
    public let id: EventID?

    /// What goes on the wire.
    public let content: EventContent

    /// The entities that it was tracked with.
    public let entities: [Entity]

    /// Creates an event, for example to try a plugin.
    /// - Parameters:
    ///   - id: Its id, nil until it has one.
    ///   - content: What goes on the wire.
    ///   - entities: The entities that it was tracked with.
    public init(id: EventID? = nil, content: EventContent, entities: [Entity] = []) {
        self.id = id
        self.content = content
        self.entities = entities
    }

    /// The Iglu URI of its schema; nil for an event of a type of its own, as a structured one.
    public var schema: String? {
        switch content {
        case .selfDescribing(let schema, _): schema
        case .screenView: ScreenView.schema
        case .parameters, .invalid: nil
        }
    }

    /// Its type of the Snowplow tracker protocol with parameters of its own; nil for a self-describing event.
    public var type: EventType? {
        guard case .parameters(let type, _) = content else { return nil }
        return type
    }
}
