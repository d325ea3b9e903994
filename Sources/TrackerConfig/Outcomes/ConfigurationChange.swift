package import FoundationEssentials
import TrackerFeatures

/// The outcome of a document or of fetches, or a change of an override, with repetitions merged into one change.
package struct ConfigurationChange: Sendable, Equatable, Encodable {
    /// The kind of change.
    package var kind: NamedCode<ConfigurationOutcome>

    /// The version of the document; nil if there is none, or if it could not be read.
    package let version: Int?

    /// The description of the outcome or the failure, as a sentence.
    package let text: String

    /// The time when it first happened.
    package var firstTime: Date

    /// The time when it last happened.
    package var lastTime: Date

    /// The number of times that it happened.
    package var count: Int

    /// Whether the operator should act on it.
    package let needsAttention: Bool

    /// The author of the document and a ticket from its `meta`: `dana, INC-412`; nil if it names no author.
    package var author: String?

    /// The version that was restored after ``version`` was reverted; nil for other changes, and for a default without a
    /// version.
    package var restoredVersion: Int?

    /// The earlier versions within their bake time that the rollback also undid, the oldest first; at most 5.
    package var undoneVersions: [Int] = []

    package init(
        kind: NamedCode<ConfigurationOutcome>, version: Int? = nil, text: String, time: Date, needsAttention: Bool
    ) {
        (self.kind, self.version, self.text) = (kind, version, text)
        (firstTime, lastTime, count) = (time, time, 1)
        self.needsAttention = needsAttention
    }

    package init(_ outcome: ConfigurationOutcome, at time: Date) {
        self.init(
            kind: outcome.kind, version: outcome.version, text: outcome.description, time: time,
            needsAttention: outcome.needsAttention)
        author = outcome.author
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
