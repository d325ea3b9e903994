/// How a fetch ended.
public enum ConfigurationOutcome: Sendable, Hashable {
    /// The document is in use now.
    case applied(version: Int, namespaces: [String])
    /// The server says that the document has not changed.
    case notModified
    /// The document has the version that is in use; `isOtherContent` where it was changed without its version, which
    /// is a mistake of its author.
    case unchanged(version: Int, isOtherContent: Bool)
    /// The document has a lower version than the one in use, or than one that was
    /// (``RemoteConfiguration/keepsVersionFloor``).
    case stale(version: Int)
    /// The document is newer, but not for this process or not now, as the reason says.
    case held(version: Int, reason: String)
    /// The document cannot be used; the error has its version, where that could be read.
    case rejected(ConfigurationError)
    /// No document came.
    case failed(FetchError)
}

extension ConfigurationOutcome: CustomStringConvertible {
    /// The outcome as a sentence.
    public var description: String {
        switch self {
        case .applied(let version, let namespaces): "version \(version) was applied to \(namespaces)"
        case .notModified: "the document has not changed"
        case .unchanged(let version, isOtherContent: false): "version \(version) is in use already"
        case .unchanged(let version, isOtherContent: true):
            "version \(version) is in use already, but the document was changed without its version"
        case .stale(let version): "version \(version) is lower than one that is or was in use"
        case .held(let version, let reason): "version \(version) is held back: \(reason)"
        case .rejected(let error): "the document was rejected: \(error)"
        case .failed(let error): "no document came: \(error)"
        }
    }
}

extension ConfigurationOutcome {
    /// The case's name.
    package var name: String {
        switch self {
        case .applied: "applied"
        case .notModified: "notModified"
        case .unchanged: "unchanged"
        case .stale: "stale"
        case .held: "held"
        case .rejected: "rejected"
        case .failed: "failed"
        }
    }

    /// How severe the outcome is in the log, see ``ConfigurationUse``. A canary that is not for this instance and a
    /// shutdown are normal.
    var logLevel: LogLevel {
        switch self {
        case .rejected: .error
        case .failed(let error): error.code == .shutDown ? .debug : .warning
        case .unchanged(_, isOtherContent: true): .warning
        case .applied, .held, .stale: .info
        case .notModified, .unchanged: .debug
        }
    }

    /// Whether the operator should look at it.
    var needsAttention: Bool {
        switch self {
        case .failed, .rejected, .held, .unchanged(_, isOtherContent: true): true
        case .applied, .notModified, .unchanged, .stale: false
        }
    }
}

/// What a setup tells while it runs.
public enum SetupEvent: Sendable {
    /// A configuration was applied.
    case update(ConfigurationUpdate)
    /// A fetch ended; after its update, where it has one.
    case outcome(ConfigurationOutcome)
}
