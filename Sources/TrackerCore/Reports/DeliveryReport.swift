/// The numbers of a tracker's or a setup's events by outcome.
public struct DeliveryReport: Sendable, Hashable {
    /// The number of events that a collector accepted.
    public var sent: Int

    /// The number of events that wait to be sent; they stay in the store.
    public var stored: Int

    /// The number of events that will never be sent.
    public var dropped: Int

    /// Creates a report.
    /// - Parameters:
    ///   - sent: The number of events that a collector accepted.
    ///   - stored: The number of events that wait to be sent.
    ///   - dropped: The number of events that will never be sent.
    public init(sent: Int = 0, stored: Int = 0, dropped: Int = 0) {
        self.sent = sent
        self.stored = stored
        self.dropped = dropped
    }

    /// Sums up counters.
    package init(_ counters: some Sequence<TrackerCounters>) {
        (sent, stored, dropped) = (0, 0, 0)
        for counter in counters {
            sent += counter.sent
            stored += counter.stored
            dropped += counter.dropped
        }
    }
}
