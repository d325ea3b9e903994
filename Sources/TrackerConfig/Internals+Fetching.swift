public import TrackerFeatures

extension Internals {
    /// The fetches and connections of a setup, as its lifecycle schedules them for a source without a document.
    public struct Fetching: Sendable {
        /// An event of the lifecycle.
        public enum Event: Sendable {
            case started
            /// A wait has ended.
            case elapsed(Wait)
            /// A fetch found no change, or failed.
            case fetched(FetchError?)
            /// A hint arrived over the connection; the first one confirms that it is open.
            case hinted(ChangeHint)
            /// The connection failed.
            case disconnected(FetchError)
        }

        /// An action of the host.
        public enum Action: Sendable {
            case fetch
            case connect
            /// Starts a wait, which replaces one of the same kind.
            case wait(Wait, Duration)
            case cancel(Wait)
        }

        /// A kind of wait: for the next poll, for a fetch after a hint, or for the next connection.
        public enum Wait: Int, Sendable, CaseIterable {
            case poll, hint, connection
        }

        private var lifecycle: ConfigurationLifecycle
        private var fetch: ConfigurationLifecycle.Fetch?
        private var connection = 0

        /// Creates the lifecycle of a setup.
        /// - Parameter interval: The time between two polls.
        public init(interval: Duration) {
            lifecycle = ConfigurationLifecycle(ConfigurationLifecycle.Settings(pollInterval: interval))
        }

        /// Handles an event.
        /// - Parameters:
        ///   - event: The event.
        ///   - uptime: The time of the event.
        ///   - word: A random number.
        /// - Returns: The actions in order.
        public mutating func handle(_ event: Event, at uptime: Duration, random word: UInt64) -> [Action] {
            let host = Host(
                ConfigurationLifecycle.Moment(
                    time: Int64(uptime / .milliseconds(1)), uptime: uptime, random: Draw(word: word)))
            switch event {
            case .started: lifecycle.start(nil, host)
            case .elapsed(let wait): lifecycle.elapsed(wait.timer, host)
            case .fetched(let error):
                if let fetch { lifecycle.fetched(fetch, error.map { .failed($0) } ?? .notModified, host) }
            case .hinted(let hint): lifecycle.hinted(hint, connection, host)
            case .disconnected(let failure): lifecycle.streamEnded(failure, connection, host)
            }
            (fetch, connection) = (host.fetch ?? fetch, host.connection ?? connection)
            return host.actions
        }
    }
}

extension Internals.Fetching.Wait {
    fileprivate var timer: ConfigurationLifecycle.Timer {
        switch self {
        case .poll: .poll
        case .hint: .hint
        case .connection: .stream
        }
    }
}

private struct Draw: RandomSource {
    let word: UInt64

    func fill(_ bytes: UnsafeMutableRawBufferPointer) {
        for index in bytes.indices { bytes[index] = UInt8(truncatingIfNeeded: word >> (8 * (index % 8))) }
    }
}

/// Collects the actions of one event.
private final class Host: LifecycleHost {
    let moment: Lifecycle.Moment
    var fetch: Lifecycle.Fetch?
    var connection: Int?
    var actions: [Internals.Fetching.Action] = []

    init(_ moment: Lifecycle.Moment) {
        self.moment = moment
    }

    func fetch(_ fetch: Lifecycle.Fetch) {
        self.fetch = fetch
        actions.append(.fetch)
    }

    func openStream(_ number: Int) -> Bool {
        connection = number
        actions.append(.connect)
        return true
    }

    func start(_ timer: Lifecycle.Timer, after wait: Duration) {
        for kind in Internals.Fetching.Wait.allCases where kind.timer == timer { actions.append(.wait(kind, wait)) }
    }

    func cancel(_ timer: Lifecycle.Timer) {
        for kind in Internals.Fetching.Wait.allCases where kind.timer == timer { actions.append(.cancel(kind)) }
    }

    // Never called, because the source never has a document.
    func apply(
        _ configuration: ActiveConfiguration, removing namespaces: Set<ExactText>, isWatched: Bool,
        after before: [ExactText: CanaryMonitor.Observation]?
    ) -> Lifecycle.ApplyResult { Lifecycle.ApplyResult(namespaces: []) }
    func cache(
        _ configuration: ActiveConfiguration, _ headers: [HTTPHeader], after previous: ActiveConfiguration?,
        unproven: Int?
    ) {}
    func recordReversion(of version: Int, _ reason: String) {}
    func publish(
        _ configuration: ActiveConfiguration, _ result: Lifecycle.ApplyResult, _ warnings: [ConfigurationError]
    ) {}

    func cancelAll() {}
    func markStale(_ isStale: Bool) {}
    func report(_ outcome: ConfigurationOutcome, _ level: LogLevel) {}
    func log(_ level: LogLevel, _ text: String, about version: Int?) {}
}
