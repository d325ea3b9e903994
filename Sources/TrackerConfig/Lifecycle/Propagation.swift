/// How long documents took from their publication to this process, as a histogram.
package struct Propagation: Sendable, Equatable {
    /// The upper bounds of the buckets in seconds; a last one has none.
    package static let bounds = [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300]

    /// The number of documents in each bucket, not cumulated.
    package private(set) var counts = [Int](repeating: 0, count: bounds.count + 1)
    /// The sum of their times in seconds.
    package private(set) var sum = 0.0

    package init() {}

    /// Adds a document.
    /// - Parameter seconds: The time from its publication; what is negative, because clocks differ, counts as 0.
    package mutating func add(_ seconds: Double) {
        let seconds = max(seconds, 0)
        counts[Self.bounds.firstIndex { seconds <= $0 } ?? Self.bounds.count] += 1
        sum += seconds
    }
}
