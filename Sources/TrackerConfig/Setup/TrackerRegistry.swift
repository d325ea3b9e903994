/// The trackers of a setup, by namespace; applies documents to them, whole or not at all.
final class TrackerRegistry: Sendable {
    private struct State: Sendable {
        var trackers: [String: Tracker] = [:]
        var defaultTracker: Tracker?
        /// Settings without effect that were warned of, by namespace and field.
        var warned: Set<String> = []
    }

    /// What is to be done for a document.
    private struct Plan {
        var removed: [String] = []
        var configured: [(namespace: String, default: ConfigurationBundle?, remote: ConfigurationBundle?)] = []
        var warnings: [ConfigurationWarning] = []
    }

    private let defaults: [ConfigurationBundle]
    private let pipeline: EventPipeline
    private let state = Locked(State())

    init(defaults: [ConfigurationBundle], pipeline: EventPipeline) {
        self.defaults = defaults
        self.pipeline = pipeline
    }

    var trackers: [String: Tracker] { state.withLock { $0.trackers } }

    var defaultTracker: Tracker? {
        get { state.withLock { $0.defaultTracker } }
        set {
            let old = state.withLock { state in
                defer { state.defaultTracker = newValue }
                return state.defaultTracker
            }
            // The end of a tracker ends its user's closures, which is no business of a lock.
            withExtendedLifetime(old) {}
        }
    }

    func tracker(_ namespace: String) -> Tracker? {
        state.withLock { $0.trackers[namespace] }
    }

    /// Ends a tracker.
    /// - Returns: Whether there was one.
    @discardableResult
    func remove(_ namespace: String) -> Bool {
        let removed = state.withLock { state in
            let tracker = state.trackers.removeValue(forKey: namespace)
            if let tracker, state.defaultTracker === tracker { state.defaultTracker = nil }
            return tracker
        }
        removed?.remove()
        return removed != nil
    }

    /// Brings the trackers to what a document says; nil stands for the default alone.
    /// - Returns: The configuration's namespaces that have a tracker, and what is odd.
    /// - Throws: Where one tracker could not work; none is changed then.
    func apply(
        _ document: Document?
    ) throws(ConfigurationError) -> (namespaces: [String], warnings: [ConfigurationWarning]) {
        let plan = plan(document)
        for step in plan.configured {
            if let tracker = tracker(step.namespace) {
                try tracker.check(default: step.default, remote: step.remote)
            } else {
                var layers = TrackerLayers()
                layers.adopt(default: step.default, remote: step.remote, version: nil)
                _ = try EffectiveSettings(namespace: step.namespace, layers: layers)
            }
        }
        for namespace in plan.removed { remove(namespace) }
        for step in plan.configured { try configure(step.namespace, step.default, step.remote, document?.version) }
        let listed = (document?.bundles ?? defaults).map(\.namespace)
        let alive = trackers
        return (listed.filter { alive[$0] != nil }, plan.warnings)
    }

    private func configure(
        _ namespace: String, _ defaults: ConfigurationBundle?, _ remote: ConfigurationBundle?, _ version: Int?
    ) throws(ConfigurationError) {
        if let tracker = tracker(namespace) {
            return try tracker.adopt(default: defaults, remote: remote, version: version)
        }
        var layers = TrackerLayers()
        layers.adopt(default: defaults, remote: remote, version: version)
        let tracker = try Tracker(namespace: namespace, layers: layers, pipeline: pipeline)
        state.withLock { state in
            state.trackers[namespace] = tracker
            if state.defaultTracker == nil { state.defaultTracker = tracker }
        }
    }

    private func plan(_ document: Document?) -> Plan {
        var plan = Plan()
        let byNamespace = Dictionary(defaults.map { ($0.namespace, $0) }) { first, _ in first }
        for bundle in document?.bundles ?? [] {
            if bundle.network == nil {
                plan.removed.append(bundle.namespace)
            } else {
                plan.configured.append((bundle.namespace, byNamespace[bundle.namespace], bundle))
            }
            plan.warnings += inertSettings(of: bundle)
        }
        let listed = Set(document?.bundles.map(\.namespace) ?? [])
        // A process that starts from this document would build these from the default alone, so all processes do.
        for bundle in defaults where !listed.contains(bundle.namespace) && bundle.network?.endpoint != nil {
            plan.configured.append((bundle.namespace, bundle, nil))
            plan.warnings += inertSettings(of: bundle)
        }
        // Of the default too: one without an endpoint cannot be built from it.
        let kept = Set(plan.configured.map(\.namespace)).union(listed)
        for namespace in trackers.keys.sorted() where !kept.contains(namespace) {
            plan.warnings.append(
                ConfigurationWarning(
                    place: namespace,
                    reason: "no longer in the document; its tracker stays as it was until the process ends"))
        }
        return plan
    }

    /// Settings that have no effect in a service, once for each.
    private func inertSettings(of bundle: ConfigurationBundle) -> [ConfigurationWarning] {
        SectionTable.all.flatMap { section in
            section.inertFields(bundle).compactMap { field, reason in
                let place = "\(bundle.namespace): \(section.name).\(field)"
                let isNew = state.withLock { $0.warned.insert(place).inserted }
                return isNew ? ConfigurationWarning(place: place, reason: "without effect: \(reason)") : nil
            }
        }
    }
}
