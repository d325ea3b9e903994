public import TrackerFeatures

/// Internal parts of the SDK for the fuzzers and benchmarks of this project, which are separate packages. Not part of
/// the API; it may change in every release.
@_spi(Tools)
public enum Internals {
    /// Returns the cache of a setup's cache directory.
    /// - Parameter directory: The directory.
    /// - Returns: The cache.
    public static func diskCache(directory: String) -> any ConfigurationCache { DiskCache(directory: directory) }

    /// A compiled condition.
    public struct CompiledCondition: Sendable, Hashable {
        private let condition: Condition

        /// Compiles a condition.
        /// - Parameters:
        ///   - json: The condition.
        ///   - segments: The lists of segments by name; none by default.
        public init(_ json: JSONObject, segments: JSONObject = [:]) {
            condition = Condition(json, segments: Segments(segments))
        }

        /// The unusable parts of the condition: the place, the reason, and whether it makes the condition match
        /// nothing.
        public var problems: [(path: String, reason: String, isFatal: Bool)] {
            condition.problems.map { ($0.path, $0.reason, $0.isFatal) }
        }

        /// Evaluates the condition.
        /// - Parameter attribute: The value of an attribute.
        /// - Returns: Whether the condition holds.
        public func matches(_ attribute: (String) -> JSONValue?) -> Bool { condition.matches(attribute) }
    }

    /// The waits between fetches.
    public struct Polling: Sendable {
        private var schedule: PollSchedule

        /// Creates a schedule.
        /// - Parameter interval: The time between two successful fetches.
        public init(interval: Duration) {
            schedule = PollSchedule(interval: interval)
        }

        /// Returns the wait after a fetch.
        /// - Parameters:
        ///   - hasFailed: Whether the fetch failed.
        ///   - retryAfter: The wait that the server requested.
        ///   - fraction: A random number in 0 ..< 1.
        /// - Returns: The wait.
        public mutating func wait(hasFailed: Bool, retryAfter: Duration? = nil, fraction: Double) -> Duration {
            schedule.wait(hasFailed: hasFailed, retryAfter: retryAfter, fraction: fraction)
        }
    }
}
