import Synchronization

/// Code that takes part in tracking: it adds entities, filters events, or observes tracked events.
///
/// Its closures run on the thread that tracks, outside all locks. A plugin stays when the configuration changes.
///
/// ```swift
/// var plugin = Plugin(name: "audit")
/// plugin.filter { event in event.schema != "iglu:com.acme/secret/jsonschema/1-0-0" }
/// plugin.afterTrack(for: .types([.structured])) { event in count(event) }
/// tracker.add(plugin)
/// ```
public struct Plugin: Sendable {
    /// A closure with the events for which it is called.
    struct Hook<Result>: Sendable {
        let events: EventSelection
        let body: @Sendable (TrackedEvent) -> Result

        /// The closure's result for an event; nil if it is not called for the event.
        func callAsFunction(_ event: TrackedEvent) -> Result? { events.includes(event) ? body(event) : nil }
    }

    /// The name by which the plugin is removed; a second plugin with the same name replaces the first.
    public let name: String

    private(set) var filters: [Hook<Bool>] = []
    private(set) var entities: [Hook<[Entity]>] = []
    private(set) var observers: [Hook<Void>] = []

    /// Creates a plugin without closures.
    /// - Parameter name: The name by which it is removed.
    public init(name: String) {
        self.name = name
    }

    /// Adds a closure that can keep events from being tracked; it is called before everything else except sampling.
    /// - Parameters:
    ///   - events: The events for which it is called; all by default.
    ///   - isTracked: Returns whether the event is tracked; all filters must return true.
    public mutating func filter(
        for events: EventSelection = .all, _ isTracked: @escaping @Sendable (TrackedEvent) -> Bool
    ) {
        filters.append(Hook(events: events, body: isTracked))
    }

    /// Adds a closure that adds entities to events.
    /// - Parameters:
    ///   - events: The events for which it is called; all by default.
    ///   - create: Returns the entities of an event.
    public mutating func addEntities(
        to events: EventSelection = .all, _ create: @escaping @Sendable (TrackedEvent) -> [Entity]
    ) {
        entities.append(Hook(events: events, body: create))
    }

    /// Adds a closure that observes tracked events, which have an id.
    /// - Parameters:
    ///   - events: The events for which it is called; all by default.
    ///   - observe: The closure.
    public mutating func afterTrack(
        for events: EventSelection = .all, _ observe: @escaping @Sendable (TrackedEvent) -> Void
    ) {
        observers.append(Hook(events: events, body: observe))
    }
}

/// The plugins and global entities of a tracker, in the order in which they were added.
struct TrackerExtensions: Sendable {
    var plugins: [Plugin] = []
    var globalEntities: [(tag: String, hook: Plugin.Hook<[Entity]>)] = []

    var isEmpty: Bool { plugins.isEmpty && globalEntities.isEmpty }

    /// Whether all filters admit the event.
    func admits(_ event: TrackedEvent) -> Bool {
        plugins.allSatisfy { $0.filters.allSatisfy { $0(event) ?? true } }
    }

    func entities(for event: TrackedEvent) -> [Entity] {
        plugins.flatMap { $0.entities.flatMap { $0(event) ?? [] } } + globalEntities.flatMap { $0.hook(event) ?? [] }
    }

    func afterTrack(_ event: TrackedEvent) {
        for plugin in plugins {
            for observer in plugin.observers { _ = observer(event) }
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

    /// Attaches the same entities to events from now on; replaces entities with the same tag. (Snowplow's mobile
    /// trackers reject a second tag.)
    ///
    /// ```swift
    /// tracker.addGlobalEntities(tag: "release", [release])
    /// tracker.addGlobalEntities(tag: "load", to: .types([.structured])) { _ in [loadEntity()] }
    /// ```
    /// - Parameters:
    ///   - tag: The name by which they are removed.
    ///   - entities: The entities.
    ///   - events: The events that carry the entities; all by default.
    public func addGlobalEntities(tag: String, _ entities: [Entity], to events: EventSelection = .all) {
        addGlobalEntities(tag: tag, to: events) { _ in entities }
    }

    /// Attaches entities that a closure creates to events from now on; replaces entities with the same tag.
    /// - Parameters:
    ///   - tag: The name by which they are removed.
    ///   - events: The events that carry the entities; all by default.
    ///   - create: Returns the entities of an event; called on the thread that tracks it, outside all locks.
    public func addGlobalEntities(
        tag: String, to events: EventSelection = .all, _ create: @escaping @Sendable (TrackedEvent) -> [Entity]
    ) {
        changeExtensions { extensions in
            extensions.globalEntities.removeAll { $0.tag == tag }
            extensions.globalEntities.append((tag, Plugin.Hook(events: events, body: create)))
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

    /// Changes the user's closures.
    func changeExtensions(_ change: (inout TrackerExtensions) -> Void) {
        let old = state.withLock { state in
            let old = state.extensions
            change(&state.extensions)
            noteExtensions(state)
            return old
        }
        // Released outside the lock, because the deinit of objects that the closures hold is user code.
        withExtendedLifetime(old) {}
    }
}
