/// How long to wait after failures: from 0.1 s, doubling, full jitter, up to a bound.
///
/// The rule is "full jitter" of https://aws.amazon.com/blogs/architecture/exponential-backoff-and-jitter/.
package struct Backoff: Sendable {
    package static let first = Duration.milliseconds(100)
    /// What a collector may ask for by `Retry-After`; more is cut to it.
    package static let maxRetryAfter = Duration.seconds(600)

    /// Failures in a row.
    package private(set) var failures = 0

    package init() {}

    /// The wait after one more failure.
    /// - Parameters:
    ///   - fraction: A random number in 0 ..< 1.
    ///   - retryAfter: What the server asked for; honoured up to ``maxRetryAfter``.
    ///   - first: The longest wait after the first failure; 0.1 s by default.
    ///   - most: The longest wait without a `Retry-After`.
    /// - Returns: The wait.
    package mutating func next(
        fraction: Double, retryAfter: Duration?, first: Duration = Self.first, most: Duration
    ) -> Duration {
        let bound = failures < 32 ? min(first * (1 << failures), most) : most
        failures += 1
        let jittered = bound * fraction
        guard let retryAfter else { return jittered }
        return max(jittered, min(retryAfter, Self.maxRetryAfter))
    }

    /// Begins anew after a success.
    package mutating func reset() {
        failures = 0
    }
}

extension Duration {
    /// The wait that a `Retry-After` header asks for: seconds, or a date (RFC 9110, section 10.2.3).
    /// - Parameters:
    ///   - header: The header's value.
    ///   - now: Milliseconds since 1970.
    package init?(retryAfter header: String?, now: Int64) {
        guard let header else { return nil }
        if !header.isEmpty, header.utf8.allSatisfy({ UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }) {
            // More digits than an integer has are a very long time too.
            self = .seconds(min(Int(header) ?? .max, 315_360_000))
        } else {
            guard let date = HTTPDate(header) else { return nil }
            self = .milliseconds(max(0, Int64(date.seconds) * 1000 - now))
        }
    }
}
