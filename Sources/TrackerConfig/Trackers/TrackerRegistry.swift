/// The trackers of a setup, by namespace; applies documents to them, whole or not at all.
package final class TrackerRegistry: Sendable {
    struct State: Sendable {
        var trackers: [ExactText: Tracker] = [:]
        var defaultTracker: Tracker?
        /// Settings without effect that were warned of, by namespace and field.
        var warned: Set<String> = []
        /// The configuration that was last applied to each tracker.
        var steps: [ExactText: ConfigurationPlan.Step] = [:]
        /// The last documents that changed where or how each tracker sends, the newest last.
        var networkChanges: [ExactText: [NetworkChange]] = [:]
        /// The namespaces with a tracker that the configuration no longer names.
        var kept: Set<ExactText> = []
    }

    /// What applying a configuration came to.
    package struct ApplyResult: Sendable {
        /// The configuration's namespaces that have a tracker.
        package let namespaces: [String]
        /// The trackers that send to another server than before.
        var moves: [Move] = []
        /// What is odd.
        let warnings: [ConfigurationError]
    }

    /// A tracker that sends to another server than before.
    struct Move: Sendable, CustomStringConvertible {
        let namespace: String
        let old: Origin
        let new: Origin
        let isByDocument: Bool

        var description: String {
            "the \(isByDocument ? "document" : "default") moves namespace \(namespace.excerpt) from \(old) to \(new)"
        }
    }

    /// The most trackers that stay although the configuration no longer names their namespaces.
    static let maxKept = 1000

    // Documents may name new namespaces for as long as the process lives.
    private static let maxWarned = 10_000

    private let defaults: [ConfigurationBundle]
    private let trusted: [OriginPattern]
    private let pipeline: SetupPipeline
    private let startTime: Int64
    let state = Locked(State())
    /// Look-ups and events of namespaces without a tracker.
    package let untracked = MissCounter()

    /// Creates a registry without trackers.
    /// - Parameters:
    ///   - defaults: The default bundles.
    ///   - trusted: The collectors that get the request headers of code, besides those that code names.
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

    /// The trackers by namespace; of namespaces that differ in Unicode normalization alone, one.
    package var trackers: [String: Tracker] {
        Dictionary(exactTrackers.map { ($0.key.text, $0.value) }) { first, _ in first }
    }

    /// The namespaces that have a tracker.
    package var namespaces: Set<ExactText> { Set(exactTrackers.keys) }

    /// The trackers by their exact namespaces, and the namespaces that the configuration no longer names.
    var standing: (trackers: [ExactText: Tracker], kept: Set<ExactText>) {
        state.withLock { ($0.trackers, $0.kept) }
    }

    /// What the event store has warned of and logged.
    var storeWarnings: [ConfigurationError] { pipeline.warnings }

    var defaultTracker: Tracker? {
        get { state.withLock { $0.defaultTracker } }
        set { state.exchange(\.defaultTracker, newValue) }
    }

    package func tracker(_ namespace: String) -> Tracker? {
        state.withLock { $0.trackers[exactly: namespace] }
    }

    /// Shuts a tracker down.
    /// - Returns: Whether there was one.
    @discardableResult
    func remove(_ namespace: String) -> Bool {
        let removed = state.withLock { state in
            let tracker = state.trackers.removeValue(forKey: ExactText(namespace))
            state.steps[exactly: namespace] = nil
            state.networkChanges[exactly: namespace] = nil
            state.kept.remove(ExactText(namespace))
            if let tracker, state.defaultTracker === tracker { state.defaultTracker = nil }
            return tracker
        }
        removed?.remove()
        return removed != nil
    }

    /// Applies a document to the trackers; nil stands for the default alone. Trackers of which it says the same
    /// as before are not touched.
    /// - Parameters:
    ///   - document: The document.
    ///   - features: What the document's features are, for the events of its trackers; see ``TrackedEvent/document``.
    ///   - obsolete: Trackers that go if the document does not name them, in place of staying as they were.
    ///   - prepareTracker: Called with each new tracker before it can be used.
    /// - Returns: What it came to.
    /// - Throws: An error if one tracker could not work; none is changed then.
    package func apply(
        _ document: Document?, features: (any AnyObject & Sendable)? = nil, removing obsolete: Set<ExactText> = [],
        preparing prepareTracker: (Tracker) -> Void = { _ in }
    ) throws(ConfigurationError) -> ApplyResult {
        let plan = ConfigurationPlan(document, defaults: defaults, existing: exactTrackers.keys)
        let own = LayerOrigin(defaultTime: startTime, trusted: trusted)
        let remote = LayerOrigin(
            version: document?.version, remoteTime: pipeline.now, defaultTime: startTime, trusted: trusted)
        var prepared: [(step: ConfigurationPlan.Step, change: Change)] = []
        prepared.reserveCapacity(plan.steps.count)
        for step in plan.steps {
            prepared.append((step, try prepare(step, step.isRemote ? remote : own, features)))
        }
        var moves: [Move] = []
        var warnings: [ConfigurationError] = []
        for (step, change) in prepared {
            let version = document?.version
            if let move = try commit(step, change, features, version, preparing: prepareTracker, &warnings) {
                moves.append(move)
            }
        }
        for (step, change) in prepared {
            // A tracker that does not change has nothing new to report.
            if case .confirm = change { continue }
            // Each once in a process.
            warnings += step.caveats.filter { warning in
                state.withLock { $0.warned.count < Self.maxWarned && $0.warned.insert(warning.place).inserted }
            }
        }
        // Last, because the changes before it can fail.
        let unnamed = plan.kept.filter { !obsolete.contains(ExactText($0)) }
        let (kept, surplus) = (unnamed.prefix(Self.maxKept), unnamed.dropFirst(Self.maxKept))
        for namespace in plan.removed + plan.kept.filter({ obsolete.contains(ExactText($0)) }) + surplus {
            remove(namespace)
        }
        state.withLock { $0.kept = Set(kept.map(ExactText.init)) }
        untracked.forget(logsAnew: false)
        warnings += unnamed.map { namespace in
            let rest =
                surplus.contains(namespace) ? "was removed, because \(Self.maxKept) others stay" : "stays as it was"
            return ConfigurationError(
                .warning, place: namespace, reason: "no longer in the document; its tracker \(rest)")
        }
        return ApplyResult(namespaces: namespaces(of: plan), moves: moves, warnings: warnings)
    }

    /// The namespaces of a configuration that have a tracker now; nil stands for the default alone.
    func namespaces(of document: Document?) -> [String] {
        namespaces(of: ConfigurationPlan(document, defaults: defaults, existing: []))
    }

    private func namespaces(of plan: ConfigurationPlan) -> [String] {
        let alive = exactTrackers
        return plan.listed.filter { alive[exactly: $0] != nil }
    }

    /// The trackers of a document before their first event; nil stands for the default alone.
    package func observations(_ document: Document?) -> [ExactText: CanaryMonitor.Observation] {
        var observations: [ExactText: CanaryMonitor.Observation] = [:]
        for step in ConfigurationPlan(document, defaults: defaults, existing: []).steps {
            // What cannot be used has no collector, and is not what this is asked for.
            let settings = try? EffectiveSettings(namespace: step.namespace, layers: step.layers(LayerOrigin()))
            observations[ExactText(step.namespace)] = CanaryMonitor.Observation(
                TrackerStatus(namespace: step.namespace), at: settings?.endpoint.text)
        }
        return observations
    }

    /// What is to be done with a tracker.
    private enum Change {
        case confirm(Tracker, LayerOrigin)
        case change(Tracker, Tracker.PreparedSettings)
        case make(Tracker.PreparedSettings)
    }

    private func prepare(
        _ step: ConfigurationPlan.Step, _ origin: LayerOrigin, _ features: (any AnyObject & Sendable)?
    ) throws(ConfigurationError) -> Change {
        let (tracker, last) = state.withLock {
            ($0.trackers[exactly: step.namespace], $0.steps[exactly: step.namespace])
        }
        if let tracker {
            if last == step { return .confirm(tracker, origin) }
            let prepared = try tracker.prepare(
                default: step.default, remote: step.remote, origin: origin, document: features)
            return .change(tracker, prepared)
        }
        return .make(
            try Tracker.PreparedSettings(
                namespace: step.namespace, layers: step.layers(origin, document: features)))
    }

    private func commit(
        _ step: ConfigurationPlan.Step, _ change: Change, _ features: (any AnyObject & Sendable)?, _ version: Int?,
        preparing prepareTracker: (Tracker) -> Void, _ warnings: inout [ConfigurationError]
    ) throws(ConfigurationError) -> Move? {
        var move: Move?
        switch change {
        case .confirm(let tracker, let origin): tracker.confirm(origin, document: features)
        case .change(let tracker, let preparation):
            let (old, network) = (tracker.collectorOrigin, tracker.effectiveSettings.network)
            try tracker.commit(preparation)
            noteNetworkChange(of: tracker, from: network, step.isRemote ? version : nil)
            let new = tracker.collectorOrigin
            if new != old {
                move = Move(namespace: step.namespace, old: old, new: new, isByDocument: step.isRemote)
            }
        case .make(let preparation):
            let opened = pipeline.open()
            warnings += opened.warnings
            let tracker = try Tracker(preparation, pipeline: opened.pipeline)
            prepareTracker(tracker)
            state.withLock { state in
                state.trackers[exactly: step.namespace] = tracker
                if state.defaultTracker == nil { state.defaultTracker = tracker }
            }
        }
        state.withLock { $0.steps[exactly: step.namespace] = step }
        return move
    }
}
