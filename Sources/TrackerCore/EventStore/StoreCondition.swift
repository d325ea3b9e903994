/// The condition of the event store on disk: a state machine without I/O or clock.
///
/// | state | left when |
/// | --- | --- |
/// | working | a commit or an opening fails: to failing |
/// | failing | a commit or an opening succeeds and memory is empty: to working |
package struct StoreCondition: Sendable {
    /// How soon a store that could not be opened is opened again.
    static let openInterval = Duration.seconds(5)
    /// How soon a store whose files vanished is replaced again, after that failed.
    static let replaceInterval = Duration.seconds(1)

    /// Why the store does not work.
    package struct Failure: Sendable, Equatable {
        /// The sentence, in lower case and without a full stop.
        package let text: String
        /// When the first failure was, in milliseconds since 1970.
        package let time: Int64
    }

    /// Whether memory holds events that belong on disk.
    package private(set) var isFailing = false
    /// The last failure; nil while the store works.
    package private(set) var failure: Failure?
    private var lines = LogThrottle()
    private var nextAttempt = Duration.zero

    /// The store could not be opened or written.
    /// - Parameters:
    ///   - text: The sentence.
    ///   - uptime: The time.
    ///   - wallTime: The time in milliseconds since 1970.
    /// - Returns: Whether to log it now: at once, and once a minute while it lasts.
    mutating func failed(_ text: String, at uptime: Duration, _ wallTime: Int64) -> Bool {
        isFailing = true
        failure = Failure(text: text, time: failure?.time ?? wallTime)
        return lines.admit("store", count: 1, at: uptime) != nil
    }

    /// Another store is in use, and events in memory are to be moved to it.
    mutating func replaced() {
        isFailing = true
        nextAttempt = .zero
    }

    /// All events are on disk.
    /// - Returns: Whether to log that the store works again, because a failure was logged.
    mutating func recovered() -> Bool {
        isFailing = false
        failure = nil
        return lines.reset("store")
    }

    /// Asks whether to open or replace the store now.
    /// - Parameters:
    ///   - uptime: The time.
    ///   - interval: The time until the next attempt if this one fails.
    /// - Returns: Whether the time for an attempt has come.
    mutating func attempts(at uptime: Duration, interval: Duration) -> Bool {
        guard uptime >= nextAttempt else { return false }
        nextAttempt = uptime + interval
        return true
    }
}
