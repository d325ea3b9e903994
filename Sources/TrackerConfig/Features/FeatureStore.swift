import Synchronization

/// Puts together what all providers say, and publishes it anew with each change.
final class FeatureStore: Sendable {
    /// What each of them says.
    struct Contents: Sendable {
        var overrides = FeatureTable()
        /// The variants that are forced, by the experiment's id.
        var forced: [String: String] = [:]
        /// The service's own providers, in their order.
        var provided: [FeatureTable]
        /// The document in use; nil for the default alone.
        var remote: Remote?
    }

    /// What a remote document says.
    struct Remote: Sendable {
        let version: Int
        let table: FeatureTable
        let experiments: ExperimentTable

        init(_ document: Document) {
            version = document.version
            table = FeatureTable(document.features)
            experiments = ExperimentTable(version: document.version, experiments: document.experiments)
        }
    }

    let domain = ReadDomain()
    let listeners: FeatureListeners
    private let options: FeatureOptions
    private let `default`: FeatureTable
    let defaultExperiments: ExperimentTable
    private let published: Published<FeatureLayers>
    private let latestGeneration = Atomic<UInt64>(0)
    private let state: Locked<(contents: Contents, generation: UInt64)>

    init(_ options: FeatureOptions, default: DefaultConfiguration) {
        self.options = options
        self.default = FeatureTable(`default`.features)
        defaultExperiments = ExperimentTable(version: nil, experiments: `default`.experiments)
        // Until something is applied there is nothing, not even the default.
        let nothing = FeatureLayers(upper: [], lower: [])
        published = Published(nothing, in: domain)
        listeners = FeatureListeners(nothing)
        state = Locked((Contents(provided: options.providers.map { _ in FeatureTable() }), 0))
    }

    /// What all say, kept alive for the caller.
    var layers: FeatureLayers { published.current }

    /// The number of ``layers``.
    @inline(__always)
    var generation: UInt64 { latestGeneration.load(ordering: .acquiring) }

    /// Runs `body` with what all say, without a reference counted.
    /// - Parameter body: As ``ReadDomain/read(_:)`` wants it.
    /// - Returns: What it answers.
    @inline(__always)
    func read<Result>(_ body: (FeatureLayers) -> Result) -> Result { published.read(body) }

    /// Changes what somebody says; ``FeatureListeners/tell()`` is to follow.
    func change(_ edit: (inout Contents) -> Void) {
        state.withLock { state in
            edit(&state.contents)
            state.generation += 1
            let layers = layers(state.contents, state.generation)
            published.replace(with: layers)
            latestGeneration.store(state.generation, ordering: .releasing)
            listeners.note(layers)
        }
    }

    /// All that has a say, in the order of priority.
    private func layers(_ contents: Contents, _ generation: UInt64) -> FeatureLayers {
        var upper = [FeatureLayers.Layer(source: .override, table: contents.overrides, decrypt: nil)]
        for (provider, table) in zip(options.providers, contents.provided) {
            let decrypt = provider.decrypt ?? options.decrypt
            upper.append(FeatureLayers.Layer(source: .provider(provider.name), table: table, decrypt: decrypt))
        }
        var lower: [FeatureLayers.Layer] = []
        if let remote = contents.remote {
            let source = FeatureSource.remote(version: remote.version)
            lower.append(FeatureLayers.Layer(source: source, table: remote.table, decrypt: options.decrypt))
        }
        lower.append(FeatureLayers.Layer(source: .default, table: `default`, decrypt: options.decrypt))
        // A document's experiments take the place of the default's: one that it no longer has is over.
        let experiments = contents.remote?.experiments ?? defaultExperiments
        return FeatureLayers(
            upper: upper, lower: lower, experiments: experiments, forced: contents.forced, generation: generation)
    }
}
