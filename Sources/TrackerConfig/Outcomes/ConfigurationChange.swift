public import FoundationEssentials

/// The outcome of a document or of fetches, or a change of an override, with repetitions folded into one change.
public struct ConfigurationChange: Sendable, Equatable, Encodable {
    /// The kind of change.
    public var kind: NamedCode<ConfigurationChange>

    /// The version of the document; nil if there is none, or if it could not be read.
    public var version: Int?

    /// The description of the outcome or the failure, as a sentence.
    public var text: String

    /// The time when it first happened.
    public var firstTime: Date

    /// The time when it last happened.
    public var lastTime: Date

    /// The number of times that it happened.
    public var count: Int

    /// Whether the operator should act on it.
    public var needsAttention: Bool

    /// The version that is in use again after ``version`` was reverted; nil for other changes, and for a default without a
    /// version.
    public var restoredVersion: Int?

    /// The versions before the reverted one whose bake time was not over, and that the rollback undid too, the oldest first;
    /// at most 5.
    public var undoneVersions: [Int] = []

    /// Creates a change.
    /// - Parameters:
    ///   - kind: The kind of change.
    ///   - version: The version of the document.
    ///   - text: The change, as a sentence.
    ///   - time: The time when it happened.
    ///   - needsAttention: Whether the operator should act on it.
    public init(
        kind: NamedCode<ConfigurationChange>, version: Int? = nil, text: String, time: Date, needsAttention: Bool
    ) {
        self.kind = kind
        self.version = version
        self.text = text
        (firstTime, lastTime) = (time, time)
        count = 1
        self.needsAttention = needsAttention
    }

    /// Creates the change of a fetch that ended.
    /// - Parameters:
    ///   - outcome: The outcome of the fetch.
    ///   - time: The time when it ended.
    public init(_ outcome: ConfigurationOutcome, at time: Date) {
        self.init(outcome, at: time, needsAttention: outcome.needsAttention)
    }

    init(_ outcome: ConfigurationOutcome, at time: Date, needsAttention: Bool) {
        self.init(
            kind: NamedCode(rawValue: outcome.kind.rawValue), version: outcome.version, text: outcome.description,
            time: time, needsAttention: needsAttention)
    }
}

extension ConfigurationChange {
    init(_ change: OverrideChange) {
        self.init(
            kind: NamedCode(rawValue: change.kind.rawValue), text: change.text, time: change.lastTime,
            needsAttention: false)
        (firstTime, count) = (change.firstTime, change.count)
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

    /// A failing version stays in use, because its rollback target cannot be applied.
    public static var rollbackFailed: Self { Self(rawValue: "rollbackFailed") }

    /// A document is newer, but not for this process or not now.
    public static var held: Self { Self(rawValue: "held") }

    /// A fetch returned no document, or a stream failed.
    public static var failed: Self { Self(rawValue: "failed") }

    /// A document has a lower version than one that is or was in use.
    public static var stale: Self { Self(rawValue: "stale") }

    /// A document has the version that is in use.
    public static var unchanged: Self { Self(rawValue: "unchanged") }

    /// The server says that the document has not changed.
    public static var notModified: Self { Self(rawValue: "notModified") }

    /// An override was set, or a variant forced.
    public static var overrideSet: Self { Self(rawValue: "overrideSet") }

    /// An override got another value, author, reason or expiry.
    public static var overrideChanged: Self { Self(rawValue: "overrideChanged") }

    /// An override was removed.
    public static var overrideRemoved: Self { Self(rawValue: "overrideRemoved") }

    /// An override has expired.
    public static var overrideExpired: Self { Self(rawValue: "overrideExpired") }
}
