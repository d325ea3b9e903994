import Synchronization

/// Puts together what all providers say, and publishes it anew with each change.
package final class FeatureStore: Sendable {
    /// What each of them says.
    struct Contents: Sendable {
        /// What is overridden; the only place that knows.
        var overrides = Overrides() {
            didSet { overridden = FeatureTable(overrides.definitions, rank: .overrides) }
        }
        /// The same, to be looked up.
        fileprivate(set) var overridden = FeatureTable()
        /// Whether contexts may have overrides of their own.
        var requestsOverride = false
        /// What the service's own providers say, in their order.
        var provided: [Provided] {
            didSet { combineExperiments() }
        }
        /// The document in use; nil for the default alone.
        var remote: Remote? {
            didSet { combineExperiments() }
        }
        /// The experiments of the document in use and of the providers.
        private(set) var experiments: ExperimentTable
        private let defaultExperiments: ExperimentTable

        fileprivate init(provided: [Provided], defaultExperiments: ExperimentTable) {
            self.provided = provided
            self.defaultExperiments = defaultExperiments
            experiments = defaultExperiments
        }

        private mutating func combineExperiments() {
            // A document's experiments replace the default's: one that the document no longer has is over.
            experiments = (remote?.experiments ?? defaultExperiments).adding(provided.map(\.experiments))
        }
    }

    /// What a provider says.
    struct Provided: Sendable {
        let table: FeatureTable
        /// The experiments that the provider's rules name, each id once.
        let experiments: ExperimentTable
        /// The number of the load that gave it; later loads have higher ones.
        let number: UInt64

        /// What a provider says that was not loaded yet.
        init() {
            table = FeatureTable()
            experiments = .empty
            number = 0
        }

        /// - Parameters:
        ///   - features: The provider's features.
        ///   - rank: The provider's rank.
        ///   - number: The number of the load.
        init(_ features: [FeatureDefinition], rank: LayerRank, number: UInt64) {
            var ids: Set<ExactText> = []
            let named = features.flatMap(\.rules).compactMap(\.experiment).filter {
                ids.insert(ExactText($0.id)).inserted
            }
            table = FeatureTable(features, rank: rank)
            experiments = ExperimentTable(version: nil, experiments: named)
            self.number = number
        }
    }

    /// What a remote document says.
    package struct Remote: Sendable {
        let version: Int
        let table: FeatureTable
        let experiments: ExperimentTable

        /// - Parameters:
        ///   - version: The document's version.
        ///   - features: The document's features.
        ///   - experiments: The document's experiments.
        package init(version: Int, features: [FeatureDefinition], experiments: [Experiment]) {
            self.version = version
            self.experiments = ExperimentTable(version: version, experiments: experiments)
            table = FeatureTable(features, experiments: self.experiments, rank: .remote)
        }
    }

    let domain = RCUDomain()
    package let listeners: FeatureListeners
    /// What is known of evaluations, whichever documents come and go.
    let usage = UsageRegistry()
    /// The providers' names, asked for once: they are user code.
    private let providers: [FeatureSource]
    private let decrypt: Decryptor?
    /// The default document's features beside a remote document, which replaces its experiments, and without one.
    private let `default`: (besideRemote: FeatureTable, alone: FeatureTable)
    let defaultExperiments: ExperimentTable
    private let published: RCUReference<FeatureLayers>
    /// The generation that no handle remembers.
    static let observedGeneration = UInt64.max

    private let latestGeneration = Atomic<UInt64>(0)
    private let now: @Sendable () -> Instant?
    private let state: Locked<(contents: Contents, generation: UInt64)>

    /// Starts with nothing.
    /// - Parameters:
    ///   - options: The options.
    ///   - defaultFeatures: The default document's features.
    ///   - defaultExperiments: The default document's experiments.
    ///   - now: Returns the present, or nil if the clock was not set; called inside a lock.
    package init(
        _ options: FeatureOptions, defaultFeatures: [FeatureDefinition], defaultExperiments: [Experiment],
        now: @escaping @Sendable () -> Instant? = { nil }
    ) {
        self.now = now
        providers = options.providers.map { .provider($0.name) }
        decrypt = options.decrypt
        let experiments = ExperimentTable(version: nil, experiments: defaultExperiments)
        self.defaultExperiments = experiments
        let alone = FeatureTable(defaultFeatures, experiments: experiments, rank: .default)
        let hasExperiments = !experiments.isEmpty || defaultFeatures.flatMap(\.rules).contains { $0.experiment != nil }
        self.default = (
            hasExperiments ? FeatureTable(defaultFeatures.map(\.withoutExperiments), rank: .default) : alone, alone
        )
        // Until something is applied there is nothing, not even the default.
        let nothing = FeatureLayers()
        published = RCUReference(nothing, in: domain)
        listeners = FeatureListeners(nothing)
        let provided = options.providers.map { _ in Provided() }
        state = Locked((Contents(provided: provided, defaultExperiments: experiments), 0))
    }

    /// What all say, kept alive for the caller.
    package var layers: FeatureLayers { published.current }

    /// What all say without the overrides, for explanations; nil if nothing is overridden.
    package var layersWithoutOverrides: FeatureLayers? {
        var (contents, generation) = state.withLock { $0 }
        guard contents.overrides.count > 0 else { return nil }
        contents.overrides = Overrides()
        return layers(contents, generation)
    }

    /// A number that differs after each change of ``layers``, and always while hooks observe every read.
    @inline(__always)
    package var generation: UInt64 { latestGeneration.load(ordering: .acquiring) }

    /// Runs `body` with what all say, without a reference counted.
    /// - Parameter body: As ``RCUDomain/read(_:)`` wants it.
    /// - Returns: What it answers.
    @inline(__always)
    package func read<Result>(_ body: (FeatureLayers) -> Result) -> Result { published.read(body) }

    /// Changes a layer; ``FeatureListeners/tell()`` is to follow.
    /// - Parameter edit: Runs inside a lock.
    func change(_ edit: (inout Contents) -> Void) { retire(exchange(edit)) }

    /// Changes a layer, for callers that hold a lock.
    /// - Parameter edit: Runs inside a lock.
    /// - Returns: The old layers, to be given to ``retire(_:)`` outside the lock.
    func exchange(_ edit: (inout Contents) -> Void) -> FeatureLayers {
        state.withLock { state in
            edit(&state.contents)
            state.generation += 1
            let layers = layers(state.contents, state.generation)
            let old = published.exchange(layers)
            publishGeneration(state.generation)
            listeners.note(layers)
            return old
        }
    }

    /// Releases old layers, and keeps what is known of their usage. Outside all locks: with them may end values of the
    /// service's own types, whose ends may come back here.
    func retire(_ old: FeatureLayers) {
        usage.note(old.takeMarked())
        let layers = layers
        usage.forgetGone { layers.has($0.text) || layers.counters[$0] != nil }
        domain.retire(old)
    }

    /// Lets each handle look at the layers again, once.
    func touchHandles() {
        state.withLock { state in
            state.generation += 1
            publishGeneration(state.generation)
        }
    }

    private func publishGeneration(_ generation: UInt64) {
        latestGeneration.store(usage.isObserved ? Self.observedGeneration : generation, ordering: .releasing)
    }

    private func layers(_ contents: Contents, _ generation: UInt64) -> FeatureLayers {
        var layers = [
            FeatureLayers.Layer(
                rank: .default, source: .default,
                table: contents.remote == nil ? self.default.alone : self.default.besideRemote, decrypt: decrypt),
            FeatureLayers.Layer(rank: .overrides, source: .override, table: contents.overridden, decrypt: decrypt),
        ]
        if let remote = contents.remote {
            let source = FeatureSource.remote(version: remote.version)
            layers.append(FeatureLayers.Layer(rank: .remote, source: source, table: remote.table, decrypt: decrypt))
        }
        for (index, (source, provided)) in zip(providers, contents.provided).enumerated() {
            layers.append(
                FeatureLayers.Layer(
                    rank: .provider(index), source: source, table: provided.table, decrypt: decrypt))
        }
        return FeatureLayers(
            layers, experiments: contents.experiments, document: contents.remote?.experiments ?? defaultExperiments,
            provided: contents.provided.map(\.experiments), overrides: contents.overrides,
            requestsOverride: contents.requestsOverride, usage: usage, generation: generation, now: now)
    }
}

extension FeatureDefinition {
    /// The feature if its experiments are over: a rule with one gives nothing, and only its gates are left.
    fileprivate var withoutExperiments: FeatureDefinition {
        let rules = rules.map { rule in
            rule.experiment == nil
                ? rule
                : FeatureRule(id: rule.id, targeting: rule.targeting, bucket: rule.bucket, isUsable: rule.isUsable)
        }
        return FeatureDefinition(
            name: name, isEnabled: isEnabled, variables: variables, rules: rules, schedule: schedule,
            isDisabled: isDisabled, metadata: metadata)
    }
}
