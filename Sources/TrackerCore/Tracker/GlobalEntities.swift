/// Entities that are attached to all events of a tracker, or to selected ones.
///
/// ```swift
/// tracker.addGlobalEntities(tag: "release", .fixed([Entity(schema: "iglu:com.acme/release/jsonschema/1-0-0", data: ["id": "r-7"])]))
/// tracker.addGlobalEntities(tag: "load", .generated { _ in [loadEntity()] }, to: .schemas(try SchemaRuleSet(allowed: ["iglu:com.acme.*/*/jsonschema/*-*-*"])))
/// ```
public struct GlobalEntities: Sendable {
    /// The origin of the entities.
    @nonexhaustive
    public enum Origin: Sendable {
        /// Entities that are always the same.
        case fixed([Entity])
        /// Entities that a closure creates for each event, on the thread that tracks it and outside all locks.
        case generated(@Sendable (TrackedEvent) -> [Entity])
    }

    /// The events that carry the entities.
    @nonexhaustive
    public enum Selection: Sendable {
        /// All events.
        case all
        /// The events for which a closure returns true, on the thread that tracks them and outside all locks.
        case events(@Sendable (TrackedEvent) -> Bool)
        /// Self-describing events whose schema a rule set allows.
        case schemas(SchemaRuleSet)
    }

    let origin: Origin
    let selection: Selection

    func entities(for event: TrackedEvent) -> [Entity] {
        let isChosen =
            switch selection {
            case .all: true
            case .events(let predicate): predicate(event)
            case .schemas(let rules): event.schema.map(rules.matches) ?? false
            }
        guard isChosen else { return [] }
        switch origin {
        case .fixed(let entities): return entities
        case .generated(let make): return make(event)
        }
    }
}
