public import FoundationEssentials

/// How a fetch of the past ended.
public struct FetchRecord: Sendable, Hashable, Codable {
    /// When it ended.
    public let time: Date

    /// The kind of outcome.
    public let kind: ConfigurationOutcome.Kind

    /// The outcome as a sentence.
    public let text: String

    /// Whether the operator should look at it.
    public let needsAttention: Bool

    /// Creates a record.
    /// - Parameters:
    ///   - outcome: How the fetch ended.
    ///   - time: When it ended.
    public init(_ outcome: ConfigurationOutcome, at time: Date) {
        self.time = time
        kind = outcome.kind
        text = outcome.description
        needsAttention = outcome.needsAttention
    }
}
