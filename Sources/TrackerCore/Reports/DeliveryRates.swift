package import FoundationEssentials

/// The numbers of a tracker's events in a span of time, by outcome.
package struct DeliveryRates: Sendable, Equatable, Encodable {
    /// The beginning of a span of 10 s; nil for a span that ends now.
    package var time: Date?

    /// The number of tracked events.
    package var tracked = 0

    /// The number of events that a collector accepted.
    package var sent = 0

    /// The number of events whose request failed and is retried; each attempt counts.
    package var failed = 0

    /// The number of lost events, without drops that code requested.
    package var dropped = 0

    package init() {}

    /// Adds the numbers of another span.
    /// - Parameters:
    ///   - other: The other numbers.
    ///   - share: The share of the other numbers to add, rounded; all by default.
    package mutating func add(_ other: DeliveryRates, share: Double = 1) {
        func part(_ count: Int) -> Int { Int((Double(count) * share).rounded()) }
        tracked += part(other.tracked)
        sent += part(other.sent)
        failed += part(other.failed)
        dropped += part(other.dropped)
    }
}
