/// Decides which of many equal failures are logged: the first of each cause at once, and then one line a minute with
/// the number of failures since.
struct LogThrottle: Sendable {
    /// The time between two lines of a cause.
    static let interval = Duration.seconds(60)

    private struct Cause: Sendable {
        var lastLine: Duration
        var count = 0
    }

    private var causes: [String: Cause] = [:]

    /// Whether failures have no line yet.
    var hasWithheld: Bool { causes.values.contains { $0.count > 0 } }

    /// Notes failures of one cause.
    /// - Parameters:
    ///   - cause: The cause.
    ///   - count: The number of failures.
    ///   - uptime: The time.
    /// - Returns: The number of failures to log now, including those without a line; nil if there is no line now.
    mutating func admit(_ cause: String, count: Int, at uptime: Duration) -> Int? {
        guard var known = causes[cause] else {
            causes[cause] = Cause(lastLine: uptime)
            return count
        }
        known.count += count
        defer { causes[cause] = known }
        guard uptime - known.lastLine >= Self.interval else { return nil }
        defer { known = Cause(lastLine: uptime) }
        return known.count
    }

    /// Returns the failures that had no line for a minute, at the end all that had none, so that the last ones of a
    /// series are not left out.
    mutating func due(at uptime: Duration, isEnd: Bool = false) -> [(cause: String, count: Int)] {
        var due: [(cause: String, count: Int)] = []
        for (cause, known) in causes where isEnd || uptime - known.lastLine >= Self.interval {
            // A cause without failures for a minute is new when it returns.
            causes[cause] = known.count > 0 ? Cause(lastLine: uptime) : nil
            if known.count > 0 { due.append((cause, known.count)) }
        }
        return due.sorted { $0.cause < $1.cause }
    }

    /// Resets a cause, because it is resolved.
    /// - Returns: Whether there was a failure.
    mutating func reset(_ cause: String) -> Bool {
        causes.removeValue(forKey: cause) != nil
    }
}
