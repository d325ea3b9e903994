/// Stores and sends the events of trackers: a store, and an emitter for each namespace.
///
/// Trackers of one service share a pipeline. It works on a thread of its own;
/// ``Tracker/track(_:entities:subject:trueTimestamp:)`` only appends bytes to memory.
///
/// ```swift
/// let pipeline = EventPipeline(stateDirectory: "/var/lib/checkout")
/// let tracker = try Tracker(
///     ConfigurationBundle(namespace: "checkout", network: NetworkConfiguration(endpoint: "https://collector.example.com")),
///     pipeline: pipeline
/// )
/// tracker.track(Structured(category: "cart", action: "add"))
/// print(await pipeline.shutdown(timeout: .seconds(5)))
/// ```
public actor EventPipeline: SignalReceiver {
    /// How often old events of namespaces that get no new ones are looked for.
    static let sweepInterval = Duration.seconds(3600)
    /// How often what dead processes left is looked for, and the store is tended.
    static let takeOverInterval = Duration.seconds(30)
    /// How many milliseconds an event may wait for others to be taken with it.
    static let commitWindow = 2

    nonisolated let thread = ThreadExecutor(name: "tracker-store")
    nonisolated let intake: EventIntake
    nonisolated let tap: EventTap
    nonisolated let emitters = Locked(Emitters())
    private nonisolated let changed = Locked<[NamespaceEmitter]>([])
    nonisolated let time: any TimeSource
    nonisolated let random: any RandomSource
    nonisolated let transport: any HTTPTransport
    nonisolated let log: Log

    /// The last session of each namespace, of this process or of an earlier one.
    nonisolated let sessions: Locked<[ExactText: SessionRecord]>

    /// Events in the service's directory that wait for a process that has their namespaces, by namespace; this process has
    /// none of them. Updated every 30 s.
    public nonisolated var unclaimedEvents: [String: Int] {
        Dictionary(unclaimed.withLock { $0 }.map { ($0.key.text, $0.value.count) }, uniquingKeysWith: +)
    }

    /// The number of events of this process that found no room in a file and waited in memory only, where a kill would have
    /// lost them; 0 without a state directory.
    public nonisolated var memoryOnlyEvents: Int { memoryOnly.withLock { $0 } }

    /// Why events are kept in memory although there is a state directory; nil if there are none.
    package nonisolated var storeFailure: StoreCondition.Failure? { failure.withLock { $0 } }

    /// The warnings of the opening of the store, one sentence each.
    public nonisolated let warnings: [String]

    let store: EventStore
    var jitter: RandomPool
    /// The id of the last flush or request.
    var lastID: UInt64 = 0
    var isClosed = false
    /// The last task that takes over what dead processes left; each begins after the one before.
    var takeOverTask: Task<Void, Never>?
    /// Whether that task has not begun yet.
    var isTakeOverDue = false
    /// Whether a task waits to let the store do what it could not do at once.
    var isCareScheduled = false
    var lastSweep = Duration.zero
    nonisolated let memoryOnly = Locked(0)
    package nonisolated let unclaimed = Locked<[ExactText: UnclaimedEvents]>([:])
    nonisolated let failure: Locked<StoreCondition.Failure?>

    /// The pipeline's own thread.
    public nonisolated var unownedExecutor: UnownedSerialExecutor { thread.asUnownedSerialExecutor() }

    /// Opens the store and starts the pipeline's thread.
    /// - Parameters:
    ///   - stateDirectory: The service's own directory for unsent events, on a local file system; it is created if it
    ///     is missing. nil keeps events in memory. If it cannot be used, events are kept in memory too, with a warning,
    ///     until it can be used.
    ///   - serviceName: The name of the service; processes with other names do not touch its events. nil for the
    ///     executable's name.
    ///   - deadLetters: What is kept of events that are never sent; ``DeadLetters/off`` by default. Without a state directory
    ///     nothing can be kept, which is counted and logged.
    ///   - maxMemoryEventBytes: The most bytes of unsent events of all namespaces in memory. 1,000,000 … 1,099,511,627,776 (1 TiB), clamped; 268,435,456 (256 MiB) by default. Beyond
    ///     it, as while there is no state directory or its disk takes no events, the oldest events of the namespace that has most bytes in memory are dropped as ``DropReason/storeFull``, except
    ///     those that are being sent.
    ///   - transport: The transport of the requests; nil for a ``CurlTransport`` of its own.
    ///   - log: Takes the log's lines; nil for none.
    ///   - logLevel: The severity up to which lines are logged that are about the store or a failure to deliver events;
    ///     details of one tracker's work follow its own ``TrackerConfiguration/logLevel``. Built in: ``LogLevel/info``.
    public init(
        stateDirectory: String?,
        serviceName: String? = nil,
        deadLetters: DeadLetters = .off,
        maxMemoryEventBytes: Int = 268_435_456,
        transport: (any HTTPTransport)? = nil,
        log: (any LogSink)? = nil,
        logLevel: LogLevel = .info
    ) {
        self.init(
            directory: stateDirectory.map { StateDirectory(path: $0, service: serviceName ?? ServiceName.executable) },
            deadLetters: deadLetters, maxMemoryEventBytes: maxMemoryEventBytes, transport: transport,
            log: Log(log, level: logLevel), time: SystemTime())
    }

    /// Opens the store and starts the pipeline's thread.
    /// - Parameters:
    ///   - directory: The service's directory for unsent events; nil for memory only.
    ///   - deadLetters: What is kept of events that are never sent.
    ///   - maxMemoryEventBytes: The most bytes of events in memory.
    ///   - transport: The transport of the requests; nil for a ``CurlTransport`` of its own.
    ///   - tap: Shows events as they are tracked.
    ///   - log: The log of messages that are about no single tracker.
    ///   - time: The clock.
    ///   - random: The source of ids and jitter.
    package init(
        directory: StateDirectory?, deadLetters: DeadLetters = .off,
        maxMemoryEventBytes: Int = EventStore.defaultMemoryBytes, transport: (any HTTPTransport)?,
        tap: EventTap = EventTap(), log: Log, time: any TimeSource, random: any RandomSource = SystemRandom()
    ) {
        self.tap = tap
        self.transport = transport ?? CurlTransport(threadName: "tracker-http")
        self.time = time
        self.random = random
        self.log = log
        jitter = RandomPool(random)
        store = EventStore(
            directory: directory, deadLetters: deadLetters, maxMemoryBytes: maxMemoryEventBytes, time: time, log: log)
        (intake, sessions, warnings) = (store.log.intake, store.sessions, store.warnings)
        failure = Locked(store.condition.failure)
        guard directory != nil else { return }
        Task.unbound { [weak self, time] in
            repeat {
                await self?.tend()
            } while await time.sleepUnlessCancelled(for: Self.takeOverInterval) && self != nil
        }
    }

    /// The emitter of a namespace, the same one until it ends.
    nonisolated func emitter(for namespace: String) -> NamespaceEmitter {
        emitters.withLock { $0.emitter(of: namespace) }
    }

    /// Makes the pipeline's thread store what is in the queue. The thread holds the pipeline until it has, so that a
    /// service that releases its trackers loses nothing.
    nonisolated func drainSoon(withinMilliseconds milliseconds: Int) {
        thread.signal(self, withinMilliseconds: milliseconds)
    }

    package func signalled() { drain() }

    /// The wall clock, in milliseconds since 1970.
    package nonisolated var now: Int64 { time.wallTime }

    /// Does something after a time, unless the task is cancelled before it begins.
    func after(
        _ wait: Duration, _ action: @escaping @Sendable (isolated EventPipeline) -> Void
    ) -> Task<Void, Never> {
        Task.unbound { [weak self, time] in
            guard await time.sleepUnlessCancelled(for: wait) else { return }
            await self?.unlessCancelled(action)
        }
    }

    private func unlessCancelled(_ action: (isolated EventPipeline) -> Void) {
        if !Task.isCancelled { action(self) }
    }

    /// Makes delivery follow what was changed in an emitter.
    nonisolated func emitterChanged(_ emitter: NamespaceEmitter) {
        // One task serves all changes until it begins: a document may make or change a thousand trackers.
        let isFirst = changed.withLock { changed in
            changed.append(emitter)
            return changed.count == 1
        }
        if isFirst { Task.unbound { await self.followChanges() } }
    }

    private func followChanges() {
        for emitter in changed.exchange([]) { follow(emitter) }
        releaseEmitters()
    }

    /// Drops the unsent events of all namespaces except the given ones.
    /// - Parameter namespaces: The namespaces whose events stay.
    /// - Returns: The number of dropped events.
    @discardableResult
    public func removeUnsentEvents(exceptNamespaces namespaces: Set<String>) async -> Int {
        drain()
        // Those too that wait for a process with their namespace.
        await takeOver()
        for namespace in unclaimedEvents.keys where !namespaces.contains(namespace) {
            _ = emitter(for: namespace)
        }
        startTakeOver { !namespaces.contains($0.namespace) }
        await takeOverTask?.value
        var removed = 0
        for namespace in store.namespaces().subtracting(namespaces) {
            let emitter = emitter(for: namespace)
            openPartitions()
            removed += store.clear(emitter.index)
        }
        applyChanges()
        return removed
    }
}
