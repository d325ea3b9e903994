/// Entities that are attached to all events of a tracker, or to those that are chosen.
///
/// ```swift
/// tracker.addGlobalEntities(tag: "release", .fixed([Entity(schema: "iglu:com.acme/release/jsonschema/1-0-0", data: ["id": "r-7"])]))
/// tracker.addGlobalEntities(tag: "load", .generated { _ in [loadEntity()] }, to: .schemas(try SchemaRuleSet(allowed: ["iglu:com.acme.*/*/jsonschema/*-*-*"])))
/// ```
public struct GlobalEntities: Sendable {
    /// Where the entities come from.
    @nonexhaustive
    public enum Origin: Sendable {
        /// Always the same ones.
        case fixed([Entity])
        /// What a closure makes for each event, on the thread that tracks it and outside all locks.
        case generated(@Sendable (TrackedEvent) -> [Entity])
    }

    /// Which events get them.
    @nonexhaustive
    public enum Selection: Sendable {
        /// All events.
        case all
        /// Those for which a closure answers true, on the thread that tracks them and outside all locks.
        case events(@Sendable (TrackedEvent) -> Bool)
        /// Self-describing events whose schema a rule set chooses.
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
