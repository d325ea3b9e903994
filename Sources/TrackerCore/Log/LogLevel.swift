/// The severity of a log line, and the threshold of a log.
///
/// The levels are those of swift-log. Documents spell ``trace`` as Snowplow's trackers do: `verbose`.
@nonexhaustive
public enum LogLevel: String, Sendable, Hashable, CaseIterable, Comparable {
    /// No lines.
    case off
    /// A failure that needs the operator's attention: rejected documents, lost events, a store that cannot be opened.
    case error
    /// Something wrong that the SDK works around: a collector that fails, a document that was reverted, a setting that
    /// was clamped.
    case warning
    /// A change of state: documents applied, recovery after a failure.
    case info
    /// Details of the work: each outcome of a fetch, each request that is retried.
    case debug
    /// Every request and every pass of the emitter.
    case trace = "verbose"

    /// Orders the levels from ``off`` to ``trace``.
    public static func < (left: LogLevel, right: LogLevel) -> Bool {
        left.rank < right.rank
    }

    /// The level's name in swift-log.
    package var name: String { self == .trace ? "trace" : rawValue }

    private var rank: Int { Self.allCases.firstIndex(of: self) ?? 0 }
}
