/// The delay after failures: from 0.1 s, doubling, with full jitter, up to a bound.
///
/// The rule is "full jitter" of https://aws.amazon.com/blogs/architecture/exponential-backoff-and-jitter/.
package struct Backoff: Sendable {
    package static let first = Duration.milliseconds(100)
    /// The longest delay that a collector can ask for with `Retry-After`; a longer one is clamped.
    package static let maxRetryAfter = Duration.seconds(600)

    /// The number of failures in a row.
    package private(set) var failures = 0

    package init() {}

    /// Returns the delay after one more failure.
    /// - Parameters:
    ///   - fraction: A random number in 0 ..< 1.
    ///   - retryAfter: The delay that the server asked for; honoured up to ``maxRetryAfter``.
    ///   - first: The maximum delay after the first failure; 0.1 s by default.
    ///   - most: The maximum delay without a `Retry-After`.
    /// - Returns: The delay.
    package mutating func next(
        fraction: Double, retryAfter: Duration?, first: Duration = Self.first, most: Duration
    ) -> Duration {
        let bound = failures < 32 ? min(first * (1 << failures), most) : most
        failures += 1
        let jittered = bound * fraction
        guard let retryAfter else { return jittered }
        return max(jittered, min(retryAfter, Self.maxRetryAfter))
    }

    /// Resets the failures after a success.
    package mutating func reset() {
        failures = 0
    }
}

extension Duration {
    /// Reads the delay of a `Retry-After` header: seconds, or a date (RFC 9110, section 10.2.3).
    /// - Parameters:
    ///   - header: The header's value.
    ///   - now: Milliseconds since 1970.
    package init?(retryAfter header: String?, now: Int64) {
        guard let header else { return nil }
        if !header.isEmpty, header.utf8.allSatisfy({ UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }) {
            // A number that exceeds an integer is a very long time too.
            self = .seconds(min(Int(header) ?? .max, 315_360_000))
        } else {
            guard let date = HTTPDate(header) else { return nil }
            self = .milliseconds(max(0, Int64(date.seconds) * 1000 - now))
        }
    }
}
