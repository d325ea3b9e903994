import TrackerConfig
import TrackerCore

/// A process of the simulated service: the real store, deliveries, trackers and lifecycle of a configuration, for which it does
/// on the simulation's one thread what the pipeline and the updater do on theirs.
final class ServiceProcess {
    typealias Lifecycle = ConfigurationLifecycle

    /// A namespace's delivery.
    struct Delivery {
        let emitter: NamespaceEmitter
        var lastSettings: EffectiveSettings?
        /// Requests that were answered since the active configuration was applied, and how many of them failed.
        var answered = 0
        var failed = 0
        var isCancelling = false
    }

    unowned let world: Simulation
    /// The place of the process on its machine.
    let seat: Int
    /// The number of the process among all of the simulation.
    let life: Int
    let store: EventStore
    /// The numbers of the events that the store has not taken, by the index of their namespace.
    var queued: [Int: [Int]] = [:]
    /// The number of the next event among all that the process tracks.
    var nextSequence: UInt64 = 0
    let documents: CachedDocuments
    let history: VersionHistory
    let registry: TrackerRegistry
    var deliveries: [Delivery] = []
    var lifecycle: ConfigurationLifecycle
    var nextFlush: UInt64 = 0
    var flushes: Set<UInt64> = []
    /// What the running event may apply.
    var permission = Permission.nothing
    /// What leads to a fetch if the running event begins one.
    var cause = FetchCause.other
    let disk = DiskState()
    /// Whether events may have been in memory only.
    var hasHadDiskFault = false
    /// Whether an event has reached the process since the last check, and whether one has reached its configuration.
    var isCheckDue = true
    var isDocumentCheckDue = true
    /// Whether it is to look for events of dead processes.
    var isTakeOverDue = false
    /// The events that were counted as in memory only.
    var memoryOnlyCount = 0
    var isEnded = false
    var stream = Stream()
    var punctuality: Punctuality

    static let defaultVersion = 5

    var isUp: Bool { !isEnded }

    init(_ world: Simulation, seat: Int, life: Int) throws {
        (self.world, self.seat, self.life) = (world, seat, life)
        let bundle = ConfigurationBundle(
            namespace: "shop", network: NetworkConfiguration { $0.endpoint = "https://one.example" },
            tracker: TrackerConfiguration { $0.appID = "default" })
        let defaults = DefaultConfiguration(bundles: [bundle])
        var remote = RemoteConfiguration(endpoint: DocumentServer.url)
        remote.pollInterval = .seconds(60)
        history = VersionHistory(
            directory: world.disk.path, url: DocumentServer.url, crashGuard: nil, instanceID: "host",
            random: world.dice, time: world.clock)
        documents = CachedDocuments(
            remote, cache: DiskCache(directory: world.disk.path), default: defaults, version: Self.defaultVersion,
            collectors: try CollectorPolicy(remote, default: [bundle]), versions: history,
            startTime: world.clock.wallTime)
        punctuality = Punctuality(since: world.clock.milliseconds)
        let start = documents.fallback()
        let state = StateDirectory(
            path: world.disk.path, service: "simulation", format: Disk.format,
            willChange: { [disk] path throws(EventStoreError) in try disk.change(path) })
        store = EventStore(directory: state, deadLetters: .off, time: world.clock, log: Log(nil, level: .off))
        // The trackers' own pipeline holds their settings and nothing else: the simulation tracks and sends itself.
        let pipeline = SetupPipeline(time: world.clock) { [clock = world.clock] tap in
            EventPipeline(
                directory: nil, transport: SilentTransport(), tap: tap, log: Log(nil, level: .off),
                time: clock, random: Dice(seed: 1))
        }
        registry = TrackerRegistry(defaults: [bundle], pipeline: pipeline)
        let settings = ConfigurationLifecycle.Settings(
            defaultVersion: Self.defaultVersion, pollInterval: remote.pollInterval, startTime: world.clock.wallTime)
        lifecycle = ConfigurationLifecycle(settings)
        try begin(with: start.configuration)
    }

    private func begin(with configuration: ActiveConfiguration?) throws {
        world.say("process \(seat) starts in slot \(store.slot ?? -1) with \(words(configuration))")
        permission = .start(configuration)
        try run { try $0.begin(with: configuration, $1) }
        permission = .nothing
        world.checkStart(of: self, with: configuration)
        followTrackers()
        applyChanges()
        world.agenda.add(.maintenance, at: world.clock.milliseconds + Int64(world.dice.within(0...50)), of: life)
        let canary = Lifecycle.EarlierCanary(lifecycle.active, registry) { [documents] in
            documents.fallback(excluding: $0).configuration
        }
        run { $0.start(canary, $1) }
    }

    func words(_ configuration: ActiveConfiguration?) -> String {
        guard let configuration else { return "nothing" }
        guard let version = configuration.version, configuration.document != nil else { return "the default" }
        return "version \(version)"
    }

    /// The index of a namespace's delivery, which is made if it is new.
    func index(of namespace: String) -> Int {
        if let index = deliveries.firstIndex(where: { $0.emitter.namespace == namespace }) { return index }
        deliveries.append(
            Delivery(emitter: NamespaceEmitter(namespace: namespace, index: deliveries.count)))
        return deliveries.count - 1
    }

    /// Brings the deliveries to the trackers' settings.
    func followTrackers() {
        let trackers = registry.trackers
        for namespace in trackers.keys.sorted() { _ = index(of: namespace) }
        openDeliveries()
        for index in deliveries.indices {
            let emitter = deliveries[index].emitter
            let settings = trackers[emitter.namespace]?.effectiveSettings
            guard settings !== emitter.withDelivery({ $0.settings }) else { continue }
            if world.sabotage == .appliesHalf, index == deliveries.count - 1, index > 0 { continue }
            if let settings { deliveries[index].lastSettings = settings }
            emitter.withDelivery { $0.settings = settings }
            deliver(index) { $0.settingsChanged(queued: $1) }
        }
    }

    /// Adds new namespaces to the store.
    func openDeliveries() {
        guard store.count < deliveries.count else { return }
        for index in store.count..<deliveries.count {
            let recipient = DropRecipient(
                isOpen: { true }, receive: { [unowned self] in dropped($0, $1) }, notKept: { _, _ in })
            store.addNamespace(deliveries[index].emitter.namespace, at: index, recipient)
        }
        applyChanges()
    }
}

/// A transport that is never asked.
private struct SilentTransport: HTTPTransport {
    func send(_ request: HTTPTransportRequest) async throws(HTTPTransportError) -> HTTPTransportResponse {
        throw HTTPTransportError(.cancelled, reason: "the simulation sends by itself")
    }
}
