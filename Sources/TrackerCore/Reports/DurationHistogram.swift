/// Durations of requests to collectors, counted in fixed ranges.
package struct DurationHistogram: Sendable, Hashable {
    /// The upper bounds of the ranges in seconds, inclusive; a last range without a bound follows.
    package static let boundsSeconds = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60]

    /// The number of durations in each range, the shortest range first.
    package private(set) var counts = Array(repeating: 0, count: boundsSeconds.count + 1)

    /// The sum of all durations in seconds.
    package private(set) var sumSeconds = 0.0

    /// Creates a histogram without durations.
    package init() {}

    /// Adds a duration; a negative one counts as zero.
    package mutating func add(_ duration: Duration) {
        let seconds = max(0, duration / .seconds(1))
        counts[Self.boundsSeconds.firstIndex { seconds <= $0 } ?? Self.boundsSeconds.count] += 1
        sumSeconds += seconds
    }
}
