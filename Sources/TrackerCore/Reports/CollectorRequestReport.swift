/// A request to a collector that has ended.
public struct CollectorRequestReport: Sendable, Hashable {
    /// The namespace whose events it carried.
    public let namespace: String

    /// How many events it carried.
    public let eventCount: Int

    /// The status of the answer, nil where none came.
    public let status: Int?

    /// What was done with the events, as a sentence.
    public let summary: String

    /// Whether the collector took the events.
    public let isDelivered: Bool
}
