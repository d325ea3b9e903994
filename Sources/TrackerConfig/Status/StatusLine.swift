public import FoundationEssentials

/// A sentence about the state of a setup.
public struct StatusLine: Sendable, Equatable, Encodable {
    /// The severity.
    @nonexhaustive
    public enum Level: String, Sendable, Hashable, Encodable, CaseIterable {
        /// Something fails, and the operator should act.
        case problem
        /// Something may become a problem.
        case warning
        /// The operator should know it, such as a canary or an override.
        case news
        /// Nothing needs attention.
        case normal
    }

    /// The severity.
    public var level: Level

    /// The sentence, without a full stop and without the time in ``since``.
    public var text: String

    /// The time when it began; nil if it has no beginning.
    public var since: Date?

    /// The topic.
    public var topic: NamedCode<StatusLine>

    /// The namespace of the tracker that the line is about; nil if it is about none or several.
    public var namespace: String?

    /// The version of the document that the line is about, or with which a tracker's failure began; nil if there is
    /// none.
    public var version: Int?
}

/// The topics of lines.
extension NamedCode<StatusLine> {
    /// The document in use, or one that was rejected, reverted or held back.
    public static var document: Self { Self(rawValue: "document") }

    /// The canary.
    public static var rollout: Self { Self(rawValue: "rollout") }

    /// The source of the document.
    public static var fetch: Self { Self(rawValue: "fetch") }

    /// The delivery of events.
    public static var tracker: Self { Self(rawValue: "tracker") }

    /// The overrides.
    public static var override: Self { Self(rawValue: "override") }

    /// The mismatches between code and the configuration, such as the tracker of an unknown namespace.
    public static var code: Self { Self(rawValue: "code") }

    /// All topics of this release.
    package static let all: [Self] = [.document, .rollout, .fetch, .tracker, .override, .code]
}
