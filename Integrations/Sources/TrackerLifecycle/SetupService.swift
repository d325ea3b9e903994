public import Logging
public import ServiceLifecycle
public import TrackerConfig

/// A setup as a service of a `ServiceGroup`. The setup works from its creation; at the graceful shutdown it sends the
/// waiting events and closes its store.
///
/// Put it before the services that track events: a group shuts services down in reverse order, so that the events of
/// the last request are sent too.
///
/// ```swift
/// let group = ServiceGroup(
///     services: [SetupService(setup, logger: logger), server], gracefulShutdownSignals: [.sigterm, .sigint],
///     logger: logger)
/// try await group.run()
/// ```
public struct SetupService: Service, CustomStringConvertible {
    private let setup: Setup
    private let drainTimeout: Duration
    private let logger: Logger?

    /// The service's name in the log of its group.
    public var description: String { "trackers" }

    /// Creates a service.
    /// - Parameters:
    ///   - setup: The setup. It is shut down before ``run()`` returns.
    ///   - drainTimeout: The longest time in which waiting events are sent; 5 s by default, zero sends none. The other
    ///     events stay in the store for the next process. It should be shorter than the time after which the host kills
    ///     the process.
    ///   - logger: The logger of the shutdown, with the numbers of events that were sent, stored and dropped; nil, the
    ///     default, logs nothing.
    public init(_ setup: Setup, drainTimeout: Duration = .seconds(5), logger: Logger? = nil) {
        (self.setup, self.drainTimeout, self.logger) = (setup, drainTimeout, logger)
    }

    /// Waits until the group shuts down or is cancelled, for example after a failure of another service, and shuts the
    /// setup down.
    public func run() async throws {
        // It throws if the group is cancelled; the events are sent then too.
        try? await gracefulShutdown()
        // In a task of its own, because a cancelled task would not wait for the requests.
        let report = await Task { await setup.shutdown(timeout: drainTimeout) }.value
        logger?.info(
            "the trackers are shut down",
            metadata: ["sent": "\(report.sent)", "stored": "\(report.stored)", "dropped": "\(report.dropped)"])
    }
}
