/// An event on its way, as plugins and global entities see it.
public struct TrackedEvent: Sendable {
    /// Its id, nil until it has one.
    public internal(set) var id: EventID?

    /// What goes on the wire.
    public let content: EventContent

    /// The entities that it was tracked with.
    public internal(set) var entities: [Entity]

    /// Who it is about, merged of all sources and before anonymisation.
    package let mergedSubject: EventSubject

    /// For whom features are evaluated where it was tracked.
    package let mergedEvaluation: FeatureContext?

    /// The id of the request's trace; nil if no ``TrackingContext`` says.
    public let traceID: String?

    /// Creates an event, for example to try a plugin.
    /// - Parameters:
    ///   - id: Its id, nil until it has one.
    ///   - content: What goes on the wire.
    ///   - entities: The entities that it was tracked with.
    ///   - subject: Who it is about.
    ///   - evaluation: For whom features are evaluated; nil by default.
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

    /// For whom features are evaluated where it was tracked; nil if no ``TrackingContext`` says, and for an anonymous event.
    public var evaluation: FeatureContext? { mergedSubject.isAnonymous ? nil : mergedEvaluation }

    /// Who it is about, merged of all sources, without what an anonymous event leaves out.
    public var subject: EventSubject {
        var subject = mergedSubject
        subject.anonymise()
        return subject
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
