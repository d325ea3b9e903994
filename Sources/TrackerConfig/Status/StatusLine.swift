public import FoundationEssentials

/// One sentence on the state of a setup.
public struct StatusLine: Sendable, Equatable, Codable {
    /// How bad it is.
    @nonexhaustive
    public enum Level: String, Sendable, Hashable, Codable, CaseIterable {
        /// Something fails, and the operator should act.
        case problem
        /// Something may become a problem.
        case warning
        /// Something the operator should know, as a canary or an override.
        case news
        /// All is well.
        case normal
    }

    /// What it is about.
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
    }

    /// How bad it is.
    public var level: Level

    /// The sentence, without a full stop and without the time that ``since`` has.
    public var text: String

    /// Since when; nil if it has no beginning.
    public var since: Date?

    /// What it is about.
    public var topic: Topic

    /// The namespace of the tracker that it is about; nil if it is about none or several.
    public var namespace: String?

    /// Creates a line.
    /// - Parameters:
    ///   - level: How bad it is.
    ///   - text: The sentence.
    ///   - since: Since when.
    ///   - topic: What it is about.
    ///   - namespace: The namespace of the tracker that it is about.
    public init(level: Level, text: String, since: Date? = nil, topic: Topic, namespace: String? = nil) {
        self.level = level
        self.text = text
        self.since = since
        self.topic = topic
        self.namespace = namespace
    }
}
