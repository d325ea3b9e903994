import TrackerFeatures

/// The host of a lifecycle: applies, caches and reports configurations, fetches documents, and runs timers and
/// streams.
///
/// The initial configuration is applied on the thread that creates the setup, all later ones on the updater's thread.
/// The host is used by one thread at a time.
package final class ConfigurationHost {
    package typealias Lifecycle = ConfigurationLifecycle

    /// The dependencies of the host.
    package struct Parts: Sendable {
        package let remote: RemoteConfiguration
        let source: any ConfigurationSource
        package let documents: CachedDocuments
        package let versions: VersionHistory
        let registry: TrackerRegistry
        let collectors: CollectorPolicy
        let features: Features
        let broadcast: EventBroadcast
        let warnings: UpdateWarnings
        package let time: any TimeSource
        let random: any RandomSource
        let log: Log
        let onSuccess: @Sendable (ConfigurationUpdate) -> Void
        let onOutcome: @Sendable (ConfigurationOutcome) -> Void
    }

    /// The outcome of a fetch, and its update if it applied a document.
    typealias FetchEnd = (outcome: ConfigurationOutcome, update: ConfigurationUpdate?)

    let parts: Parts
    /// The state for readers on other threads.
    let published: Locked<ConfigurationUpdater.Status>
    /// Receives later results; nil before the setup runs.
    weak var updater: ConfigurationUpdater?
    /// The callers that wait for the fetch.
    var callers: [CheckedContinuation<FetchEnd, Never>] = []
    var timers: [Lifecycle.Timer: Task<Void, Never>] = [:]
    var fetchTask: Task<Void, Never>?
    var stream: Task<Void, Never>?
    /// The pending calls of users' code, in order.
    var deliveries: [() -> Void] = []
    private var isDelivering = false
    /// The update of the fetch in progress.
    var fetchedUpdate: ConfigurationUpdate?

    init(_ parts: Parts, _ lifecycle: ConfigurationLifecycle) {
        self.parts = parts
        published = Locked(ConfigurationUpdater.Status(lifecycle: lifecycle))
    }

    var isStopped: Bool { published.withLock { $0.isStopped } }

    /// Publishes a lifecycle for readers on other threads, and then calls users' code.
    func conclude(_ lifecycle: ConfigurationLifecycle) {
        published.discard { status in
            let old = status.lifecycle
            status.lifecycle = lifecycle
            return old
        }
        guard !isDelivering else { return }
        isDelivering = true
        defer { isDelivering = false }
        while !deliveries.isEmpty { deliveries.removeFirst()() }
    }
}
