import Synchronization

/// Stores and sends the events of trackers: a queue, a storage, and an emitter for each namespace.
///
/// Trackers of one service share a pipeline. It works on a thread of its own;
/// ``Tracker/track(_:entities:subject:trueTimestamp:)`` only appends bytes to the queue.
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
    static let adoptionInterval = Duration.seconds(30)
    /// How many milliseconds an event may wait for others to be taken out of the queue with it.
    static let commitWindow = 2

    nonisolated let thread = ThreadExecutor(name: "tracker-store")
    nonisolated let queue = EventQueue()
    nonisolated let schemaHeads = SchemaHeads()
    nonisolated let refusals = RefusedEvents()
    nonisolated let keepsDeadLetters: Bool
    nonisolated let tap: EventTap
    nonisolated let dropReporter: DropReporter
    nonisolated let emitters = Locked(Emitters())
    private nonisolated let changed = Locked<[NamespaceEmitter]>([])
    nonisolated let forkGuard = ForkGuard()
    nonisolated let time: any TimeSource
    nonisolated let random: any RandomSource
    nonisolated let transport: any HTTPTransport
    nonisolated let log: Log

    /// The sessions that earlier processes left.
    nonisolated let savedSessions: [ExactText: SessionRecord]

    /// Events in the service's directory that wait for a process that has their namespaces, by namespace; this process has
    /// none of them. Updated every 30 s; in a forked child it may be empty.
    public nonisolated var unclaimedEvents: [String: Int] { forkGuard.access(unclaimed) { $0 } ?? [:] }

    /// The number of events of this process that found no room in the staging file and waited for the store in memory,
    /// where a kill would have lost them; 0 without a state directory. The file has 8 MiB, and grows while events wait, up to
    /// the greatest `maxEventStoreBytes` of the trackers, at most 2 GiB. An event of more than 512 KiB never has room.
    public nonisolated var unstagedEvents: Int { queue.unstagedCount }

    /// The warnings of the opening of the store, one sentence each.
    public nonisolated let warnings: [String]

    let storage: EventStorage
    var jitter: RandomPool
    var nextFlush: UInt64 = 0
    var nextRequest: UInt64 = 0
    var isClosed = false
    /// The last task that takes over what waited for namespaces that were new.
    var adoption: Task<Void, Never>?
    /// Whether that task has not begun yet.
    var isAdoptionScheduled = false
    /// Whether a task waits to look for old events.
    var isSpillScheduled = false
    /// Whether a task is counting what earlier processes left.
    var isCounting = false
    var lastSweep = Duration.zero
    /// The unstaged events that were looked at.
    var seenUnstaged = 0
    /// The unstaged events before the outage of the staging file that lasts, and those until the last look; nil without one.
    var unstagedOutage: (before: Int, seen: Int)?
    /// The events in the memory of the storage that a kill would lose.
    nonisolated let unstagedInMemory = Atomic(0)
    /// The greatest `maxEventStoreBytes` of the namespaces.
    var greatestStore = 0
    nonisolated let unclaimed = Locked<[String: Int]>([:])
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
    ///   - maxMemoryEventBytes: The most bytes of unsent events of all namespaces in memory; above half of it events are moved to
    ///     the disk. 1,000,000 … 1,099,511,627,776 (1 TiB), clamped; 268,435,456 (256 MiB) by default. Beyond
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
            stateDirectory: stateDirectory, serviceName: serviceName, deadLetters: deadLetters,
            maxMemoryEventBytes: maxMemoryEventBytes, transport: transport, log: log, logLevel: logLevel,
            time: SystemTime())
    }

    /// Opens the store and starts the pipeline's thread, with a clock and a source of ids and jitter.
    package init(
        stateDirectory: String?, serviceName: String? = nil, deadLetters: DeadLetters = .off,
        maxMemoryEventBytes: Int = EventStorage.defaultMemoryBytes, transport: (any HTTPTransport)? = nil,
        log: (any LogSink)? = nil, logLevel: LogLevel = .info, time: any TimeSource,
        random: any RandomSource = SystemRandom()
    ) {
        self.init(
            directory: stateDirectory.map { StateDirectory(path: $0, service: serviceName ?? ServiceName.executable) },
            namespaces: nil, deadLetters: deadLetters, maxMemoryEventBytes: maxMemoryEventBytes, transport: transport,
            log: Log(log, level: logLevel), time: time, random: random)
    }

    /// Opens the store and starts the pipeline's thread.
    /// - Parameters:
    ///   - directory: The service's directory for unsent events; nil for memory only.
    ///   - namespaces: The namespaces that the service starts with, as far as they are known; see
    ///     ``StateDirectory/open(for:)``.
    ///   - deadLetters: What is kept of events that are never sent.
    ///   - maxMemoryEventBytes: The most bytes of events in memory.
    ///   - transport: The transport of the requests; nil for a ``CurlTransport`` of its own.
    ///   - tap: Shows events as they are tracked.
    ///   - log: The log of messages that are about no single tracker.
    ///   - time: The clock.
    ///   - random: The source of ids and jitter.
    package init(
        directory: StateDirectory?, namespaces: Set<ExactText>?, deadLetters: DeadLetters = .off,
        maxMemoryEventBytes: Int = EventStorage.defaultMemoryBytes, transport: (any HTTPTransport)?,
        tap: EventTap = EventTap(), log: Log, time: any TimeSource, random: any RandomSource
    ) {
        self.tap = tap
        self.transport = transport ?? CurlTransport(threadName: "tracker-http", log: log)
        self.time = time
        self.random = random
        self.log = log
        dropReporter = DropReporter(tap, log, time)
        jitter = RandomPool(random)
        keepsDeadLetters = deadLetters.bounds != nil
        storage = EventStorage(
            directory: directory, namespaces: namespaces, deadLetters: deadLetters, maxMemoryBytes: maxMemoryEventBytes,
            time: time, log: log)
        (savedSessions, warnings) = (storage.savedSessions, storage.warnings)
        failure = Locked(storage.condition.failure)
        if let area = storage.staging.area { queue.use(area) }
        guard directory != nil else { return }
        Task.unbound { [weak self, time] in
            repeat {
                await self?.tend()
            } while await time.sleepUnlessCancelled(for: Self.adoptionInterval) && self != nil
        }
    }

    /// The emitter of a namespace, the same one until it ends.
    nonisolated func emitter(for namespace: String) -> NamespaceEmitter {
        guard isOwnProcess else {
            // Nothing is tracked with it.
            return NamespaceEmitter(namespace: namespace, index: 0, savedSession: nil, forkGuard: forkGuard)
        }
        return emitters.withLock { emitters in
            emitters.emitter(of: namespace, savedSession: savedSessions[exactly: namespace], forkGuard)
        }
    }

    /// Makes the pipeline's thread store what is in the queue. The thread holds the pipeline until it has, so that a
    /// service that releases its trackers loses nothing.
    nonisolated func drainSoon(withinMilliseconds milliseconds: Int) {
        thread.signal(self, withinMilliseconds: milliseconds)
    }

    package func signalled() {
        drain()
    }

    /// False in a process that was forked from the one that made the pipeline.
    package nonisolated var isOwnProcess: Bool { forkGuard.isOwnProcess }

    /// The wall clock, in milliseconds since 1970.
    package nonisolated var now: Int64 { time.wallTime }

    /// Makes delivery follow what was changed in an emitter.
    nonisolated func emitterChanged(_ emitter: NamespaceEmitter) {
        // No thread of a forked child would follow.
        guard isOwnProcess else { return }
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
    /// - Returns: The number of dropped events; 0 in a forked child, which has none.
    @discardableResult
    public nonisolated func removeUnsentEvents(exceptNamespaces namespaces: Set<String>) async -> Int {
        // The pipeline's thread does not exist in a forked child.
        isOwnProcess ? await clear(except: namespaces) : 0
    }

    private func clear(except namespaces: Set<String>) -> Int {
        drain()
        let stored: Set<String>
        do throws(EventStoreError) {
            stored = try storage.namespaces()
        } catch {
            log.error("unsent events could not be removed: \(error.reason)")
            return 0
        }
        var removed = 0
        for namespace in stored.subtracting(namespaces) {
            let emitter = emitter(for: namespace)
            openPartitions()
            removed += storage.clear(emitter.index)
        }
        applyChanges()
        return removed
    }
}
