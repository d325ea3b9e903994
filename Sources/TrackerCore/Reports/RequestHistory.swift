/// How a tracker's requests to its collector ended, the newest 64 of them.
public struct RequestHistory: Sendable, Hashable {
    /// How many requests are remembered.
    public static let length = 64

    /// All requests that have ended, also those that are forgotten.
    public private(set) var total = 0

    // A bit for each, the newest in the lowest place; set for a failure.
    private var failures: UInt64 = 0

    /// Creates a history.
    /// - Parameter failures: For each request, the oldest first, whether it failed; none by default.
    public init(failures: [Bool] = []) {
        for isFailure in failures { append(isFailure: isFailure) }
    }

    /// Adds a request.
    /// - Parameter isFailure: Whether the collector did not take the events.
    package mutating func append(isFailure: Bool) {
        failures = failures << 1 | (isFailure ? 1 : 0)
        total += 1
    }

    /// The share of failures among the newest requests.
    /// - Parameter count: How many of the newest; at most ``length`` are looked at.
    /// - Returns: 0 … 1; nil without any request.
    public func failureRate(ofNewest count: Int = length) -> Double? {
        let count = min(count, total, Self.length)
        guard count > 0 else { return nil }
        let newest = failures & (UInt64.max >> UInt64(64 - count))
        return Double(newest.nonzeroBitCount) / Double(count)
    }
}
