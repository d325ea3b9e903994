/// Whether events are kept in memory although there is a directory: a state machine without I/O or clock.
package struct StoreCondition: Sendable {
    /// How soon another slot is looked for after none could be taken.
    static let openInterval = Duration.seconds(5)

    /// Why the store does not work.
    package struct Failure: Sendable, Equatable {
        /// The sentence, in lower case and without a full stop.
        package let text: String
        /// When the first failure was, in milliseconds since 1970.
        package let time: Int64
    }

    /// The last failure; nil if there is none.
    package private(set) var failure: Failure?
    private var lines = LogThrottle()
    private var nextAttempt = Duration.zero

    /// Events cannot be stored.
    /// - Parameters:
    ///   - text: The sentence.
    ///   - uptime: The time.
    ///   - wallTime: The time in milliseconds since 1970.
    /// - Returns: Whether to log it now: at once, and once a minute while it lasts.
    mutating func failed(_ text: String, at uptime: Duration, _ wallTime: Int64) -> Bool {
        failure = Failure(text: text, time: failure?.time ?? wallTime)
        return lines.admit("store", count: 1, at: uptime) != nil
    }

    /// No event is in memory only any more.
    /// - Returns: Whether to log that the store works again, because a failure was logged.
    mutating func recovered() -> Bool {
        failure = nil
        return lines.reset("store")
    }

    /// Asks whether to look for a slot now.
    mutating func attempts(at uptime: Duration) -> Bool {
        guard uptime >= nextAttempt else { return false }
        nextAttempt = uptime + Self.openInterval
        return true
    }

    /// Lets a slot be looked for at once.
    mutating func retry() { nextAttempt = .zero }
}
