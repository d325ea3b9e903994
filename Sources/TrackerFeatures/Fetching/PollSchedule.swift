/// The schedule of a setup's fetches, independent of clocks and threads.
///
/// After a success it waits for the interval, a tenth more or less, so that the processes of a fleet do not fetch at
/// the same time. After failures it waits for a random part, at least 0.1 s, of a bound that doubles ("full jitter" of
/// https://aws.amazon.com/blogs/architecture/exponential-backoff-and-jitter/): twice the interval after the first
/// failure, up to 16 intervals or 10 min, whichever is less, and never below twice the interval. On average, a fleet
/// therefore sends no more requests to a failing server than to a working one, and its processes return at different
/// times. If the server sends `Retry-After`, that time, up to 10 min or the interval if that is longer, comes first,
/// followed by a random part of the interval. Waits are limited because a document may contain a kill switch.
package struct PollSchedule: Sendable {
    private static let bounds = Duration.milliseconds(100)...Duration.seconds(31_536_000)
    private static let maxBackoff = Duration.seconds(600)

    /// The time between two successful fetches; 0.1 s … 365 days.
    package let interval: Duration

    /// The number of consecutive failures.
    package private(set) var failures = 0

    /// Creates a schedule.
    /// - Parameter interval: The time between two successful fetches, clamped to 0.1 s … 365 days.
    package init(interval: Duration) {
        self.interval = min(max(interval, Self.bounds.lowerBound), Self.bounds.upperBound)
    }

    /// Returns the wait after a fetch.
    /// - Parameters:
    ///   - hasFailed: Whether the fetch failed: it returned neither a document nor 304.
    ///   - retryAfter: The wait that the server requested.
    ///   - fraction: A random number in 0 ..< 1.
    /// - Returns: The wait until the next fetch, at least 0.09 s.
    package mutating func wait(hasFailed: Bool, retryAfter: Duration? = nil, fraction: Double) -> Duration {
        guard hasFailed else {
            failures = 0
            return interval * (0.9 + 0.2 * fraction)
        }
        failures = min(failures + 1, 4)
        let most = max(interval * 2, min(interval * 16, Self.maxBackoff))
        let backoff = max(min(interval * (1 << failures), most) * fraction, Self.bounds.lowerBound)
        guard let retryAfter else { return backoff }
        return max(min(retryAfter, max(Self.maxBackoff, interval)) + interval * fraction, backoff)
    }
}
