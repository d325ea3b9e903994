extension Internals {
    /// When a setup fetches and connects for signals, as its lifecycle decides; the source never has a document.
    public struct Fetching: Sendable {
        /// What happens.
        public enum Event: Sendable {
            case started
            /// A wait is over.
            case elapsed(Wait)
            /// A fetch has found nothing new, or failed.
            case fetched(FetchError?)
            /// Something came over the connection.
            case signalled(SourceSignal)
        }

        /// What is to be done.
        public enum Action: Sendable {
            case fetch
            case connect
            /// Begin a wait, in place of the one of its kind.
            case wait(Wait, Duration)
            case cancel(Wait)
        }

        /// What is waited for: the next poll, a fetch that a signal asks for, the next connection.
        public enum Wait: Int, Sendable, CaseIterable {
            case poll, signal, connection
        }

        private struct Draw: RandomSource {
            let word: UInt64

            func fill(_ bytes: UnsafeMutableRawBufferPointer) {
                for index in bytes.indices { bytes[index] = UInt8(truncatingIfNeeded: word >> (8 * (index % 8))) }
            }
        }

        private var lifecycle: ConfigurationLifecycle
        private var fetch: ConfigurationLifecycle.Fetch?
        private var connection = 0

        /// Creates the life of a setup.
        /// - Parameter interval: The time between two polls.
        public init(interval: Duration) {
            let scope = UserScope(user: nil, url: "source", sharedURL: "source")
            let identity = VersionHistory.Identity(
                crashGuard: nil, instanceID: nil, random: SystemRandom(), time: SystemTime())
            let history = VersionHistory(directory: nil, url: scope.url, identity: identity)
            lifecycle = ConfigurationLifecycle(
                ConfigurationLifecycle.Settings(pollInterval: interval),
                UserDocuments(scope, FileSource(path: ""), own: history))
        }

        /// Handles an event.
        /// - Parameters:
        ///   - event: The event.
        ///   - uptime: When it happens.
        ///   - word: A random number.
        /// - Returns: What is to be done, in its order.
        public mutating func handle(_ event: Event, at uptime: Duration, random word: UInt64) -> [Action] {
            let moment = ConfigurationLifecycle.Moment(
                time: Int64(uptime / .milliseconds(1)), uptime: uptime, random: Draw(word: word))
            return lifecycle.handle(translated(event), at: moment).compactMap { action in
                switch action {
                case .fetch(let next):
                    fetch = next
                    return .fetch
                case .openStream(let number):
                    connection = number
                    return .connect
                case .startTimer(let timer, let duration): return Wait(timer).map { .wait($0, duration) }
                case .cancelTimer(let timer): return Wait(timer).map { .cancel($0) }
                default: return nil
                }
            }
        }

        private func translated(_ event: Event) -> ConfigurationLifecycle.Event {
            switch event {
            case .started: .started
            case .elapsed(.poll): .pollElapsed
            case .elapsed(.signal): .signalElapsed
            case .elapsed(.connection): .streamElapsed
            case .signalled(let signal): .signalled(signal, connection)
            case .fetched(let error):
                fetch.map { .fetched($0, error.map { .failed($0) } ?? .notModified) } ?? .refreshRequested
            }
        }
    }
}

extension Internals.Fetching.Wait {
    fileprivate init?(_ timer: ConfigurationLifecycle.Timer) {
        switch timer {
        case .poll: self = .poll
        case .signal: self = .signal
        case .stream: self = .connection
        default: return nil
        }
    }
}
