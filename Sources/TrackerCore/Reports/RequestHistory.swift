/// The outcomes of a tracker's newest 64 requests to its collector.
package struct RequestHistory: Sendable, Hashable {
    /// The number of requests that the history keeps.
    package static let length = 64

    /// The number of all requests that have ended, including those that the history no longer keeps.
    package private(set) var total = 0

    // A bit for each request, the newest in the lowest place; set for a failure.
    private var failures: UInt64 = 0

    /// Creates a history.
    /// - Parameter failures: For each request, the oldest first, whether it failed; none by default.
    package init(failures: [Bool] = []) {
        for isFailure in failures { append(isFailure: isFailure) }
    }

    /// Adds a request.
    /// - Parameter isFailure: Whether the collector did not take the events.
    package mutating func append(isFailure: Bool) {
        failures = failures << 1 | (isFailure ? 1 : 0)
        total += 1
    }

    /// Returns the share of failures among the newest requests.
    /// - Parameter count: The number of the newest requests; at most ``length`` count.
    /// - Returns: 0 … 1; nil without any request.
    package func failureRate(ofNewest count: Int = length) -> Double? {
        let newest = counts(ofNewest: count)
        return newest.requests > 0 ? Double(newest.failed) / Double(newest.requests) : nil
    }

    /// Counts the newest requests.
    /// - Parameter count: The number of the newest requests; at most ``length`` count.
    /// - Returns: The number of requests, and of those that failed.
    package func counts(ofNewest count: Int = length) -> (requests: Int, failed: Int) {
        let count = min(count, total, Self.length)
        guard count > 0 else { return (0, 0) }
        let newest = failures & (UInt64.max >> UInt64(64 - count))
        return (count, newest.nonzeroBitCount)
    }
}
