public import FoundationEssentials

/// What became of a document or of fetches, with repetitions folded into one change.
public struct ConfigurationChange: Sendable, Equatable, Codable {
    /// The kind of change: the raw values of ``ConfigurationOutcome/Kind``, `reverted` and `rollbackFailed`; later
    /// versions may have more.
    public typealias Kind = NamedCode<ConfigurationChange>

    /// The kind of change.
    public var kind: Kind

    /// The version of the document; nil if there is none, or if it could not be read.
    public var version: Int?

    /// What happened, as a sentence.
    public var text: String

    /// When it happened first.
    public var firstTime: Date

    /// When it happened last.
    public var lastTime: Date

    /// How often it happened.
    public var count: Int

    /// Whether the operator should look at it.
    public var needsAttention: Bool

    /// Creates a change.
    /// - Parameters:
    ///   - kind: The kind of change.
    ///   - version: The version of the document.
    ///   - text: What happened, as a sentence.
    ///   - time: When it happened.
    ///   - needsAttention: Whether the operator should look at it.
    public init(kind: Kind, version: Int? = nil, text: String, time: Date, needsAttention: Bool) {
        self.kind = kind
        self.version = version
        self.text = text
        (firstTime, lastTime) = (time, time)
        count = 1
        self.needsAttention = needsAttention
    }

    /// Creates the change that the end of a fetch is.
    /// - Parameters:
    ///   - outcome: How the fetch ended.
    ///   - time: When it ended.
    public init(_ outcome: ConfigurationOutcome, at time: Date) {
        self.init(outcome, at: time, needsAttention: FetchReport(outcome).needsAttention)
    }

    init(_ outcome: ConfigurationOutcome, at time: Date, needsAttention: Bool) {
        var text = outcome.description
        if outcome.kind == .rejected, let version = outcome.version {
            text = "version \(version) was rejected: \(outcome.reason ?? "")"
        }
        self.init(
            kind: Kind(rawValue: outcome.kind.rawValue), version: outcome.version, text: text, time: time,
            needsAttention: needsAttention)
    }
}

/// The kinds of change.
extension NamedCode<ConfigurationChange> {
    /// A document was applied.
    public static var applied: Self { Self(rawValue: "applied") }

    /// A document cannot be used.
    public static var rejected: Self { Self(rawValue: "rejected") }

    /// A version was rolled back.
    public static var reverted: Self { Self(rawValue: "reverted") }

    /// A bad version stays in use, because what it was to be rolled back to cannot be applied.
    public static var rollbackFailed: Self { Self(rawValue: "rollbackFailed") }

    /// A document is newer, but not for this process or not now.
    public static var held: Self { Self(rawValue: "held") }

    /// A fetch returned no document.
    public static var failed: Self { Self(rawValue: "failed") }

    /// A document has a lower version than one that is or was in use.
    public static var stale: Self { Self(rawValue: "stale") }

    /// A document has the version that is in use.
    public static var unchanged: Self { Self(rawValue: "unchanged") }

    /// The server says that the document has not changed.
    public static var notModified: Self { Self(rawValue: "notModified") }
}
