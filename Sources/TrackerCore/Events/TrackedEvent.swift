/// A tracked event, as plugins and global entities receive it.
public struct TrackedEvent: Sendable {
    /// The event's id; nil until it has one.
    public internal(set) var id: EventID?

    /// The content that is sent.
    public let content: EventContent

    /// The entities that it was tracked with.
    public internal(set) var entities: [Entity]

    /// The subject of the event, merged from all sources and before anonymisation.
    package let mergedSubject: EventSubject

    /// The context of feature evaluation at the time of tracking.
    package let mergedEvaluation: FeatureContext?

    /// The id of the request's trace; nil if no ``TrackingContext`` has one.
    public let traceID: String?

    /// The experiments of the document that the event's settings come from; nil if no document has any.
    package internal(set) var experiments: (any AnyObject & Sendable)?

    /// Creates an event, for example to test a plugin.
    /// - Parameters:
    ///   - id: The event's id; nil until it has one.
    ///   - content: The content that is sent.
    ///   - entities: The entities that it was tracked with.
    ///   - subject: The subject.
    ///   - evaluation: The context in which features are evaluated; nil by default.
    ///   - traceID: The id of the request's trace; nil by default.
    public init(
        id: EventID? = nil, content: EventContent, entities: [Entity] = [], subject: EventSubject = EventSubject(),
        evaluation: FeatureContext? = nil, traceID: String? = nil
    ) {
        self.id = id
        self.content = content
        self.entities = entities
        mergedSubject = subject
        mergedEvaluation = evaluation
        self.traceID = traceID
    }

    /// The context in which features are evaluated at the time of tracking; nil if no ``TrackingContext`` has one, and
    /// for an anonymous event.
    public var evaluation: FeatureContext? { mergedSubject.isAnonymous ? nil : mergedEvaluation }

    /// The subject, merged from all sources, without the fields that an anonymous event leaves out.
    public var subject: EventSubject {
        var subject = mergedSubject
        subject.anonymise()
        return subject
    }

    /// The Iglu URI of its schema; nil for an event of a protocol type, such as a structured one.
    public var schema: String? { content.schema }

    /// Its type of the Snowplow tracker protocol with parameters of its own; nil for a self-describing event.
    public var type: EventType? { content.type }
}
