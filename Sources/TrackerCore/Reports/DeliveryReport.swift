/// What became of a tracker's or a whole setup's events.
public struct DeliveryReport: Sendable, Hashable {
    /// Events that a collector has taken.
    public var sent: Int

    /// Events that wait to be sent; they stay in the store.
    public var stored: Int

    /// Events that will never be sent.
    public var dropped: Int

    /// Creates a report.
    /// - Parameters:
    ///   - sent: Events that a collector has taken.
    ///   - stored: Events that wait to be sent.
    ///   - dropped: Events that will never be sent.
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
