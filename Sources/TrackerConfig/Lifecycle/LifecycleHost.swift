/// What a lifecycle asks of the setup around it.
///
/// The calls come in their order and return at once, without calling code of users. What a fetch, a stream and a timer lead to
/// comes later, by a call of the lifecycle.
package protocol LifecycleHost {
    typealias Lifecycle = ConfigurationLifecycle

    /// The present.
    var moment: Lifecycle.Moment { get }

    /// Asks the source; ``ConfigurationLifecycle/fetched(_:_:_:)`` is to follow.
    func fetch(_ fetch: Lifecycle.Fetch)

    /// Opens a connection over which the source hints at changes, in place of the one before.
    /// - Parameter number: What distinguishes its hints.
    /// - Returns: False if the source has no stream, or none yet.
    func openStream(_ number: Int) -> Bool

    /// Starts a timer, in place of the one of its kind that runs. The canary's timer repeats.
    func start(_ timer: Lifecycle.Timer, after wait: Duration)

    /// Cancels a timer.
    func cancel(_ timer: Lifecycle.Timer)

    /// Cancels the fetch and all timers, and closes the stream.
    func cancelAll()

    /// Changes trackers and features, all or nothing.
    /// - Parameters:
    ///   - configuration: The configuration.
    ///   - namespaces: The trackers to remove if the configuration does not name them.
    ///   - isWatched: Whether the startup watchdog's watch begins anew with it.
    ///   - before: The trackers before the canary that it replaces, by namespace; nil if it replaces none.
    /// - Returns: The result.
    /// - Throws: An error if a tracker could not work; nothing was changed then.
    func apply(
        _ configuration: ActiveConfiguration, removing namespaces: Set<ExactText>, isWatched: Bool,
        after before: [ExactText: CanaryMonitor.Observation]?
    ) throws(ConfigurationError) -> Lifecycle.ApplyResult

    /// Keeps a document for later starts. The version `unproven` in the cache is not worth keeping beside it.
    func cache(
        _ configuration: ActiveConfiguration, _ headers: [HTTPHeader], after previous: ActiveConfiguration?,
        unproven: Int?)

    /// Records that a version is bad, for all processes of the instance.
    func recordReversion(of version: Int, _ reason: String)

    /// Delivers an update, with these warnings, which have lines of their own, before the document's.
    func publish(
        _ configuration: ActiveConfiguration, _ result: Lifecycle.ApplyResult, _ warnings: [ConfigurationError])

    /// Marks what the document gives as stale, or no longer.
    func markStale(_ isStale: Bool)

    /// Reports the end of a fetch, after its update, and logs it.
    func report(_ outcome: ConfigurationOutcome, _ level: LogLevel)

    /// Logs a line, about a version if there is one.
    func log(_ level: LogLevel, _ text: String, about version: Int?)
}
