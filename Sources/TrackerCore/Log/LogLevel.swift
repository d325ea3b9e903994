/// How much a tracker says in the log, from nothing to everything.
public enum LogLevel: String, Sendable, Hashable, CaseIterable, Comparable {
    /// Nothing.
    case off
    /// What needs somebody's attention: rejected documents, dropped events, a store that cannot be opened.
    case error
    /// What happened: documents applied, requests that will be tried again.
    case debug
    /// Every request and every pass of the emitter.
    case verbose

    /// Orders the levels from ``off`` to ``verbose``.
    public static func < (left: LogLevel, right: LogLevel) -> Bool {
        left.rank < right.rank
    }

    private var rank: Int {
        switch self {
        case .off: 0
        case .error: 1
        case .debug: 2
        case .verbose: 3
        }
    }
}
