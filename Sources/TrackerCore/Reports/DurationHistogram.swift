/// Durations, counted in fixed ranges.
///
/// ```swift
/// let propagation = setup.status.propagation
/// let slow = zip(propagation.bounds, propagation.counts).filter { $0.0 > .seconds(1) }
/// ```
public struct DurationHistogram: Sendable, Hashable, Codable {
    // One array for all histograms of a kind that have no durations yet.
    /// For requests to collectors.
    package static let requests = DurationHistogram([0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60])

    /// For documents, which take less than a second with a stream and minutes with polls.
    package static let propagation = DurationHistogram(
        [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 900])

    /// ``bounds`` in seconds.
    package let boundsSeconds: [Double]

    /// The number of durations in each range, the shortest range first; one more than ``bounds``.
    public private(set) var counts: [Int]

    /// ``sum`` in seconds.
    package private(set) var sumSeconds = 0.0

    private init(_ boundsSeconds: [Double]) {
        self.boundsSeconds = boundsSeconds
        counts = Array(repeating: 0, count: boundsSeconds.count + 1)
    }

    /// The upper ends of the ranges, each one included; a last range without an end follows.
    public var bounds: [Duration] { boundsSeconds.map { .seconds($0) } }

    /// The sum of all durations.
    public var sum: Duration { .seconds(sumSeconds) }

    /// The number of durations.
    public var count: Int { counts.reduce(0, +) }

    /// Adds a duration; a negative one counts as zero.
    package mutating func add(_ duration: Duration) {
        let seconds = max(0, duration / .seconds(1))
        counts[boundsSeconds.firstIndex { seconds <= $0 } ?? boundsSeconds.count] += 1
        sumSeconds += seconds
    }
}
