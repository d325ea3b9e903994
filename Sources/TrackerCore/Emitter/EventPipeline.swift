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
    /// The interval between searches for expired events of namespaces without new events.
    static let sweepInterval = Duration.seconds(3600)
    /// The interval between runs of the store's maintenance and searches for events of dead processes.
    static let maintenanceInterval = Duration.seconds(30)
    /// The maximum time, in milliseconds, for which an event waits to be stored together with others.
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

    /// The last session of each namespace, from this process or an earlier one.
    nonisolated let sessions: Locked<[ExactText: SessionRecord]>

    /// The numbers of events in the service's directory whose namespaces this process does not have, by namespace; they
    /// wait for a process that has them. Updated every 30 s.
    public nonisolated var unclaimedEvents: [String: Int] {
        Dictionary(unclaimed.withLock { $0 }.map { ($0.key.text, $0.value.count) }, uniquingKeysWith: +)
    }

    /// The number of events of this process that did not fit into a file and were kept in memory only, where a kill
    /// would have lost them; 0 without a state directory.
    public nonisolated var memoryOnlyEvents: Int { memoryOnly.withLock { $0 } }

    /// The reason why events are kept in memory despite a state directory; nil if they are not.
    package nonisolated var storeFailure: StoreCondition.Failure? { failure.withLock { $0 } }

    /// The warnings of the opening of the store, one sentence each.
    public nonisolated let warnings: [String]

    let store: EventStore
    var jitter: RandomPool
    /// The id of the last flush or request.
    var lastID: UInt64 = 0
    var isClosed = false
    /// The last task that takes over events of dead processes; each begins after the previous one.
    var takeOverTask: Task<Void, Never>?
    /// Whether that task has not begun yet.
    var isTakeOverDue = false
    /// Whether a task is scheduled to run the store's postponed work.
    var isPostponedWorkScheduled = false
    var lastSweep = Duration.zero
    /// Whether a task logs losses without a line.
    nonisolated let isReportingLosses = Locked(false)
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
    ///   - deadLetters: The setting for events that are never sent; ``DeadLetters/off`` by default. Without a state
    ///     directory nothing can be kept, which is counted and logged.
    ///   - maxMemoryEventBytes: The maximum size of unsent events of all namespaces in memory, in bytes; 1,000,000 …
    ///     1,099,511,627,776 (1 TiB), clamped; 268,435,456 (256 MiB) by default. Beyond it, for example without a state
    ///     directory or while its disk takes no events, the oldest events of the namespace with most bytes in memory
    ///     are dropped as ``DropReason/storeFull``, except those that are being sent.
    ///   - transport: The transport of the requests; nil for a ``CurlTransport`` of its own.
    ///   - log: The receiver of log lines; nil for none.
    ///   - logLevel: The level up to which lines about the store or a failure to deliver events are logged; details of
    ///     one tracker's work follow its own ``TrackerConfiguration/logLevel``. Built in: ``LogLevel/info``.
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
    ///   - deadLetters: The setting for events that are never sent.
    ///   - maxMemoryEventBytes: The maximum size of events in memory, in bytes.
    ///   - transport: The transport of the requests; nil for a ``CurlTransport`` of its own.
    ///   - tap: The observation of tracked events.
    ///   - log: The log of messages that are not about a single tracker.
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
        (intake, sessions, warnings) = (store.eventLog.intake, store.sessions, store.warnings)
        failure = Locked(store.condition.failure)
        guard directory != nil else { return }
        Task.unbound { [weak self, time] in
            repeat {
                await self?.maintain()
            } while await time.sleepUnlessCancelled(for: Self.maintenanceInterval) && self != nil
        }
    }

    /// The emitter of a namespace, the same one until it ends.
    nonisolated func emitter(for namespace: String) -> NamespaceEmitter {
        emitters.withLock { $0.emitter(of: namespace) }
    }

    /// Makes the pipeline's thread store the queued events. The thread retains the pipeline until then, so that a
    /// service that releases its trackers loses no events.
    nonisolated func drainSoon(withinMilliseconds milliseconds: Int) {
        thread.signal(self, withinMilliseconds: milliseconds)
    }

    package func signalled() { drain() }

    /// The wall clock, in milliseconds since 1970.
    package nonisolated var now: Int64 { time.wallTime }

    /// Runs an action after a delay, unless the task is cancelled before.
    func after(_ wait: Duration, _ action: @escaping @Sendable (isolated EventPipeline) -> Void) -> Task<Void, Never> {
        Task.unbound { [weak self, time] in
            guard await time.sleepUnlessCancelled(for: wait) else { return }
            await self?.unlessCancelled(action)
        }
    }

    private func unlessCancelled(_ action: (isolated EventPipeline) -> Void) {
        if !Task.isCancelled { action(self) }
    }

    /// Updates delivery after a change of an emitter.
    nonisolated func emitterChanged(_ emitter: NamespaceEmitter) {
        // One task serves all changes until it begins, because a document may create or change a thousand trackers.
        let isFirst = changed.withLock { changed in
            changed.append(emitter)
            return changed.count == 1
        }
        if isFirst { Task.unbound { await self.applyEmitterChanges() } }
    }

    private func applyEmitterChanges() {
        for emitter in changed.exchange([]) { settingsChanged(of: emitter) }
        releaseEmitters()
    }

    /// Drops the unsent events of all namespaces except the given ones.
    /// - Parameter namespaces: The namespaces whose events stay.
    /// - Returns: The number of dropped events.
    @discardableResult
    public func removeUnsentEvents(exceptNamespaces namespaces: Set<String>) async -> Int {
        drain()
        // Include the events that wait for a process with their namespace.
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
