public import TrackerFeatures

extension Internals {
    /// The fetches and connections of a setup in simulated time, whose source has a stream and never another document.
    public final class Fetching: LifecycleHost {
        /// An event of the lifecycle.
        public enum Event: Sendable {
            case started
            /// The next wait has ended.
            case elapsed
            /// A fetch found no change.
            case fetched
            /// A hint arrived over the connection; the first one confirms that it is open.
            case hinted(ChangeHint)
            /// The connection failed.
            case disconnected(FetchError)
        }

        /// The number of fetches that were begun.
        public private(set) var fetches = 0
        /// The number of connections that were begun.
        public private(set) var connections = 0

        private var lifecycle: ConfigurationLifecycle
        private var connection = 0
        private var time = 0.0
        private var random = Draw(word: 0)
        private var ends: [Lifecycle.Timer: Double] = [:]

        /// Creates the lifecycle of a setup.
        /// - Parameter interval: The time between two polls.
        public init(interval: Duration) {
            lifecycle = ConfigurationLifecycle(ConfigurationLifecycle.Settings(pollInterval: interval))
        }

        /// The end of the next wait, in seconds.
        public var next: Double { ends.values.min() ?? .infinity }

        /// Handles an event.
        /// - Parameters:
        ///   - event: The event.
        ///   - time: The time of the event, in seconds.
        ///   - word: A random number.
        public func handle(_ event: Event, at time: Double, random word: UInt64) {
            (self.time, random) = (time, Draw(word: word))
            switch event {
            case .started: lifecycle.start(nil, self)
            case .elapsed:
                guard let timer = Self.timers.first(where: { ends[$0] == next }) else { return }
                ends[timer] = nil
                lifecycle.elapsed(timer, self)
            case .fetched: lifecycle.fetched(.notModified, self)
            case .hinted(let hint): lifecycle.hinted(hint, connection, self)
            case .disconnected(let failure): lifecycle.streamEnded(failure, connection, self)
            }
        }

        private static let timers: [Lifecycle.Timer] = [.poll, .hint, .stream]

        package var now: Lifecycle.Now {
            let uptime = Duration.seconds(time)
            return Lifecycle.Now(time: Int64(uptime / .milliseconds(1)), uptime: uptime, random: random)
        }

        package func fetch(_ validators: DocumentValidators?) { fetches += 1 }

        package func openStream(_ number: Int) -> Bool {
            connections += 1
            connection = number
            return true
        }

        package func start(_ timer: Lifecycle.Timer, after wait: Duration) {
            if Self.timers.contains(timer) { ends[timer] = time + wait / .seconds(1) }
        }

        package func cancel(_ timer: Lifecycle.Timer) { ends[timer] = nil }

        // Never called, because the source never has a document.
        package func apply(
            _ configuration: ActiveConfiguration, removing namespaces: Set<ExactText>, isWatched: Bool,
            after before: [ExactText: CanaryMonitor.Observation]?
        ) -> AppliedConfiguration { AppliedConfiguration(namespaces: []) }
        package func cache(
            _ configuration: ActiveConfiguration, _ headers: [HTTPHeader], after previous: ActiveConfiguration?,
            unproven: Int?
        ) {}
        package func recordReversion(of version: Int, _ reason: String) {}
        package func queueUpdate(
            _ configuration: ActiveConfiguration, _ applied: AppliedConfiguration, _ warnings: [ConfigurationError]
        ) {}

        package func cancelAll() {}
        package func markStale(_ isStale: Bool) {}
        package func queueOutcome(_ outcome: ConfigurationOutcome, _ level: LogLevel) {}
        package func log(_ level: LogLevel, _ text: String, about version: Int?) {}
    }
}

private struct Draw: RandomSource {
    let word: UInt64

    func fill(_ bytes: UnsafeMutableRawBufferPointer) {
        for index in bytes.indices { bytes[index] = UInt8(truncatingIfNeeded: word >> (8 * (index % 8))) }
    }
}
