/// Decides which of many equal failures become a line of the log: the first of each cause at once, and then one line a
/// minute with the number since.
struct LogThrottle: Sendable {
    /// The time between two lines of a cause.
    private static let interval = Duration.seconds(60)

    private struct Cause: Sendable {
        var lastLine: Duration
        var count = 0
    }

    private var causes: [String: Cause] = [:]

    /// Notes failures of one cause.
    /// - Parameters:
    ///   - cause: The cause.
    ///   - count: How many failures.
    ///   - uptime: The time.
    /// - Returns: The number to log now, those included that had no line yet; nil if there is to be no line now.
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

    /// Takes the failures that had no line for a minute, so that the last of a series are not left out.
    mutating func due(at uptime: Duration) -> [(cause: String, count: Int)] {
        var due: [(cause: String, count: Int)] = []
        for (cause, known) in causes where uptime - known.lastLine >= Self.interval {
            // A cause that was quiet for a minute is new when it comes back.
            causes[cause] = known.count > 0 ? Cause(lastLine: uptime) : nil
            if known.count > 0 { due.append((cause, known.count)) }
        }
        return due.sorted { $0.cause < $1.cause }
    }

    /// Begins anew for a cause, because what failed works again.
    /// - Returns: Whether there was a failure.
    mutating func reset(_ cause: String) -> Bool {
        causes.removeValue(forKey: cause) != nil
    }
}
