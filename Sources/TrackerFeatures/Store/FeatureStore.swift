import Synchronization

/// Combines the features of all sources, and publishes them after each change.
package final class FeatureStore: Sendable {
    /// The features of each source.
    struct Contents: Sendable {
        /// The overrides; no other object stores them.
        var overrides = Overrides()
        /// The features of the service's own providers, in order; nil before the first load.
        var provided: [Provided?]
        /// The document in use with its features; nil for the default only.
        var remote: (document: Remote, layer: FeatureLayer)?
    }

    /// The features and experiments of a provider.
    struct Provided: Sendable {
        let layer: FeatureLayer
        /// The experiments in the provider's rules, each id once.
        let experiments: ExperimentTable
        /// The number of the load; later loads have higher numbers.
        let number: UInt64
    }

    /// The features and experiments of a remote document.
    package struct Remote: Sendable {
        let version: Int
        let features: [FeatureDefinition]
        let experiments: ExperimentTable

        /// - Parameters:
        ///   - version: The document's version.
        ///   - features: The document's features.
        ///   - experiments: The document's experiments.
        package init(version: Int, features: [FeatureDefinition], experiments: [Experiment]) {
            (self.version, self.features) = (version, features)
            self.experiments = ExperimentTable(version: version, experiments: experiments)
        }
    }

    package let listeners: FeatureListeners
    /// The evaluations, across all documents.
    let usage = UsageRegistry()
    /// Values that could not be read as the requested type, could not be decrypted, or were rejected.
    package let failures = MissedKeys()
    /// Names of features, variables, experiments and variants that no source has.
    package let unknownNames = MissedKeys()
    /// The closure that decrypts variables; nil if there is none.
    let decrypt: (@Sendable (String, String) throws -> JSONValue)?
    let defaultExperiments: ExperimentTable
    /// The default document's features for use beside a remote document, which replaces its experiments, and alone.
    private let `default`: (besideRemote: FeatureLayer, alone: FeatureLayer)
    private let published: Sharded<FeatureLayers>
    private let latestGeneration = Atomic<UInt64>(0)
    private let isOutOfDate = Atomic(false)
    private let log: Log
    private let now: @Sendable () -> Instant?
    private let state: Locked<(contents: Contents, generation: UInt64)>

    /// Creates a store without features.
    /// - Parameters:
    ///   - options: The options.
    ///   - defaultFeatures: The default document's features.
    ///   - defaultExperiments: The default document's experiments.
    ///   - log: The log.
    ///   - now: Returns the current time, or nil if the clock was not set; called inside a lock.
    package init(
        _ options: FeatureOptions, defaultFeatures: [FeatureDefinition], defaultExperiments: [Experiment],
        log: Log = Log(nil, level: .off), now: @escaping @Sendable () -> Instant? = { nil }
    ) {
        (self.log, self.now) = (log, now)
        decrypt = options.decrypt
        let experiments = ExperimentTable(version: nil, experiments: defaultExperiments)
        self.defaultExperiments = experiments
        let alone = FeatureLayer(.default, defaultFeatures, experiments: experiments, usage)
        let hasExperiments = !experiments.isEmpty || defaultFeatures.flatMap(\.rules).contains { $0.experiment != nil }
        self.default = (
            hasExperiments ? FeatureLayer(.default, defaultFeatures.map(\.withoutExperiments), usage) : alone, alone
        )
        // Until a configuration is applied there are no features, not even the default's.
        let nothing = FeatureLayers()
        published = Sharded(nothing)
        listeners = FeatureListeners(nothing)
        let provided = options.providers.map { _ in Provided?.none }
        state = Locked((Contents(provided: provided), 0))
    }

    /// The features of all sources.
    package var layers: FeatureLayers { published.withLock { $0 } }

    /// Looks up a key for a context, which may have its own overrides, without reference counting.
    @inline(__always)
    func glance(at key: FeatureKey, for context: FeatureContext?) -> FeatureLayers.Glance {
        if RequestOverrides.areMade, let context = context ?? .current, context.hasOverrides {
            return .undecided(layers, nil)
        }
        return published.withLock { $0.glance(at: key) }
    }

    /// The features of all sources without the overrides, for explanations; nil if there are no overrides.
    package var layersWithoutOverrides: FeatureLayers? {
        var (contents, generation) = state.withLock { $0 }
        guard contents.overrides.count > 0 else { return nil }
        contents.overrides = Overrides()
        return layers(contents, generation)
    }

    /// A number that grows with each change of ``layers``.
    @inline(__always)
    var generation: UInt64 { latestGeneration.load(ordering: .acquiring) }

    /// Changes a source; ``FeatureListeners/deliver()`` must be called next.
    /// - Parameter edit: Runs inside a lock.
    /// - Returns: The old layers, so that callers can release them outside their locks.
    @discardableResult
    func change(_ edit: (inout Contents) -> Void) -> FeatureLayers {
        let (new, old) = state.withLock { state in
            edit(&state.contents)
            state.generation += 1
            let layers = layers(state.contents, state.generation)
            let old = published.replace(with: layers)
            latestGeneration.store(state.generation, ordering: .releasing)
            listeners.enqueue(layers)
            return (layers, old)
        }
        usage.forgetGone { new.has($0.text) }
        return old[0]
    }

    private func layers(_ contents: Contents, _ generation: UInt64) -> FeatureLayers {
        let overrides = FeatureLayer(.override, contents.overrides.definitions, usage)
        let layers =
            [overrides] + contents.provided.compactMap { $0?.layer } + (contents.remote.map { [$0.layer] } ?? [])
            + [contents.remote == nil ? self.default.alone : self.default.besideRemote]
        // A document's experiments replace the default's; an experiment that the document does not have is over.
        return FeatureLayers(
            layers, document: contents.remote?.document.experiments ?? defaultExperiments,
            provided: contents.provided.compactMap { $0?.experiments }, overrides: contents.overrides,
            generation: generation, now: now)
    }

    /// The features of a remote document, prepared for reads.
    func layer(of document: Remote) -> FeatureLayer {
        FeatureLayer(
            .remote(version: document.version), document.features, experiments: document.experiments, usage)
    }

    /// The features and experiments of a provider, prepared for reads.
    func provided(_ features: [FeatureDefinition], by source: FeatureSource, number: UInt64) -> Provided {
        var ids: Set<ExactText> = []
        let named = features.flatMap(\.rules).compactMap(\.experiment).filter { ids.insert(ExactText($0.id)).inserted }
        return Provided(
            layer: FeatureLayer(source, features, usage),
            experiments: ExperimentTable(version: nil, experiments: named), number: number)
    }

    /// Whether the remote document may be out of date.
    package var isStale: Bool { isOutOfDate.load(ordering: .relaxed) }

    /// Notes whether the remote document may be out of date.
    package func markStale(_ isStale: Bool) { isOutOfDate.store(isStale, ordering: .relaxed) }

    /// Resets the counts; unreadable values of a new document are logged again, unknown names are not.
    func forgetReported() {
        failures.forget(logsAnew: true)
        unknownNames.forget(logsAnew: false)
    }

    /// Counts an unreadable value, and logs the first one of each key and document.
    func report(_ error: FeatureError, of key: FeatureKey) {
        failures.count(key) { [log] counter in
            counter.count(
                "\(key)", log, "\(error)",
                text: error.mismatch.map { "\(error.place) cannot be read as \($0.expected): it is \($0.found)" }
                    ?? "\(error.place) cannot be read: \(error.reason)")
        }
    }

    /// Counts and logs that a prerequisite was not evaluated.
    func reportLimit(at feature: String) {
        let reason =
            "it is a prerequisite behind more than \(Prerequisite.maxDepth) others, or one of more than "
            + "\(Prerequisite.maxEvaluations) of one read, and counts as not met"
        report(FeatureError(.prerequisiteLimit, place: feature, reason: reason), of: .enabled(feature))
    }

    /// Counts a read of a name that no source has, and logs the first one of each name.
    ///
    /// A known feature need not define whether it is enabled. Before a configuration is applied, nothing is counted.
    @inline(never)
    func noteMiss(of key: FeatureKey, in layers: FeatureLayers) {
        unknownNames.count(key) { counter in
            guard layers.isComparable else { return nil }
            let fallback = "; the default of the code is used"
            if !layers.has(key.feature) {
                let name = key.feature
                return counter.count(name, log, "\(name): no source has this feature\(fallback)")
            }
            guard key.variable != nil, !layers.isKnown(key) else { return nil }
            return counter.count("\(key)", log, "\(key): no source has this variable\(fallback)")
        }
    }

    /// Counts an evaluation of an experiment that no source has, and logs the first one of each id.
    func noteMiss(ofExperiment id: String, in layers: FeatureLayers) {
        let name = "experiment \(id)"
        unknownNames.count(.enabled(name)) { counter in
            guard layers.isComparable else { return nil }
            return counter.count(
                name, log, "\(name.oneLine(most: 100)): no source has this experiment; the default of the code is used")
        }
    }
}
