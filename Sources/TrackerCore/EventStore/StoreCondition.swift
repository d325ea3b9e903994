/// The state of a store that keeps events in memory despite a directory: a state machine without I/O or clock.
package struct StoreCondition: Sendable {
    /// The interval between attempts to take a slot.
    static let openInterval = Duration.seconds(5)

    /// The reason why the store does not work.
    package struct Failure: Sendable, Equatable {
        /// The sentence, in lower case and without a full stop.
        package let text: String
        /// The time of the first failure, in milliseconds since 1970.
        package let time: Int64
    }

    /// The last failure; nil if there is none.
    package private(set) var failure: Failure?
    private var logThrottle = LogThrottle()
    private var nextAttempt = Duration.zero

    /// Notes that events cannot be stored.
    /// - Parameters:
    ///   - text: The sentence.
    ///   - uptime: The time.
    ///   - wallTime: The time in milliseconds since 1970.
    /// - Returns: Whether to log it now: at once, and once a minute while it lasts.
    mutating func failed(_ text: String, at uptime: Duration, _ wallTime: Int64) -> Bool {
        failure = Failure(text: text, time: failure?.time ?? wallTime)
        return logThrottle.admit("store", count: 1, at: uptime) != nil
    }

    /// Notes that no event is in memory only any more.
    /// - Returns: Whether to log that the store works again, because a failure was logged.
    mutating func recovered() -> Bool {
        failure = nil
        return logThrottle.reset("store")
    }

    /// Returns whether to look for a slot now.
    mutating func attempts(at uptime: Duration) -> Bool {
        guard uptime >= nextAttempt else { return false }
        nextAttempt = uptime + Self.openInterval
        return true
    }

    /// Makes the next attempt due at once.
    mutating func retry() { nextAttempt = .zero }
}
