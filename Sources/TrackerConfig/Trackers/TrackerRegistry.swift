package import TrackerCore

/// The result of applying a configuration.
package struct AppliedConfiguration: Sendable {
    /// The configuration's namespaces that have a tracker.
    package var namespaces: [String]
    /// The namespaces that had no tracker before.
    var addedNamespaces: Set<ExactText> = []
    /// A sentence about each tracker whose server has changed.
    var moves: [String] = []
    var warnings: [ConfigurationError] = []
    /// The trackers just before a canary was applied, by namespace.
    package var before: [ExactText: CanaryMonitor.Observation] = [:]

    package init(namespaces: [String]) {
        self.namespaces = namespaces
    }
}

/// The trackers of a setup by namespace, to which documents are applied completely or not at all.
package final class TrackerRegistry: Sendable {
    struct State: Sendable {
        var trackers: [ExactText: Tracker] = [:]
        var defaultTracker: Tracker?
        /// The settings without effect that were already reported, by namespace and field.
        var warned: Set<String> = []
        /// The last documents that changed the network settings of each tracker, the newest last.
        var networkChanges: [ExactText: [NetworkChange]] = [:]
        /// The namespaces of trackers that the configuration no longer contains.
        var kept: Set<ExactText> = []
    }

    /// The maximum number of trackers that are kept although the configuration no longer contains their namespaces.
    static let maxKept = 1000

    // Documents may name new namespaces throughout the life of the process.
    private static let maxWarned = 10_000

    private let defaults: [ConfigurationBundle]
    private let trusted: [OriginPattern]
    private let pipeline: SetupPipeline
    private let startTime: Int64
    let state = Locked(State())
    /// The look-ups and events of namespaces without a tracker.
    package let untracked = MissCounter()

    /// Creates a registry without trackers.
    /// - Parameters:
    ///   - defaults: The default bundles.
    ///   - trusted: The collectors to which the request headers set in code may be sent, in addition to those that code
    ///     names.
    ///   - pipeline: The pipeline of all trackers, created with the first one.
    package init(defaults: [ConfigurationBundle], trusted: [OriginPattern] = [], pipeline: SetupPipeline) {
        (self.defaults, self.trusted) = (defaults, trusted)
        self.pipeline = pipeline
        startTime = pipeline.now
    }

    /// The wall clock, in milliseconds since 1970.
    var now: Int64 { pipeline.now }

    /// The trackers by their exact namespaces.
    var exactTrackers: [ExactText: Tracker] { state.withLock { $0.trackers } }

    /// The trackers by namespace. Two namespaces that are equal after Unicode normalization share one entry.
    package var trackers: [String: Tracker] {
        Dictionary(exactTrackers.map { ($0.key.text, $0.value) }) { first, _ in first }
    }

    /// The namespaces that have a tracker.
    package var namespaces: Set<ExactText> { Set(exactTrackers.keys) }

    /// The trackers by their exact namespaces, and the namespaces that the configuration no longer contains.
    var standing: (trackers: [ExactText: Tracker], kept: Set<ExactText>) {
        state.withLock { ($0.trackers, $0.kept) }
    }

    /// The warnings of the event store, which were already logged.
    var storeWarnings: [ConfigurationError] { pipeline.warnings }

    var defaultTracker: Tracker? {
        get { state.withLock { $0.defaultTracker } }
        set { state.exchange(\.defaultTracker, newValue) }
    }

    package func tracker(_ namespace: String) -> Tracker? {
        state.withLock { $0.trackers[exactly: namespace] }
    }

    /// Shuts a tracker down.
    /// - Returns: Whether the namespace had a tracker.
    @discardableResult
    func remove(_ namespace: String) -> Bool {
        let removed = state.withLock { state in
            let tracker = state.trackers.removeValue(forKey: ExactText(namespace))
            state.networkChanges[exactly: namespace] = nil
            state.kept.remove(ExactText(namespace))
            if let tracker, state.defaultTracker === tracker { state.defaultTracker = nil }
            return tracker
        }
        removed?.remove()
        return removed != nil
    }

    /// Applies a document to the trackers; nil stands for the default only.
    /// - Parameters:
    ///   - document: The document.
    ///   - experiments: The document's experiments, for the events of its trackers; see
    ///     ``TrackedEvent/experiments``.
    ///   - obsolete: Trackers to remove, rather than to keep, if the document does not contain them.
    ///   - prepareTracker: Called with each new tracker before it can be used.
    /// - Returns: The result.
    /// - Throws: An error if a tracker cannot work; then none is changed.
    package func apply(
        _ document: Document?, experiments: (any AnyObject & Sendable)? = nil, removing obsolete: Set<ExactText> = [],
        preparing prepareTracker: (Tracker) -> Void = { _ in }
    ) throws(ConfigurationError) -> AppliedConfiguration {
        let earlier = namespaces
        let plan = ConfigurationPlan(document, defaults: defaults, existing: earlier)
        let own = LayerOrigin(defaultTime: startTime, trusted: trusted)
        let remote = LayerOrigin(
            version: document?.version, remoteTime: pipeline.now, defaultTime: startTime, trusted: trusted)
        let prepared = try plan.steps.map { (step) throws(ConfigurationError) in
            let (tracker, origin) = (tracker(step.namespace), step.isRemote ? remote : own)
            let settings =
                if let tracker {
                    try tracker.prepare(
                        default: step.default, remote: step.remote, origin: origin, experiments: experiments)
                } else {
                    try Tracker.PreparedSettings(
                        namespace: step.namespace, layers: step.layers(origin, experiments: experiments))
                }
            return (step, tracker, settings)
        }
        var applied = AppliedConfiguration(namespaces: [])
        for (step, tracker, settings) in prepared {
            if let tracker {
                try change(tracker, to: settings, step.isRemote ? document?.version : nil, &applied)
            } else {
                try make(settings, step.namespace, preparing: prepareTracker, &applied)
            }
        }
        for step in plan.steps {
            // Report each warning once in a process.
            applied.warnings += step.caveats.filter { warning in
                state.withLock { $0.warned.count < Self.maxWarned && $0.warned.insert(warning.place).inserted }
            }
        }
        // Last, because the previous changes can fail.
        let unnamed = plan.kept.filter { !obsolete.contains(ExactText($0)) }
        let (kept, surplus) = (unnamed.prefix(Self.maxKept), unnamed.dropFirst(Self.maxKept))
        for namespace in plan.removed + plan.kept.filter({ obsolete.contains(ExactText($0)) }) + surplus {
            remove(namespace)
        }
        state.withLock { $0.kept = Set(kept.map(ExactText.init)) }
        untracked.forget(logsAnew: false)
        applied.warnings += unnamed.map { namespace in
            let rest =
                surplus.contains(namespace) ? "was removed, because \(Self.maxKept) others stay" : "stays as it was"
            return ConfigurationError(
                .warning, place: namespace, reason: "no longer in the document; its tracker \(rest)")
        }
        let alive = namespaces
        applied.namespaces = plan.listed.filter { alive.contains(ExactText($0)) }
        applied.addedNamespaces = Set(applied.namespaces.map(ExactText.init)).subtracting(earlier)
        return applied
    }

    /// The trackers of a document before their first event; nil stands for the default only.
    package func observations(_ document: Document?) -> [ExactText: CanaryMonitor.Observation] {
        var observations: [ExactText: CanaryMonitor.Observation] = [:]
        for step in ConfigurationPlan(document, defaults: defaults, existing: []).steps {
            // Unusable settings have no collector.
            let settings = try? EffectiveSettings(namespace: step.namespace, layers: step.layers(LayerOrigin()))
            observations[ExactText(step.namespace)] = CanaryMonitor.Observation(
                TrackerStatus(namespace: step.namespace), at: settings?.endpoint.text)
        }
        return observations
    }

    /// The last published state of the trackers.
    var observations: [ExactText: CanaryMonitor.Observation] {
        exactTrackers.mapValues { tracker in
            CanaryMonitor.Observation(
                tracker.lastStatus, at: tracker.effectiveSettings.endpoint.text, tracker.requestHistory)
        }
    }

    /// Whether a configuration has trackers.
    package func hasTrackers(with configuration: ActiveConfiguration?) -> Bool {
        configuration.map { !observations($0.document).isEmpty } ?? false
    }

    /// Changes a tracker. The version is that of the document, nil for the default.
    private func change(
        _ tracker: Tracker, to settings: Tracker.PreparedSettings, _ version: Int?,
        _ applied: inout AppliedConfiguration
    ) throws(ConfigurationError) {
        let (old, network) = (tracker.collectorOrigin, tracker.effectiveSettings.network)
        try tracker.commit(settings)
        noteNetworkChange(of: tracker, from: network, version)
        let new = tracker.collectorOrigin
        guard new != old else { return }
        let (cause, namespace) = (version == nil ? "default" : "document", tracker.namespace.excerpt)
        applied.moves.append("the \(cause) moves namespace \(namespace) from \(old) to \(new)")
    }

    private func make(
        _ settings: Tracker.PreparedSettings, _ namespace: String, preparing prepareTracker: (Tracker) -> Void,
        _ applied: inout AppliedConfiguration
    ) throws(ConfigurationError) {
        let opened = pipeline.open()
        applied.warnings += opened.warnings
        let tracker = try Tracker(settings, pipeline: opened.pipeline)
        prepareTracker(tracker)
        state.withLock { state in
            state.trackers[exactly: namespace] = tracker
            if state.defaultTracker == nil { state.defaultTracker = tracker }
        }
    }
}
