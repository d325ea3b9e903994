import Synchronization

/// Code that takes part in tracking: it adds entities, filters events, or observes tracked events.
///
/// Its closures run on the thread that tracks, outside all locks. A plugin stays when the configuration changes.
///
/// ```swift
/// var plugin = Plugin(name: "audit")
/// plugin.filter = Plugin.Filter { event in event.schema != "iglu:com.acme/secret/jsonschema/1-0-0" }
/// plugin.afterTrack = Plugin.Observer(for: .types([.structured])) { event in count(event) }
/// tracker.add(plugin)
/// ```
public struct Plugin: Sendable {
    /// The events for which a closure is called.
    public enum Scope: Sendable {
        /// All events.
        case all
        /// Self-describing events of exactly these schemas.
        case schemas(Set<String>)
        /// Events of these types with parameters of their own.
        case types(Set<EventType>)

        func includes(_ event: TrackedEvent) -> Bool {
            switch self {
            case .all: true
            case .schemas(let schemas): event.schema.map(schemas.contains) ?? false
            case .types(let types): event.type.map(types.contains) ?? false
            }
        }
    }

    /// A closure with the events for which it is called.
    public struct Hook<Result>: Sendable {
        let scope: Scope
        let body: @Sendable (TrackedEvent) -> Result

        /// Creates a hook.
        /// - Parameters:
        ///   - scope: The events for which it is called; all by default.
        ///   - body: The closure.
        public init(for scope: Scope = .all, _ body: @escaping @Sendable (TrackedEvent) -> Result) {
            self.scope = scope
            self.body = body
        }
    }

    /// Returns false for an event that must not be tracked.
    public typealias Filter = Hook<Bool>

    /// Creates entities for an event.
    public typealias Generator = Hook<[Entity]>

    /// Observes a tracked event.
    public typealias Observer = Hook<Void>

    /// The name by which the plugin is removed; a second plugin with the same name replaces the first.
    public let name: String

    /// Filters events before anything else happens to them.
    public var filter: Filter?

    /// Adds entities.
    public var entities: Generator?

    /// Observes tracked events, which have an id.
    public var afterTrack: Observer?

    /// Leaves out a share of the events of a scope; see ``sampling(rate:by:for:name:)``.
    var sampling: (rule: Sampling, scope: Scope)?

    /// Creates a plugin without closures.
    /// - Parameter name: The name by which it is removed.
    public init(name: String) {
        self.name = name
    }
}

/// The plugins and global entities of a tracker, in the order in which they were added.
struct TrackerExtensions: Sendable {
    var plugins: [Plugin] = []
    var globalEntities: [(tag: String, entities: GlobalEntities)] = []
    var onSessionStart: (@Sendable (SessionStart) -> Void)?

    var isEmpty: Bool { plugins.isEmpty && globalEntities.isEmpty && onSessionStart == nil }

    /// Whether no sampling leaves the event out.
    /// - Parameters:
    ///   - event: The event.
    ///   - rule: The rule of the settings.
    ///   - fraction: A random number in 0 ..< 1.
    /// - Returns: True if all rules admit it.
    func samples(_ event: TrackedEvent, _ rule: Sampling?, _ fraction: Double) -> Bool {
        if let rule, !rule.admits(event, fraction) { return false }
        return plugins.allSatisfy { plugin in
            guard let (rule, scope) = plugin.sampling, scope.includes(event) else { return true }
            return rule.admits(event, fraction)
        }
    }

    /// Whether no plugin keeps the event back.
    func admits(_ event: TrackedEvent) -> Bool {
        plugins.allSatisfy { plugin in
            guard let filter = plugin.filter, filter.scope.includes(event) else { return true }
            return filter.body(event)
        }
    }

    func entities(for event: TrackedEvent) -> [Entity] {
        let generated = plugins.flatMap { plugin -> [Entity] in
            guard let hook = plugin.entities, hook.scope.includes(event) else { return [] }
            return hook.body(event)
        }
        return generated + globalEntities.flatMap { $0.entities.entities(for: event) }
    }

    func afterTrack(_ event: TrackedEvent) {
        for plugin in plugins {
            if let hook = plugin.afterTrack, hook.scope.includes(event) { hook.body(event) }
        }
    }
}

extension Tracker {
    /// Adds a plugin, which replaces one with the same name.
    /// - Parameter plugin: The plugin.
    public func add(_ plugin: Plugin) {
        changeExtensions { extensions in
            extensions.plugins.removeAll { $0.name == plugin.name }
            extensions.plugins.append(plugin)
        }
    }

    /// Removes a plugin.
    /// - Parameter name: Its name.
    public func removePlugin(named name: String) {
        changeExtensions { $0.plugins.removeAll { $0.name == name } }
    }

    /// Attaches entities to events from now on, and replaces those with the same tag. (Snowplow's mobile trackers
    /// refuse a second tag.)
    /// - Parameters:
    ///   - tag: The name by which they are removed.
    ///   - origin: The origin of the entities.
    ///   - selection: The events that carry the entities; all by default.
    public func addGlobalEntities(
        tag: String, _ origin: GlobalEntities.Origin, to selection: GlobalEntities.Selection = .all
    ) {
        let entities = GlobalEntities(origin: origin, selection: selection)
        changeExtensions { extensions in
            extensions.globalEntities.removeAll { $0.tag == tag }
            extensions.globalEntities.append((tag, entities))
        }
    }

    /// Stops attaching the entities of a tag.
    /// - Parameter tag: The tag with which they were added.
    public func removeGlobalEntities(tag: String) {
        changeExtensions { $0.globalEntities.removeAll { $0.tag == tag } }
    }

    /// Notes whether events need more than the encoder: plugins or the like, or sampling.
    func noteExtensions(_ state: State) {
        hasExtensions.store(
            !state.extensions.isEmpty || state.settings.tracker.sampling != nil, ordering: .releasing)
    }

    /// Changes the closures of the user.
    func changeExtensions(_ change: (inout TrackerExtensions) -> Void) {
        let old = access { state in
            let old = state.extensions
            change(&state.extensions)
            noteExtensions(state)
            return old
        }
        // What the closures hold is let go of out here: its end is user code too.
        withExtendedLifetime(old) {}
    }
}
