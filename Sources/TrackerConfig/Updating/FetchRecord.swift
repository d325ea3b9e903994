/// How a fetch of the past ended.
public struct FetchRecord: Sendable, Hashable, Codable {
    /// When it ended, in milliseconds since 1970.
    public let time: Int64

    /// The outcome in a word: the name of a case of ``ConfigurationOutcome``.
    public let outcome: String

    /// The outcome as a sentence.
    public let text: String

    /// Whether somebody should look at it.
    public let needsAttention: Bool

    package init(_ outcome: ConfigurationOutcome, at time: Int64) {
        self.time = time
        self.outcome = outcome.name
        text = outcome.description
        needsAttention = outcome.needsAttention
    }
}
