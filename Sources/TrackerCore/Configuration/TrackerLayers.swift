/// All layers of all sections of one tracker.
package struct TrackerLayers: Sendable {
    package var network = Layered<NetworkConfiguration>()
    package var tracker = Layered<TrackerConfiguration>()
    package var subject = Layered<EventSubject>()
    package var session = Layered<SessionConfiguration>()
    package var emitter = Layered<EmitterConfiguration>()

    /// The origin of the default and the remote layer.
    package private(set) var origin = LayerOrigin()

    /// The experiments of the same document, which become ``TrackedEvent/experiments`` of the events under these layers.
    package private(set) var experiments: (any AnyObject & Sendable)?

    package init() {}

    /// Replaces the default and the remote layer and leaves the runtime layer alone.
    package mutating func adopt(
        default defaults: ConfigurationBundle?, remote: ConfigurationBundle?, origin: LayerOrigin,
        experiments: (any AnyObject & Sendable)? = nil
    ) {
        network.adopt(defaults: defaults?.network, remote: remote?.network)
        tracker.adopt(defaults: defaults?.tracker, remote: remote?.tracker)
        subject.adopt(defaults: defaults?.subject, remote: remote?.subject)
        session.adopt(defaults: defaults?.session, remote: remote?.session)
        emitter.adopt(defaults: defaults?.emitter, remote: remote?.emitter)
        (self.origin, self.experiments) = (origin, experiments)
    }

    /// Takes all layers except the runtime layer from other layers.
    mutating func adoptBelowRuntime(of other: TrackerLayers) {
        network.adopt(defaults: other.network.defaults, remote: other.network.remote)
        tracker.adopt(defaults: other.tracker.defaults, remote: other.tracker.remote)
        subject.adopt(defaults: other.subject.defaults, remote: other.subject.remote)
        session.adopt(defaults: other.session.defaults, remote: other.session.remote)
        emitter.adopt(defaults: other.emitter.defaults, remote: other.emitter.remote)
        (origin, experiments) = (other.origin, other.experiments)
    }
}

/// The origin of the layers below the runtime layer.
package struct LayerOrigin: Sendable, Equatable {
    /// The version of the remote document; nil if there is none.
    package var version: Int?

    /// When the remote document was applied, in milliseconds since 1970.
    package var remoteTime: Int64?

    /// When the default was applied first, in milliseconds since 1970.
    package var defaultTime: Int64?

    /// The collectors that code trusts, besides those in its own layers.
    package var trusted: [OriginPattern]

    package init(
        version: Int? = nil, remoteTime: Int64? = nil, defaultTime: Int64? = nil, trusted: [OriginPattern] = []
    ) {
        self.trusted = trusted
        self.version = version
        self.remoteTime = remoteTime
        self.defaultTime = defaultTime
    }
}
