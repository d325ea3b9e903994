/// How long a tracker's requests to its collectors took, counted in fixed ranges.
package struct RequestDurations: Sendable, Hashable {
    /// The upper ends of the ranges in seconds, each one included; a last range without an end follows.
    package static let bounds = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60]

    /// The number of requests in each range, the shortest range first.
    package private(set) var counts = none

    // One array for all trackers without requests.
    private static let none = Array(repeating: 0, count: bounds.count + 1)

    /// The sum of all durations in seconds.
    package private(set) var sum = 0.0

    package init() {}

    /// The number of requests.
    package var total: Int { counts.reduce(0, +) }

    /// Adds a request.
    package mutating func add(_ duration: Duration) {
        let seconds = max(0, duration / .seconds(1))
        counts[Self.bounds.firstIndex { seconds <= $0 } ?? Self.bounds.count] += 1
        sum += seconds
    }
}
