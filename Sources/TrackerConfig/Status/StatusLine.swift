public import FoundationEssentials

/// A sentence about the state of a setup.
public struct StatusLine: Sendable, Equatable, Codable {
    /// The severity.
    @nonexhaustive
    public enum Level: String, Sendable, Hashable, Codable, CaseIterable {
        /// Something fails, and the operator should act.
        case problem
        /// Something may become a problem.
        case warning
        /// The operator should know it, such as a canary or an override.
        case news
        /// All is well.
        case normal
    }

    /// The topic.
    @nonexhaustive
    public enum Topic: String, Sendable, Hashable, Codable, CaseIterable {
        /// The document in use, or one that was rejected, reverted or held back.
        case document
        /// The canary.
        case rollout
        /// The source of the document.
        case fetch
        /// The delivery of events.
        case tracker
        /// The overrides.
        case override
        /// What code asks for and does not get; see ``CodeIssue``.
        case code
    }

    /// The severity.
    public var level: Level

    /// The sentence, without a full stop and without the time that ``since`` has.
    public var text: String

    /// The time when it began; nil if it has no beginning.
    public var since: Date?

    /// The topic.
    public var topic: Topic

    /// The namespace of the tracker that the line is about; nil if it is about none or several.
    public var namespace: String?

    package init(level: Level, text: String, since: Date? = nil, topic: Topic, namespace: String? = nil) {
        self.level = level
        self.text = text
        self.since = since
        self.topic = topic
        self.namespace = namespace
    }
}
