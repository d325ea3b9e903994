import Synchronization

/// A tracker of the events of one namespace.
///
/// A tracker can be used from any thread. ``track(_:entities:subject:trueTimestamp:)`` never waits and does no I/O.
/// Settings can be changed while it runs, through ``network``, ``settings``, ``subject``, ``session`` and ``emitter``;
/// such changes have precedence over every remote document. These settings are for the whole process. The subject of an
/// event belongs to its request; see ``TrackingContext``.
///
/// ```swift
/// let context = TrackingContext(subject: EventSubject(userID: "u-1"))
/// withTrackingContext(context) {
///     _ = tracker.track(Structured(category: "cart", action: "add"))
/// }
/// ```
public final class Tracker: Sendable, NamespaceEmitter.Owner {
    struct State: Sendable {
        // The data for each event comes first, in few cache lines.
        var settings: EffectiveSettings
        /// The number of the tracker's last event.
        var sequence: UInt64
        var random: RandomPool
        var isPaused = false
        var isRemoved = false
        var session: Session
        var prepared: PreparedSettings
        /// Limits the tracker's own errors that become events: one per cause and minute.
        var diagnostics = LogThrottle()
        var extensions = TrackerExtensions()
        /// The collectors for which missing request headers were logged.
        var originsWithoutHeaders: Set<Origin> = []
        /// Increases with each change of the layers.
        var generation = 0
    }

    /// Layers with the settings that result from them.
    ///
    /// A class, because layers are large to copy, and a document may prepare a thousand of them.
    package final class PreparedSettings: Sendable {
        let layers: TrackerLayers
        fileprivate let settings: EffectiveSettings
        fileprivate let generation: Int

        /// Merges the layers of a tracker, or of a new tracker if no generation is given.
        /// - Throws: An error if the resulting settings cannot be used.
        package init(namespace: String, layers: TrackerLayers, generation: Int = 0) throws(ConfigurationError) {
            settings = try EffectiveSettings(namespace: namespace, layers: layers)
            self.layers = layers
            self.generation = generation
        }
    }

    /// The version of this SDK, as in the parameter `tv` of events.
    public static var version: String { TrackerVersion.current }

    /// The name that identifies this tracker, `tna`.
    public let namespace: String

    package let pipeline: EventPipeline
    package let namespaceEmitter: NamespaceEmitter
    let state: Locked<State>
    /// Whether events need more than the encoder: plugins or the like, or sampling. Most trackers have none.
    let hasExtensions = Atomic<Bool>(false)

    /// Creates a tracker that only code configures.
    /// - Parameters:
    ///   - bundle: The tracker's configuration; a collector's URL is required.
    ///   - pipeline: The pipeline of its events; at most one tracker of a namespace may use it at a time.
    /// - Throws: ``ConfigurationError`` if the collector's URL is missing or cannot be used, if the namespace is empty
    ///   or too long, or if another value cannot be used, such as a ``NetworkConfiguration/certificateFile`` that
    ///   cannot be read.
    public convenience init(_ bundle: ConfigurationBundle, pipeline: EventPipeline) throws(ConfigurationError) {
        try bundle.check()
        var clamped = bundle
        var warnings: [String] = []
        clamped.clamp { place, reason in warnings.append("\(place): \(reason)") }
        var layers = TrackerLayers()
        layers.adopt(default: clamped, remote: nil, origin: LayerOrigin(defaultTime: pipeline.time.wallTime))
        try self.init(PreparedSettings(namespace: bundle.namespace, layers: layers), pipeline: pipeline)
        for warning in warnings { settingsLog.warning(warning) }
    }

    /// Creates a tracker from its prepared layers.
    package init(_ preparation: PreparedSettings, pipeline: EventPipeline) throws(ConfigurationError) {
        let settings = preparation.settings
        let namespace = settings.namespace
        if let fault = ConfigurationBundle.fault(ofNamespace: namespace) {
            throw ConfigurationError(.outOfRange, place: "namespace", reason: fault)
        }
        var random = RandomPool(pipeline.random)
        self.namespace = namespace
        self.pipeline = pipeline
        namespaceEmitter = pipeline.emitter(for: namespace)
        let session = Session(
            pipeline.sessions.withLock { $0[exactly: namespace] },
            isContinued: settings.session.continueSessionOnRestart == true,
            time: pipeline.time,
            newUserID: EventID(high: random.next(), low: random.next()))
        // Higher than the numbers of an earlier tracker of the namespace, whose events may still wait.
        let first = UInt64(max(0, pipeline.time.uptime / .nanoseconds(1)))
        state = Locked(
            State(settings: settings, sequence: first, random: random, session: session, prepared: preparation))
        state.withLock { noteExtensions($0) }
        namespaceEmitter.attach(self, settings: settings)
        pipeline.emitterChanged(namespaceEmitter)
        warnOfHeaders(settings)
    }

    /// Warns once about a collector that gets no request headers.
    private func warnOfHeaders(_ settings: EffectiveSettings) {
        let origin = settings.endpoint.origin
        guard settings.withholdsHeaders, state.withLock({ $0.originsWithoutHeaders.insert(origin).inserted }) else {
            return
        }
        settingsLog.warning(
            "request headers are not sent to \(origin), which only the document names; name it in code, as an "
                + "endpoint or in allowedCollectors")
    }

    // Not at the tracker's own level, which is off by default: a rejected setting shows nowhere else.
    var settingsLog: Log { pipeline.log.scoped(to: namespace) }

    /// The numbers of the tracker's events by outcome.
    public var counters: TrackerCounters { namespaceEmitter.counters }

    /// The session of the tracker's own user, to keep for the next process; nil without one.
    var sessionRecord: SessionRecord? {
        state.withLock { $0.settings.hasSession ? $0.session.record : nil }
    }

    /// The layers of all settings, which explain them.
    package var layers: TrackerLayers { state.withLock { $0.prepared }.layers }

    /// Merges a new default and remote layer below the runtime layer, and changes nothing yet.
    /// - Returns: The result.
    /// - Throws: An error if the resulting settings cannot be used.
    package func prepare(
        default defaults: ConfigurationBundle?, remote: ConfigurationBundle?, origin: LayerOrigin,
        experiments: (any AnyObject & Sendable)? = nil
    ) throws(ConfigurationError) -> PreparedSettings {
        let (former, generation) = state.withLock { ($0.prepared, $0.generation) }
        var layers = former.layers
        layers.adopt(default: defaults, remote: remote, origin: origin, experiments: experiments)
        return try PreparedSettings(namespace: namespace, layers: layers, generation: generation)
    }

    /// Applies prepared layers, below the values that were set at run time in the meantime.
    /// - Throws: An error if they cannot be used together; then nothing is changed.
    package func commit(_ preparation: PreparedSettings) throws(ConfigurationError) {
        try change { (state) throws(ConfigurationError) in
            if state.generation == preparation.generation { return preparation }
            var layers = state.prepared.layers
            layers.adoptBelowRuntime(of: preparation.layers)
            return try PreparedSettings(namespace: namespace, layers: layers)
        }
    }

    /// Changes the layers and everything that depends on them, or nothing.
    func change(_ body: (inout TrackerLayers) throws(ConfigurationError) -> Void) throws(ConfigurationError) {
        try change { (state) throws(ConfigurationError) in
            var layers = state.prepared.layers
            try body(&layers)
            return try PreparedSettings(namespace: namespace, layers: layers)
        }
    }

    private func change(_ body: (State) throws(ConfigurationError) -> PreparedSettings) throws(ConfigurationError) {
        // The former settings leave the lock, because the last reference to a document's experiments releases them.
        let (_, newSettings) = try state.withLock {
            (state) throws(ConfigurationError) -> (PreparedSettings, EffectiveSettings?) in
            let former = state.prepared
            state.prepared = try body(state)
            state.generation += 1
            let settings = state.prepared.settings
            if settings.isEqual(to: state.settings) { return (former, nil) }
            if settings.isUserAnonymous != state.settings.isUserAnonymous { state.session.end() }
            state.settings = settings
            noteExtensions(state)
            // Within the lock, so that the later of two changes stays.
            namespaceEmitter.change(self) { $0.settings = settings }
            return (former, settings)
        }
        guard let newSettings else { return }
        pipeline.emitterChanged(namespaceEmitter)
        warnOfHeaders(newSettings)
    }

    /// Shuts the tracker down; its unsent events stay in the store.
    package func remove() {
        state.withLock { $0.isRemoved = true }
        namespaceEmitter.detach(self)
        pipeline.emitterChanged(namespaceEmitter)
    }
}
