import Synchronization

/// The features of the remote document and of all other sources; part of ``Setup``.
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
public final class Features: Sendable {
    /// Overrides for testers and consoles.
    public let overrides: FeatureOverrides

    /// The experiments that may set values of the features.
    public let experiments: Experiments

    package let store: FeatureStore
    private let providers: [any FeatureValueProvider]
    /// The providers' names, read once, because they come from user code.
    private let sources: [FeatureSource]
    private let schedules: ScheduleTimer
    private let log: Log
    private let tasks = Locked<[Task<Void, Never>]>([])
    private let loads = Atomic<UInt64>(0)

    /// Creates features without sources; ``load(_:)`` and ``replaceDocument(by:)`` must be called next.
    /// - Parameters:
    ///   - options: The options.
    ///   - defaultFeatures: The default document's features.
    ///   - defaultExperiments: The default document's experiments.
    ///   - log: The log.
    ///   - configure: Changes the dependencies of the experiments.
    package init(
        _ options: FeatureOptions, defaultFeatures: [FeatureDefinition], defaultExperiments: [Experiment], log: Log,
        configure: (inout Experiments.Parts) -> Void = { _ in }
    ) {
        var parts = Experiments.Parts(log: log)
        configure(&parts)
        let store = FeatureStore(
            options, defaultFeatures: defaultFeatures, defaultExperiments: defaultExperiments, log: log
        ) { [time = parts.time] in ScheduleClock.present(of: time) }
        (self.store, self.log, providers) = (store, log, options.providers)
        sources = options.providers.map { .provider($0.name) }
        experiments = Experiments(store, parts)
        schedules = ScheduleTimer(store, experiments.clock)
        overrides = FeatureOverrides(
            file: options.overridesFile.map(OverridesFile.init), store: store,
            unknownNames: store.unknownNames.counter, time: parts.time, log: log)
    }

    /// Creates features from fixed definitions and the sources of the options, for tests and for services without a
    /// remote document.
    ///
    /// ```swift
    /// let features = Features([FeatureDefinition(name: "checkout", isEnabled: true)])
    /// ```
    /// - Parameters:
    ///   - definitions: The features, which take the place of a default document's; none by default.
    ///   - options: The options.
    ///   - log: The log; none by default.
    public convenience init(
        _ definitions: [FeatureDefinition] = [], options: FeatureOptions = FeatureOptions(), log: (any LogSink)? = nil
    ) {
        self.init(definitions, experiments: [], options: options, log: log)
    }

    /// Creates features from fixed definitions and experiments, which record no exposure, because there is no tracker.
    package convenience init(
        _ definitions: [FeatureDefinition] = [], experiments: [Experiment],
        options: FeatureOptions = FeatureOptions(), log: (any LogSink)? = nil
    ) {
        let log = Log(log, level: .info)
        self.init(options, defaultFeatures: definitions, defaultExperiments: experiments, log: log)
        for warning in replaceDocument(by: nil) { log.warning("\(warning)") }
        store.listeners.release()
        follow()
        load { log.warning("\($0)") }
    }

    deinit {
        stop()
    }

    /// All features at this moment.
    public var snapshot: FeatureSnapshot { snapshot(of: store.layers) }

    /// All features of some layers, at this moment.
    package func snapshot(of layers: FeatureLayers) -> FeatureSnapshot {
        FeatureSnapshot(store, experiments, layers, at: layers.usesTime ? experiments.clock.now : nil)
    }

    /// The features for a single read, whose time is determined when the read first needs it.
    @inline(__always)
    private var present: FeatureSnapshot { FeatureSnapshot(store, experiments, store.layers, at: nil) }

    /// The names of all features, sorted.
    public var names: [String] { store.layers.names }

    /// Returns whether a feature is enabled, according to the source with the highest precedence that defines it.
    /// - Parameters:
    ///   - feature: The feature's name.
    ///   - default: The result if no source defines it; false by default.
    ///   - context: The context of rules and experiments; nil, the default, uses that of ``TrackingContext/current``.
    /// - Returns: Whether the feature is enabled.
    public func isEnabled(_ feature: String, default: Bool = false, for context: FeatureContext? = nil) -> Bool {
        switch store.glance(at: .enabled(feature), for: context) {
        case .value(.bool(let isEnabled)): isEnabled
        case .value: evaluated(.enabled(feature), default: `default`, store.layers, nil, for: context)
        case .undecided(let layers, let place):
            evaluated(.enabled(feature), default: `default`, layers, place, for: context)
        case .missing: missed(.enabled(feature), default: `default`)
        }
    }

    /// Returns whether a feature is enabled, with the source and the reason.
    /// - Parameters:
    ///   - feature: The feature's name.
    ///   - default: The value if no source defines it; false by default.
    ///   - context: The context of rules and experiments; nil, the default, uses that of ``TrackingContext/current``.
    /// - Returns: The value with its source and reason.
    public func detail(
        _ feature: String, default: Bool = false, for context: FeatureContext? = nil
    ) -> EvaluationDetail<Bool> {
        present.detail(feature, default: `default`, for: context)
    }

    /// Reads a variable as any `Decodable`; never traps.
    ///
    /// Lossless conversions are made: 3 can be read as `Double`, 3.0 as `Int`, and the strings `"45"` and `"true"`, for
    /// example from environment variables, as a number or a `Bool`. `true` and 10.3 cannot be read as `Int`, nor a
    /// number as `String`.
    /// - Parameters:
    ///   - feature: The feature's name.
    ///   - variable: The variable's name.
    ///   - default: The result if no source has the variable, or if its value cannot be read as this type; the latter
    ///     is logged once for each variable.
    ///   - context: The context of rules and experiments; nil, the default, uses that of ``TrackingContext/current``.
    /// - Returns: The value.
    @_specialize(where Value == Bool)
    @_specialize(where Value == Int)
    @_specialize(where Value == Double)
    @_specialize(where Value == String)
    public func value<Value: Decodable>(
        _ feature: String, variable: String, default: Value, for context: FeatureContext? = nil
    ) -> Value {
        let key = FeatureKey.variable(VariableKey(feature, variable))
        switch store.glance(at: key, for: context) {
        case .value(let value):
            return value.converted(to: Value.self)
                ?? evaluated(key, default: `default`, store.layers, nil, for: context)
        case .missing: return missed(key, default: `default`)
        case .undecided(let layers, let place):
            return evaluated(key, default: `default`, layers, place, for: context)
        }
    }

    /// Reads a value with an evaluation.
    @_specialize(where Value == Bool)
    @_specialize(where Value == Int)
    @_specialize(where Value == Double)
    @_specialize(where Value == String)
    func evaluated<Value: Decodable>(
        _ key: FeatureKey, default: Value, _ layers: FeatureLayers, _ place: FeatureLayers.Place?,
        for context: FeatureContext?, isHandle: Bool = false
    ) -> Value {
        Evaluator.open(store, experiments, layers, for: context, isHandle: isHandle, found: place) {
            $0.value(of: key, as: Value.self) ?? `default`
        }
    }

    @inline(__always)
    private func missed<Value>(_ key: FeatureKey, default: Value) -> Value {
        if !store.unknownNames.countsKnown(key) { store.noteMiss(of: key, in: store.layers) }
        return `default`
    }

    /// Reads a variable together with the source of its value.
    /// - Parameters:
    ///   - feature: The feature's name.
    ///   - variable: The variable's name.
    ///   - default: The result if no source has the variable, or if its value cannot be read as this type.
    ///   - context: The context of rules and experiments; nil, the default, uses that of ``TrackingContext/current``.
    /// - Returns: The value with its source, and the error if there is one.
    public func detail<Value: Decodable>(
        _ feature: String, variable: String, default: Value, for context: FeatureContext? = nil
    ) -> EvaluationDetail<Value> {
        present.detail(feature, variable: variable, default: `default`, for: context)
    }

    /// Reads a variable without a default.
    /// - Parameters:
    ///   - feature: The feature's name.
    ///   - variable: The variable's name.
    ///   - type: The requested type.
    ///   - context: The context of rules and experiments; nil, the default, uses that of ``TrackingContext/current``.
    /// - Returns: The value.
    /// - Throws: ``FeatureError`` if no source has the variable, or if its value cannot be read as this type.
    public func require<Value: Decodable>(
        _ feature: String, variable: String, as type: Value.Type = Value.self, for context: FeatureContext? = nil
    ) throws(FeatureError) -> Value {
        try present.require(feature, variable: variable, for: context)
    }

    /// Reads a whole feature as a type with a property for each variable.
    /// - Parameters:
    ///   - feature: The feature's name.
    ///   - type: The type.
    ///   - context: The context of rules and experiments; nil, the default, uses that of ``TrackingContext/current``.
    /// - Returns: The value.
    /// - Throws: ``FeatureError`` if no source has the feature, or if a variable is missing or has another type.
    public func feature<Value: Decodable>(
        _ feature: String, as type: Value.Type = Value.self, for context: FeatureContext? = nil
    ) throws(FeatureError) -> Value {
        try present.feature(feature, for: context)
    }

    /// Reads a whole feature as JSON values.
    /// - Parameters:
    ///   - feature: The feature's name.
    ///   - context: The context of rules and experiments; nil, the default, uses that of ``TrackingContext/current``.
    /// - Returns: The values in effect; nil if no source has the feature.
    public func values(of feature: String, for context: FeatureContext? = nil) -> FeatureValues? {
        present.values(of: feature, for: context)
    }

    /// Explains whether a feature is enabled: each source, rule and experiment with its verdict and the reason. Records
    /// no exposure and stores nothing.
    /// - Parameters:
    ///   - feature: The feature's name.
    ///   - context: The context of rules and experiments; nil, the default, uses that of ``TrackingContext/current``.
    /// - Returns: The explanation, with the same result as ``detail(_:default:for:)``.
    public func explain(_ feature: String, for context: FeatureContext? = nil) -> FeatureExplanation {
        present.explain(feature, for: context)
    }

    /// Explains a variable: each source, rule and experiment with its verdict and the reason. Records no exposure and
    /// stores nothing.
    /// - Parameters:
    ///   - feature: The feature's name.
    ///   - variable: The variable's name.
    ///   - type: The requested type; any JSON value by default.
    ///   - context: The context of rules and experiments; nil, the default, uses that of ``TrackingContext/current``.
    /// - Returns: The explanation, with the same result as ``detail(_:variable:default:for:)``.
    public func explain<Value: Decodable>(
        _ feature: String, variable: String, as type: Value.Type = JSONValue.self, for context: FeatureContext? = nil
    ) -> FeatureExplanation {
        present.explain(feature, variable: variable, as: type, for: context)
    }
    /// Loads all providers again, and reads the overrides' file.
    ///
    /// It runs on the caller's thread, including ``FeatureValueProvider/load()``. If a source cannot be read, its
    /// features stay unchanged, and the error is logged.
    public func reload() {
        load { warning in log.warning("\(warning)") }
        store.listeners.deliver()
    }

    /// Loads the overrides and all providers.
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
            let new = store.provided(provided.features, by: sources[index], number: number)
            let warnings = change(to: new.experiments) { contents in
                // Of two concurrent loads, keep the later one: it has seen all changes that the earlier one has.
                guard contents.provided[index]?.number ?? 0 < number else { return }
                contents.provided[index] = new
            }
            for warning in warnings { warn(warning) }
        } catch {
            warn(ConfigurationError(.warning, place: place, reason: "keeps its last features: \(error)"))
        }
    }

    /// Replaces the features and experiments of the former document, and holds the listeners;
    /// ``FeatureListeners/release(delivers:)`` must be called next.
    /// - Parameter remote: The document's features and experiments; nil for the default only.
    /// - Returns: The warnings.
    package func replaceDocument(by remote: FeatureStore.Remote?) -> [ConfigurationError] {
        let layer = remote.map(store.layer)
        store.listeners.hold()
        let warnings = change(to: remote?.experiments ?? store.defaultExperiments) { contents in
            contents.remote = remote.flatMap { document in layer.map { (document, $0) } }
        }
        store.forgetReported()
        return warnings
    }

    /// Returns the experiments of a document, which identify the document's version for events of its trackers; see
    /// ``TrackedEvent/experiments``.
    /// - Parameter remote: The document's features and experiments, as for ``replaceDocument(by:)``.
    /// - Returns: The experiments.
    package func experiments(of remote: FeatureStore.Remote?) -> any AnyObject & Sendable {
        remote?.experiments ?? store.defaultExperiments
    }

    /// Changes layers and their experiments together.
    /// - Parameters:
    ///   - table: The new experiments.
    ///   - edit: Changes the layers; runs inside a lock.
    /// - Returns: Warnings about the store.
    private func change(
        to table: ExperimentTable, _ edit: (inout FeatureStore.Contents) -> Void
    ) -> [ConfigurationError] {
        // Opened before a unit can get a variant that has to be stored; outside the lock, because it reads the disk.
        let warnings = experiments.open(for: table)
        _ = store.change(edit)
        schedules.follow()
        return warnings
    }

    /// Follows the providers' changes until ``stop()``. Call it before ``load(_:)``, so that no change is missed.
    package func follow() {
        let followers = providers.enumerated().map { index, provider in
            let changes = provider.changes
            return Task.unbound { [weak self, log] in
                for await _ in changes {
                    self?.load(index) { warning in log.warning("\(warning)") }
                    self?.store.listeners.deliver()
                }
            }
        }
        tasks.withLock { $0 = followers }
    }

    /// Stops following changes, and finishes the sequences and listeners.
    package func stop() {
        let followers = tasks.withLock { $0 }
        for task in followers { task.cancel() }
        overrides.stop()
        schedules.stop()
        store.listeners.finish()
    }
}

extension Features {
    /// The number and the time of each feature's evaluations in this process, sorted by name; features that were not
    /// evaluated are listed too, so that unused flags can be found. Of the features that no source has any more, the
    /// last 10,000 are remembered.
    package var usage: [FeatureUsage] {
        let usages = store.usage.update(at: experiments.parts.time.now)
        let names = Set(store.layers.names.map(ExactText.init)).union(usages.keys)
        return names.sorted().map { usages[$0] ?? FeatureUsage(feature: $0.text) }
    }

    /// The number of reads that failed: their value had another type than the requested one, could not be decrypted, or
    /// was rejected because the read would take too many steps or a unit's id is too long.
    public var readFailures: Int { store.failures.counter.total }

    /// The number of reads and overrides of features, variables, experiments and variants that no source has. The first
    /// of each name is a warning in the log. They are not counted before a document is applied or another source has
    /// features.
    public var unknownNames: Int { store.unknownNames.counter.total }
}
