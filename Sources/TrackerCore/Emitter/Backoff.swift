/// How long to wait after failures: from 0.1 s, doubling, full jitter, at most 10 min.
///
/// The rule is "full jitter" of https://aws.amazon.com/blogs/architecture/exponential-backoff-and-jitter/.
package struct Backoff: Sendable {
    package static let first = Duration.milliseconds(100)
    package static let most = Duration.seconds(600)

    /// Failures in a row.
    package private(set) var failures = 0

    package init() {}

    /// The wait after one more failure.
    /// - Parameters:
    ///   - fraction: A random number in 0 ..< 1.
    ///   - retryAfter: What the server asked for; honoured up to ``most``.
    /// - Returns: The wait.
    package mutating func next(fraction: Double, retryAfter: Duration?) -> Duration {
        let bound = failures < 13 ? min(Self.first * (1 << failures), Self.most) : Self.most
        failures += 1
        let jittered = bound * fraction
        guard let retryAfter else { return jittered }
        return max(jittered, min(retryAfter, Self.most))
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
        if let seconds = Int(header) {
            guard seconds >= 0 else { return nil }
            self = .seconds(min(seconds, 315_360_000))
        } else {
            guard let date = HTTPDate(header) else { return nil }
            self = .milliseconds(max(0, Int64(date.seconds) * 1000 - now))
        }
    }
}
