/// All layers of all sections of one tracker.
package struct TrackerLayers: Sendable {
    package var network = Layered<NetworkConfiguration>()
    package var tracker = Layered<TrackerConfiguration>()
    package var subject = Layered<SubjectConfiguration>()
    package var session = Layered<SessionConfiguration>()
    package var emitter = Layered<EmitterConfiguration>()

    /// Where the default and the remote layer come from.
    package private(set) var origin = LayerOrigin()

    /// What the features of the same document are; ``TrackedEvent/document`` of the events under these layers.
    package private(set) var document: (any AnyObject & Sendable)?

    package init() {}

    /// Replaces the default and the remote layer and leaves the runtime layer alone.
    package mutating func adopt(
        default defaults: ConfigurationBundle?, remote: ConfigurationBundle?, origin: LayerOrigin,
        document: (any AnyObject & Sendable)? = nil
    ) {
        network.adopt(defaults: defaults?.sharedNetwork, remote: remote?.sharedNetwork)
        tracker.adopt(defaults: defaults?.sharedTracker, remote: remote?.sharedTracker)
        subject.adopt(defaults: defaults?.sharedSubject, remote: remote?.sharedSubject)
        session.adopt(defaults: defaults?.sharedSession, remote: remote?.sharedSession)
        emitter.adopt(defaults: defaults?.sharedEmitter, remote: remote?.sharedEmitter)
        confirm(origin, document: document)
    }

    /// Takes all layers but the runtime's from others.
    mutating func adoptBelowRuntime(of other: TrackerLayers) {
        network.adopt(defaults: other.network.defaults, remote: other.network.remote)
        tracker.adopt(defaults: other.tracker.defaults, remote: other.tracker.remote)
        subject.adopt(defaults: other.subject.defaults, remote: other.subject.remote)
        session.adopt(defaults: other.session.defaults, remote: other.session.remote)
        emitter.adopt(defaults: other.emitter.defaults, remote: other.emitter.remote)
        confirm(other.origin, document: other.document)
    }

    /// The same default and remote layer, confirmed by another document.
    package mutating func confirm(_ origin: LayerOrigin, document: (any AnyObject & Sendable)? = nil) {
        (self.origin, self.document) = (origin, document)
    }
}

/// Where the layers below the runtime's come from.
package struct LayerOrigin: Sendable, Equatable {
    /// The version of the remote document; nil if there is none.
    package var version: Int?

    /// When the remote document was applied, in milliseconds since 1970.
    package var remoteTime: Int64?

    /// When the default was applied first, in milliseconds since 1970.
    package var defaultTime: Int64?

    /// The collectors that code trusts besides those that its own layers name.
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
