import Synchronization

/// Settings and flags from the remote document and all other sources; part of ``Setup``.
///
/// Reads never block, never trap and never wait for a change; they may come from any thread.
///
/// ```swift
/// let features = setup.features
/// if features.isEnabled("checkout") {
///     let limit = features.value("checkout", variable: "retryLimit", default: 3)
/// }
/// for await change in features.changes(of: "checkout") { print(change.new?.variables ?? [:]) }
/// ```
public final class Features: FeatureReading {
    /// Overrides for testers and consoles.
    public let overrides: FeatureOverrides

    package let store: FeatureStore
    package let reader: FeatureReader
    private let providers: [any FeatureValueProvider]
    private let schedules: ScheduleTimer
    private let log: Log
    private let tasks = Locked<[Task<Void, Never>]>([])
    private let loads = Atomic<UInt64>(0)
    /// Held by the thread that changes layers with experiments, so that those are adopted in the order of the layers.
    private let adoption = Locked(())

    /// Starts with nothing; ``load(_:)`` and ``adopt(_:isFetched:)`` are to follow.
    /// - Parameters:
    ///   - options: The options.
    ///   - defaultFeatures: The default document's features.
    ///   - defaultExperiments: The default document's experiments.
    ///   - log: The log.
    ///   - configure: Adds to what the experiments work with.
    package init(
        _ options: FeatureOptions, defaultFeatures: [FeatureDefinition], defaultExperiments: [Experiment], log: Log,
        configure: (inout Experiments.Parts) -> Void = { _ in }
    ) {
        var parts = Experiments.Parts(table: { .empty }, log: log)
        configure(&parts)
        let store = FeatureStore(
            options, defaultFeatures: defaultFeatures, defaultExperiments: defaultExperiments
        ) { [time = parts.time] in ScheduleClock.present(of: time) }
        parts.table = { store.read(\.experiments) }
        parts.forced = { id in store.read { $0.forced(id) } }
        parts.tables = { store.layers.experiments(with: $0) }
        let link = Locked<FeatureReader.Link>(FeatureReader.Link())
        parts.meets = { prerequisite, context, records, budget in
            let request = FeatureReader.Request(
                layers: store.layers, context: context, records: records, isNested: true)
            return link.withLock { $0.reader }?.meets(prerequisite, of: nil, request, budget) ?? false
        }
        parts.report = { fault, id in
            link.withLock { $0.reader }?.report(
                FeatureError(fault, place: "experiment \(id.excerpt)"), of: .enabled(id))
        }
        providers = options.providers
        self.log = log
        self.store = store
        let reader = FeatureReader(experiments: Experiments(parts), log: log)
        link.withLock { $0.reader = reader }
        self.reader = reader
        schedules = ScheduleTimer(store, reader.experiments.clock)
        overrides = FeatureOverrides(
            file: options.overridesFile.map(OverridesFile.init), store: store,
            unknownNames: reader.unknownNames, time: parts.time, log: log)
    }

    /// Creates features from fixed definitions and the sources of the options, for tests and for services without a
    /// remote document.
    ///
    /// ```swift
    /// let features = Features([FeatureDefinition(name: "checkout", isEnabled: true)])
    /// ```
    /// - Parameters:
    ///   - definitions: The features, in the place of a default document's; none by default.
    ///   - experiments: The experiments; none by default. They record no exposure, because there is no tracker.
    ///   - options: The options.
    ///   - log: The log; none by default.
    public convenience init(
        _ definitions: [FeatureDefinition] = [], experiments: [Experiment] = [],
        options: FeatureOptions = FeatureOptions(), log: (any LogSink)? = nil
    ) {
        let log = Log(log, level: .info)
        self.init(options, defaultFeatures: definitions, defaultExperiments: experiments, log: log)
        for warning in adopt(nil, isFetched: false) { log.warning("\(warning)") }
        store.listeners.release()
        follow()
        load { log.warning("\($0)") }
    }

    /// The experiments that decide values of the features.
    public var experiments: Experiments { reader.experiments }

    deinit {
        stop()
    }

    /// All features at this moment.
    public var snapshot: FeatureSnapshot { FeatureSnapshot(layers: store.layers, reader: reader) }

    /// Returns whether a feature is enabled, by the highest source in precedence that defines it.
    /// - Parameters:
    ///   - feature: The feature's name.
    ///   - default: The result if no source defines it; false by default.
    /// - Returns: Whether the feature is enabled, for the context of ``TrackingContext/current``.
    public func isEnabled(_ feature: String, default: Bool = false) -> Bool {
        // Apart from the form with a context, because passing none costs as much as the look-up.
        isEnabled(store.read { $0.lookUpEnabled(feature, for: nil) }, feature, for: nil) ?? `default`
    }

    /// Returns whether a feature is enabled for a context.
    /// - Parameters:
    ///   - feature: The feature's name.
    ///   - default: The result if no source defines it; false by default.
    ///   - context: The context for rules and experiments; nil takes that of ``TrackingContext/current``.
    /// - Returns: Whether the feature is enabled.
    public func isEnabled(_ feature: String, default: Bool = false, for context: FeatureContext?) -> Bool {
        isEnabled(store.read { $0.lookUpEnabled(feature, for: context) }, feature, for: context) ?? `default`
    }

    @inline(__always)
    private func isEnabled(
        _ found: FeatureLayers.EnabledLookup, _ feature: String, for context: FeatureContext?
    ) -> Bool? {
        switch found {
        case .value(let isEnabled?): return isEnabled
        case .value(nil):
            reader.noteMiss(of: .enabled(feature), in: store.layers)
            return nil
        case .decided(let decided, let layers): return isEnabled(feature, decided, layers, for: context)
        case .unresolved: return isEnabled(feature, nil, store.layers, for: context)
        }
    }

    @inline(never)
    private func isEnabled(
        _ feature: String, _ decided: DecidedKey?, _ layers: FeatureLayers, for context: FeatureContext?
    ) -> Bool? {
        reader.isEnabled(feature, FeatureReader.Request(layers: layers, context: context.orCurrent), decided)
    }

    /// Reads a variable; never traps.
    /// - Parameters:
    ///   - feature: The feature's name.
    ///   - variable: The variable's name.
    ///   - default: The result if no source has the variable, or if its value cannot be read as this type; the latter is
    ///     logged once for each variable.
    ///   - context: The context for rules and experiments; nil, the default, takes that of ``TrackingContext/current``.
    /// - Returns: The value.
    @_specialize(where Value == Bool)
    @_specialize(where Value == Int)
    @_specialize(where Value == Double)
    @_specialize(where Value == String)
    public func value<Value: Decodable>(
        _ feature: String, variable: String, default: Value, for context: FeatureContext? = nil
    ) -> Value {
        anyValue(VariableKey(feature, variable), default: `default`, for: context)
    }

    // Apart, because generic code asks the runtime at its beginning how large an optional `Value` is.
    @inline(never)
    private func anyValue<Value: Decodable>(
        _ key: VariableKey, default: Value, for context: FeatureContext?
    ) -> Value {
        // Most reads end here, without a reference counted.
        let skipsExperiments = context == nil && !TrackingContext.isEvaluationBound
        switch store.read({ $0.lookUp(key, for: context, skipsExperiments: skipsExperiments) }) {
        case .missing:
            reader.noteMiss(of: .variable(key), in: store.layers)
            return `default`
        case .value(let found): if let value = found.converted(to: Value.self) { return value }
        case .decided(let decided, let layers):
            let request = FeatureReader.Request(layers: layers, context: context.orCurrent)
            return reader.value(key, request, decided, default: `default`)
        case .unresolved: break
        }
        let request = FeatureReader.Request(layers: store.layers, context: context.orCurrent)
        return reader.value(key, request, default: `default`)
    }

    /// Loads all providers again, and reads the overrides' file.
    ///
    /// It runs on the caller's thread, as ``FeatureValueProvider/load()`` does. If a source cannot be read, its features stay as
    /// they were, and the error is logged.
    public func reload() {
        load { warning in log.warning("\(warning)") }
        store.listeners.tell()
    }

    /// Asks all providers.
    package func load(_ warn: (ConfigurationError) -> Void) {
        do {
            for warning in try overrides.load() {
                warn(ConfigurationError(.warning, place: "overrides", reason: "\(warning)"))
            }
        } catch {
            warn(ConfigurationError(.warning, place: "overrides", reason: overrides.words(of: error)))
        }
        for index in providers.indices { load(index, warn) }
    }

    private func load(_ index: Int, _ warn: (ConfigurationError) -> Void) {
        let place = "provider \(providers[index].name)"
        let number = loads.wrappingAdd(1, ordering: .relaxed).newValue
        do {
            let provided = try providers[index].load()
            for warning in provided.warnings { warn(ConfigurationError(.warning, place: place, reason: "\(warning)")) }
            let new = FeatureStore.Provided(provided.features, rank: .provider(index), number: number)
            let warnings = change(to: new.experiments, isFetched: false) { contents in
                // Of two loads at one time the one that began later has not seen less.
                guard contents.provided[index].number < number else { return }
                contents.provided[index] = new
            }
            for warning in warnings { warn(warning) }
        } catch {
            warn(ConfigurationError(.warning, place: place, reason: "keeps its last features: \(error)"))
        }
    }

    /// Puts a document's features and experiments in the place of the former one's, and holds the listeners;
    /// ``FeatureListeners/release(tells:)`` is to follow.
    /// - Parameters:
    ///   - remote: The document's part; nil stands for the default alone.
    ///   - isFetched: Whether it was fetched now, which removes what was stored for experiments that it does not have.
    /// - Returns: What is odd.
    package func adopt(_ remote: FeatureStore.Remote?, isFetched: Bool) -> [ConfigurationError] {
        store.listeners.hold()
        let warnings = change(
            to: remote?.experiments ?? store.defaultExperiments, isFetched: isFetched && providers.isEmpty
        ) { contents in
            contents.remote = remote
        }
        reader.forgetReported()
        return warnings
    }

    /// The experiments of a document, by which events of its trackers carry its version; see ``TrackedEvent/document``.
    /// - Parameter remote: The document's part, as ``adopt(_:isFetched:)`` gets it.
    /// - Returns: The experiments.
    package func document(_ remote: FeatureStore.Remote?) -> any AnyObject & Sendable {
        remote?.experiments ?? store.defaultExperiments
    }

    /// Changes layers and their experiments together.
    /// - Parameters:
    ///   - table: The experiments that come.
    ///   - isFetched: Whether what is stored for experiments that no source has is to be forgotten.
    ///   - edit: Changes the layers; runs inside a lock.
    /// - Returns: What is odd about the store.
    private func change(
        to table: ExperimentTable, isFetched: Bool, _ edit: (inout FeatureStore.Contents) -> Void
    ) -> [ConfigurationError] {
        // Before a unit can be given a variant that is to be stored. Outside the lock, because it reads the disk.
        let warnings = experiments.open(for: table, isFetched: isFetched)
        let old = adoption.withLock { _ in
            experiments.expect(table)
            let old = store.exchange(edit)
            experiments.adopt(store.layers.experiments, isFetched: isFetched)
            return old
        }
        store.retire(old)
        schedules.follow()
        return warnings
    }

    /// Follows the providers' changes, until ``stop()``; to be called before ``load(_:)``, so that none in between is lost.
    package func follow() {
        let followers = providers.enumerated().map { index, provider in
            let changes = provider.changes
            return Task.unbound { [weak self, log] in
                for await _ in changes {
                    self?.load(index) { warning in log.warning("\(warning)") }
                    self?.store.listeners.tell()
                }
            }
        }
        tasks.withLock { $0 = followers }
    }

    /// Follows no more, and finishes the sequences of changes and the hooks.
    package func stop() {
        let followers = tasks.withLock { $0 }
        for task in followers { task.cancel() }
        overrides.stop()
        schedules.stop()
        store.listeners.finish()
        // Reads are plain again.
        if store.usage.finish() { store.change { _ in } }
    }
}
