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

    package init() {}
}

/// The numbers of a tracker's events in the 10 s from a time, by outcome; see ``DeliveryRates``.
package struct DeliverySample: Sendable, Equatable, Codable {
    package var time: Date
    package var tracked: Int
    package var sent: Int
    package var failed: Int
    package var dropped: Int

    package init(time: Date, tracked: Int = 0, sent: Int = 0, failed: Int = 0, dropped: Int = 0) {
        self.time = time
        (self.tracked, self.sent, self.failed, self.dropped) = (tracked, sent, failed, dropped)
    }
}
