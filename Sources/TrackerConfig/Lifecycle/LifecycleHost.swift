package import TrackerFeatures

extension ConfigurationLifecycle {
    /// The timers of a lifecycle.
    package enum Timer: Sendable, Hashable {
        /// Stops the startup watchdog.
        case startup
        case canary
        case poll
        /// Waits before the next connection of the stream of changes.
        case stream
        /// Waits before a fetch that hints have requested.
        case hint
        /// Waits for contact with the source before the document becomes stale.
        case contact
    }

    /// The current time, and the source of random numbers.
    package struct Now: Sendable {
        /// Milliseconds since 1970.
        let time: Int64
        /// The monotonic clock.
        let uptime: Duration
        let random: any RandomSource

        package init(time: Int64, uptime: Duration, random: any RandomSource) {
            (self.time, self.uptime, self.random) = (time, uptime, random)
        }
    }
}

/// The actions that a lifecycle requests from its setup.
///
/// The calls are made in order, and do not call the closures of updates; `apply` and `cache` may wait for the disk or
/// the service's own cache. The results of a fetch, a stream or a timer come later, by calls of the lifecycle.
package protocol LifecycleHost {
    typealias Lifecycle = ConfigurationLifecycle

    /// The current time.
    var now: Lifecycle.Now { get }

    /// Fetches the document, unless it still has the validators; the host then calls
    /// ``ConfigurationLifecycle/fetched(_:_:)``.
    func fetch(_ validators: DocumentValidators?)

    /// Opens a connection for the source's hints, which replaces the previous one.
    /// - Parameter number: The number that identifies the connection's hints.
    /// - Returns: False if the source has no stream, or none yet.
    func openStream(_ number: Int) -> Bool

    /// Starts a timer, which replaces a running one of the same kind. The canary's timer repeats.
    func start(_ timer: Lifecycle.Timer, after wait: Duration)

    /// Cancels a timer.
    func cancel(_ timer: Lifecycle.Timer)

    /// Cancels the fetch and all timers, and closes the stream.
    func cancelAll()

    /// Changes trackers and features, all of them or none.
    /// - Parameters:
    ///   - configuration: The configuration.
    ///   - namespaces: The trackers to remove if the configuration does not name them.
    ///   - isWatched: Whether the startup watchdog starts again with it.
    ///   - before: The trackers before the canary that it replaces, by namespace; nil if it replaces no canary.
    /// - Returns: The result.
    /// - Throws: An error if a tracker cannot work; then nothing was changed.
    func apply(
        _ configuration: ActiveConfiguration, removing namespaces: Set<ExactText>, isWatched: Bool,
        after before: [ExactText: CanaryMonitor.Observation]?
    ) throws(ConfigurationError) -> AppliedConfiguration

    /// Stores a document for later starts. The version `unproven` must not be kept as the second entry of the cache.
    func cache(
        _ configuration: ActiveConfiguration, _ headers: [HTTPHeader], after previous: ActiveConfiguration?,
        unproven: Int?)

    /// Records a reverted version for all processes of the instance.
    func recordReversion(of version: Int, _ reason: String)

    /// Logs an update, and queues it for the callbacks. The given warnings, which are logged separately, come before the
    /// document's own.
    func queueUpdate(
        _ configuration: ActiveConfiguration, _ applied: AppliedConfiguration, _ warnings: [ConfigurationError])

    /// Marks the values of the document as stale or as current.
    func markStale(_ isStale: Bool)

    /// Logs the end of a fetch, and queues it for the callbacks, after its update.
    func queueOutcome(_ outcome: ConfigurationOutcome, _ level: LogLevel)

    /// Logs a line, with a version if it is about one.
    func log(_ level: LogLevel, _ text: String, about version: Int?)
}
