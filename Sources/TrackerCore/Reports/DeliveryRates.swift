package import FoundationEssentials

/// The numbers of a tracker's events in a span of time, by outcome.
package struct DeliveryRates: Sendable, Equatable, Codable {
    /// The number of tracked events.
    package var tracked = 0

    /// The number of events that a collector accepted.
    package var sent = 0

    /// The number of events whose request failed and is retried; each attempt counts.
    package var failed = 0

    /// The number of lost events, without those that code asked to leave out.
    package var dropped = 0

    /// Creates rates of zero.
    package init() {}
}

/// The numbers of a tracker's events in 10 s, by outcome.
package struct DeliverySample: Sendable, Equatable, Codable {
    /// The beginning of the 10 s.
    package var time: Date

    /// The number of tracked events.
    package var tracked: Int

    /// The number of events that a collector accepted.
    package var sent: Int

    /// The number of events whose request failed and is retried; each attempt counts.
    package var failed: Int

    /// The number of lost events, without those that code asked to leave out.
    package var dropped: Int

    /// Creates a sample.
    /// - Parameters:
    ///   - time: The beginning of the 10 s.
    ///   - tracked: The number of tracked events.
    ///   - sent: The number of events that a collector accepted.
    ///   - failed: The number of events whose request failed.
    ///   - dropped: The number of lost events.
    package init(time: Date, tracked: Int = 0, sent: Int = 0, failed: Int = 0, dropped: Int = 0) {
        self.time = time
        self.tracked = tracked
        self.sent = sent
        self.failed = failed
        self.dropped = dropped
    }
}
