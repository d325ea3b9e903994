/// The way of events from trackers to collectors: a queue, a store, and an emitter for each namespace.
///
/// Trackers of one service share a pipeline. Its work is done on a thread of its own; ``Tracker/track(_:entities:trueTimestamp:)``
/// only leaves bytes in the queue.
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
public actor EventPipeline {
    /// A namespace's part of the pipeline.
    struct Lane {
        let outbox: Outbox
        /// The store's number of the namespace, nil while the store has failed to give one.
        var key: Int64?
        var overflowKey: Int64
        /// What is in the store and in the overflow.
        var amount = EventAmount.zero
        /// The network settings that events were last sent by.
        var network: NetworkConfiguration?
        /// The size from which on the collector has refused bodies; nil if it has refused none.
        var bodyLimit: Int?
        var trouble = DeliveryTrouble()
        var lines = LogThrottle()
        var schedule = EmissionSchedule()
        var choice = CollectorChoice()
        var lastAnswer: String?
        var history = RequestHistory()
        var timer: Task<Void, Never>?
        var pass: Task<Void, Never>?
        var flushes: [Flush] = []
        /// The last of the events that a pass is sending.
        var lastInFlight: Int64 = 0
        /// Events that were sent and that the store could not remove.
        var undeletable: Set<Int64> = []

        /// The number of events in the store and in the overflow.
        var queued: Int { amount.events }
    }

    /// The outboxes that there are; none ever goes.
    struct Outboxes: Sendable {
        var byNamespace: [ExactText: Outbox] = [:]
        /// By their numbers.
        var all: [Outbox] = []
    }

    /// Somebody who waits for a queue to be empty.
    struct Flush {
        let id: UInt64
        let done: CheckedContinuation<Void, Never>
    }

    /// Memory events have ids above all of the store's, so that an id says where it is.
    static let firstOverflowID: Int64 = 1 << 62
    /// How often old events of namespaces that get no new ones are looked for.
    static let sweepInterval = Duration.seconds(3600)
    /// How often what dead processes left is looked for, and the store is tended.
    static let adoptionInterval = Duration.seconds(30)
    /// How soon a store that could not be opened is tried again.
    static let openInterval = Duration.seconds(5)
    /// The most bytes that one pass loads.
    static let mostPassBytes = 8 << 20
    /// How many milliseconds an event may wait for others to share its commit.
    static let commitWindow = 2

    nonisolated let thread = ThreadExecutor(name: "tracker-store")
    nonisolated let queue = EventQueue()
    package nonisolated let tap = EventTap()
    nonisolated let outboxes = Locked(Outboxes())
    private nonisolated let changed = Locked<[Outbox]>([])
    nonisolated let forkGuard = ForkGuard()
    nonisolated let time: any TimeSource
    nonisolated let random: any RandomSource
    nonisolated let transport: any HTTPTransport
    nonisolated let log: Log

    /// The sessions that earlier processes left.
    nonisolated let savedSessions: [ExactText: SessionRecord]

    /// Events in the service's directory that wait for a process that has their namespaces, by namespace; this process has
    /// none of them. Updated every 30 s.
    public nonisolated var unclaimedEvents: [String: Int] { unclaimed.withLock { $0 } }

    /// What was found on opening the store that somebody should know, a sentence each.
    public nonisolated let warnings: [String]

    /// Of memory from ``shutdown(timeout:)`` on, so that the file is free for the next pipeline.
    var store: any EventStore
    let overflow = MemoryEventStore(firstID: firstOverflowID)
    var lanes: [Lane] = []
    var jitter: RandomPool
    var nextFlush: UInt64 = 0
    var isClosed = false
    /// Whether events are kept in memory that belong into the store.
    var isStoreFailing = false
    var storeLines = LogThrottle()
    /// When a store that could not be opened is tried again.
    var nextOpen = Duration.zero
    /// Since when unclaimed events wait, by namespace; far in the future once that is logged.
    var unclaimedSince: [String: Duration] = [:]
    var isAdoptionDue = false
    /// The last look for what waits for namespaces that were new.
    var adoption: Task<Void, Never>?
    var isAdopting = false
    var adoptsAgain = false
    /// Free slots that were looked into, by their files: as they were, and what was left there.
    var knownSlots: [String: (stamp: FileStamp, namespaces: [String: Int])] = [:]
    /// Grows when the store is replaced, because ids of an older one mean nothing to it.
    var storeGeneration = 0
    var lastSweep = Duration.zero
    /// Where events are kept; nil for memory only.
    let home: StateDirectory?
    /// The slot that is this process's; nil while it has none.
    var slot: Int?
    nonisolated let unclaimed = Locked<[String: Int]>([:])

    /// The pipeline's own thread.
    public nonisolated var unownedExecutor: UnownedSerialExecutor { thread.asUnownedSerialExecutor() }

    /// Opens the store and starts the pipeline's thread.
    /// - Parameters:
    ///   - stateDirectory: The service's own directory for unsent events, on a local file system; it is created if it is
    ///     missing. nil keeps events in memory. One that cannot be used does too, with a warning, until it can be used.
    ///   - serviceName: The name of the service; processes with other names do not touch its events. nil for the
    ///     executable's name.
    ///   - transport: What moves requests; nil for a ``CurlTransport`` of its own.
    ///   - log: Takes the log's lines; nil for none.
    ///   - logLevel: The severity up to which lines are logged that are about the store or a failure to deliver events;
    ///     details of one tracker's work follow its own ``TrackerConfiguration/logLevel``. Built in: ``LogLevel/info``.
    ///   - time: The clock; another one is for tests.
    ///   - random: The source of ids and jitter; another one is for tests.
    public init(
        stateDirectory: String?,
        serviceName: String? = nil,
        transport: (any HTTPTransport)? = nil,
        log: (any LogSink)? = nil,
        logLevel: LogLevel = .info,
        time: any TimeSource = SystemTime(),
        random: any RandomSource = SystemRandom()
    ) {
        self.init(
            home: stateDirectory.map { StateDirectory(path: $0, service: serviceName ?? ServiceName.executable) },
            namespaces: nil, transport: transport, log: Log(log, level: logLevel), time: time, random: random)
    }

    /// Opens the store and starts the pipeline's thread.
    /// - Parameters:
    ///   - home: Where events are kept; nil for memory only.
    ///   - namespaces: The namespaces that the service starts with, as far as they are known; see
    ///     ``StateDirectory/open(for:)``.
    ///   - transport: What moves requests; nil for a ``CurlTransport`` of its own.
    ///   - log: The log of what is about no single tracker.
    ///   - time: The clock.
    ///   - random: The source of ids and jitter.
    package init(
        home: StateDirectory?, namespaces: Set<ExactText>?, transport: (any HTTPTransport)?, log: Log,
        time: any TimeSource, random: any RandomSource
    ) {
        self.transport = transport ?? CurlTransport()
        self.time = time
        self.random = random
        self.log = log
        self.home = home
        jitter = RandomPool(random)
        var warnings: [String] = []
        var opened: StateDirectory.Opened?
        do throws(EventStoreError) {
            opened = try home?.open(for: namespaces)
            warnings += opened?.warnings ?? []
        } catch {
            warnings.append("events are kept in memory only until the store can be opened: \(error.reason)")
            isStoreFailing = true
            _ = storeLines.admit("store", count: 1, at: time.uptime)
            nextOpen = time.uptime + Self.openInterval
        }
        var sessions: [ExactText: SessionRecord] = [:]
        for (namespace, record) in opened?.sessions ?? [:] {
            sessions[namespace] = record
            if record == nil {
                warnings.append("the session of \(namespace.text.excerpt) cannot be read; a new user begins")
            }
        }
        savedSessions = sessions
        store = opened?.store ?? MemoryEventStore()
        slot = opened?.slot
        self.warnings = warnings
        for warning in warnings { self.log.log(isStoreFailing ? .error : .warning, warning) }
        guard home != nil else { return }
        Task { [weak self, time] in
            repeat {
                await self?.tend()
            } while await time.sleepsToTheEnd(of: Self.adoptionInterval) && self != nil
        }
    }

    /// The outbox of a namespace, the same one each time.
    nonisolated func outbox(for namespace: String) -> Outbox {
        outboxes.withLock { outboxes in
            if let outbox = outboxes.byNamespace[exactly: namespace] { return outbox }
            let outbox = Outbox(
                namespace: namespace, number: outboxes.all.count, savedSession: savedSessions[exactly: namespace],
                forkGuard: forkGuard)
            outboxes.byNamespace[exactly: namespace] = outbox
            outboxes.all.append(outbox)
            return outbox
        }
    }

    /// Lets the pipeline's thread store what is in the queue. The thread holds the pipeline until it has, so that a
    /// service that lets go of its trackers loses nothing.
    nonisolated func drainSoon(withinMilliseconds milliseconds: Int) {
        thread.signal(withinMilliseconds: milliseconds) { self.assumeIsolated { $0.drain() } }
    }

    /// False in a process that was forked from the one that made the pipeline.
    package nonisolated var isOwnProcess: Bool { forkGuard.isOwnProcess }

    /// The wall clock, in milliseconds since 1970.
    package nonisolated var now: Int64 { time.wallTime }

    /// Lets emission follow what was changed in an outbox.
    nonisolated func outboxChanged(_ outbox: Outbox) {
        // One task serves all changes until it begins: a document may make or change a thousand trackers.
        let isFirst = changed.withLock { changed in
            changed.append(outbox)
            return changed.count == 1
        }
        if isFirst { Task { await self.followChanges() } }
    }

    private func followChanges() {
        let outboxes = changed.withLock { changed in
            defer { changed = [] }
            return changed
        }
        for outbox in outboxes { follow(outbox) }
    }

    /// Drops the unsent events of all namespaces but some.
    /// - Parameter namespaces: Those whose events stay.
    /// - Returns: How many events were dropped.
    @discardableResult
    public func removeUnsentEvents(exceptNamespaces namespaces: Set<String>) -> Int {
        drain()
        var removed = 0
        let stored: [String]
        do throws(EventStoreError) {
            stored = try store.namespaces()
        } catch {
            log.error("unsent events could not be removed: \(error.reason)")
            return 0
        }
        for namespace in Set(stored + overflow.namespaces()).subtracting(namespaces) {
            let outbox = outbox(for: namespace)
            openLanes()
            let lastInFlight = lanes[outbox.number].lastInFlight
            removed += drop(outbox.number, .cleared) { (store, key) throws(EventStoreError) in
                try store.removeEvents(of: key, after: lastInFlight, trackedBefore: .max)
            }
        }
        return removed
    }
}
