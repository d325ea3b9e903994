/// A selection of events: for the closures of a ``Plugin``, for global entities, and for sampling.
public struct EventSelection: Sendable {
    private enum Rule: Sendable {
        case all
        case types(Set<EventType>)
        case schemas(Set<String>)
        case rules(SchemaRuleSet)
        case events(@Sendable (TrackedEvent) -> Bool)
    }

    private let rule: Rule

    /// All events.
    public static let all = EventSelection(rule: .all)

    /// Events of some types with parameters of their own.
    /// - Parameter types: The types.
    /// - Returns: The selection.
    public static func types(_ types: Set<EventType>) -> EventSelection { EventSelection(rule: .types(types)) }

    /// Self-describing events of exactly these schemas.
    /// - Parameter schemas: Iglu URIs.
    /// - Returns: The selection.
    public static func schemas(_ schemas: Set<String>) -> EventSelection { EventSelection(rule: .schemas(schemas)) }

    /// Self-describing events by their schemas, with the rules of Snowplow's mobile trackers.
    ///
    /// A rule is an Iglu URI with wildcards. In the vendor, after its first two parts, `*` stands for exactly one part
    /// and a final `**` for one part or more; as the name or as a number of the version, `*` stands for any.
    ///
    /// ```swift
    /// try .schemas(allowed: ["iglu:com.acme.**/*/jsonschema/1-*-*"])        // com.acme.shop, com.acme.shop.eu …
    /// try .schemas(denied: ["iglu:com.acme.internal/*/jsonschema/*-*-*"])   // all other schemas
    /// ```
    /// - Parameters:
    ///   - allowed: The rules for chosen schemas; nil, the default, chooses every schema, and an empty list none.
    ///   - denied: The rules for schemas that are not chosen, even if `allowed` matches them; none by default.
    /// - Returns: The selection.
    /// - Throws: ``ConfigurationError`` if a rule is not well formed, with its place, such as `denied[1]`.
    public static func schemas(
        allowed: [String]? = nil, denied: [String] = []
    ) throws(ConfigurationError) -> EventSelection {
        EventSelection(rule: .rules(try SchemaRuleSet(allowed: allowed, denied: denied)))
    }

    /// The events for which a closure returns true.
    /// - Parameter predicate: The closure; called on the thread that tracks, outside all locks.
    /// - Returns: The selection.
    public static func events(_ predicate: @escaping @Sendable (TrackedEvent) -> Bool) -> EventSelection {
        EventSelection(rule: .events(predicate))
    }

    func includes(_ event: TrackedEvent) -> Bool {
        switch rule {
        case .all: true
        case .types(let types): event.type.map(types.contains) ?? false
        case .schemas(let schemas): event.schema.map(schemas.contains) ?? false
        case .rules(let rules): event.schema.map(rules.matches) ?? false
        case .events(let predicate): predicate(event)
        }
    }
}
