/// A request to a collector that has ended.
public struct CollectorRequestReport: Sendable, Hashable {
    /// The namespace whose events it carried.
    public let namespace: String

    /// How many events it carried.
    public let eventCount: Int

    /// The status of the answer, nil if none came.
    public let status: Int?

    /// What was done with the events, as a sentence.
    public let summary: String

    /// Whether the collector took the events.
    public let isDelivered: Bool

    /// Creates a report.
    /// - Parameters:
    ///   - namespace: The namespace whose events it carried.
    ///   - eventCount: How many events it carried.
    ///   - status: The status of the answer, nil if none came.
    ///   - summary: What was done with the events, as a sentence.
    ///   - isDelivered: Whether the collector took the events.
    public init(namespace: String, eventCount: Int, status: Int? = nil, summary: String, isDelivered: Bool) {
        self.namespace = namespace
        self.eventCount = eventCount
        self.status = status
        self.summary = summary
        self.isDelivered = isDelivered
    }
}
