/// The choice among several collectors: the first for as long as it works, the next after repeated failure, and the first
/// again as soon as a probe succeeds.
struct CollectorChoice: Sendable {
    /// How many passes in a row must fail before the next collector is tried.
    static let failuresBeforeChange = 3
    /// How often the first collector is probed while another one is in use.
    static let probeInterval = Duration.seconds(60)

    private(set) var current = 0
    private var failures = 0
    /// How often the collector was changed since one worked.
    private var changes = 0
    private var nextProbe = Duration.zero

    /// The collector of the next pass.
    /// - Parameters:
    ///   - count: How many collectors there are.
    ///   - uptime: The time.
    /// - Returns: Its index.
    mutating func next(of count: Int, at uptime: Duration) -> Int {
        // The settings may have fewer than before.
        if current >= count { current = 0 }
        return current > 0 && uptime >= nextProbe ? 0 : current
    }

    /// Notes how a pass ended.
    /// - Parameters:
    ///   - index: The collector that it went to.
    ///   - hasFailed: Whether events were kept to be tried again.
    ///   - count: How many collectors there are.
    ///   - uptime: The time.
    /// - Returns: Whether the next pass may follow at once, because it goes to a collector that has not failed since one
    ///   worked. While all fail, this is so once for each.
    mutating func passEnded(_ index: Int, hasFailed: Bool, count: Int, at uptime: Duration) -> Bool {
        guard hasFailed else {
            (current, failures, changes) = (index, 0, 0)
            return true
        }
        guard index == current else {
            nextProbe = uptime + Self.probeInterval
            return failures == 0 && changes < count
        }
        failures += 1
        guard failures >= Self.failuresBeforeChange, count > 1 else { return false }
        (current, failures) = ((current + 1) % count, 0)
        changes = min(changes + 1, count)
        nextProbe = uptime + Self.probeInterval
        // Once each has failed, the back-off counts.
        return changes < count
    }
}
