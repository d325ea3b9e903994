/// A request to a collector that has ended.
public struct CollectorRequestReport: Sendable, Hashable {
    /// The namespace of its events.
    public let namespace: String

    /// The number of its events.
    public let eventCount: Int

    /// The status of the response, nil if none came.
    public let status: Int?

    /// What happened to the events, as a sentence.
    public let summary: String

    /// Whether the collector accepted the events.
    public let isDelivered: Bool

    /// Creates a report.
    /// - Parameters:
    ///   - namespace: The namespace of its events.
    ///   - eventCount: The number of its events.
    ///   - status: The status of the response, nil if none came.
    ///   - summary: What happened to the events, as a sentence.
    ///   - isDelivered: Whether the collector accepted the events.
    public init(namespace: String, eventCount: Int, status: Int? = nil, summary: String, isDelivered: Bool) {
        self.namespace = namespace
        self.eventCount = eventCount
        self.status = status
        self.summary = summary
        self.isDelivered = isDelivered
    }
}
