import FoundationEssentials

/// The outcomes of a namespace's events in the last hour, in intervals of 10 s; at most 20 KB.
///
/// It samples the growth of the counters, so that counting an event costs no more than before.
struct DeliverySampler: Sendable {
    private struct Slot: Sendable {
        /// The number of intervals from the clock's origin.
        let index: Int
        var rates = DeliveryRates()
    }

    /// The length of a sample in seconds.
    static let interval = 10
    /// The number of samples in an hour.
    static let maxSamples = 360

    /// The counters of the last sample.
    private var totals = DeliveryRates()
    private var losses: [DropReason: Int] = [:]
    /// The oldest first; intervals without events are left out.
    private var slots: [Slot] = []
    /// The interval of the last loss for each reason.
    private var lastLosses: [DropReason: Int] = [:]

    /// Samples the counters.
    /// - Parameters:
    ///   - counters: The counters, which only grow.
    ///   - uptime: The time.
    mutating func note(_ counters: TrackerCounters, at uptime: Duration) {
        var new = totals
        (new.tracked, new.sent, new.failed) = (counters.tracked, counters.sent, counters.retried)
        let lost = counters.droppedByReason.filter(\.key.isLoss)
        new.dropped = lost.values.reduce(0, +)
        guard new != totals else { return }
        let index = Self.index(uptime)
        if slots.last?.index != index {
            slots.append(Slot(index: index))
            slots.removeAll { $0.index <= index - Self.maxSamples }
        }
        // The growth since the last call.
        slots[slots.count - 1].rates.add(new)
        slots[slots.count - 1].rates.add(totals, share: -1)
        if new.dropped != totals.dropped {
            for (reason, count) in lost where count > losses[reason, default: 0] { lastLosses[reason] = index }
            losses = lost
        }
        totals = new
    }

    /// The samples of the last hour, the oldest first.
    /// - Parameters:
    ///   - uptime: The time.
    ///   - wallTime: The same time in milliseconds since 1970.
    /// - Returns: The samples.
    func samples(at uptime: Duration, wallTime: Int64) -> [DeliveryRates] {
        slots(since: Self.index(uptime) - Self.maxSamples + 1).map { slot in
            let age = uptime - .seconds(slot.index * Self.interval)
            var sample = slot.rates
            sample.time = Date(milliseconds: wallTime - Int64((age / .milliseconds(1)).rounded()))
            return sample
        }
    }

    /// The outcomes of events in the last hour, as the sum of the samples.
    func lastHour(at uptime: Duration) -> DeliveryRates {
        slots(since: Self.index(uptime) - Self.maxSamples + 1).reduce(into: DeliveryRates()) { $0.add($1.rates) }
    }

    /// The outcomes of events in the last minute. It includes the current interval, so that a failure counts at once,
    /// and only the share of the oldest interval that is within the minute, so that a steady rate reads steadily.
    func lastMinute(at uptime: Duration) -> DeliveryRates {
        let oldest = Self.index(uptime) - 60 / Self.interval
        let share = 1 - (uptime / .seconds(Self.interval)).truncatingRemainder(dividingBy: 1)
        return slots(since: oldest).reduce(into: DeliveryRates()) { rates, slot in
            rates.add(slot.rates, share: slot.index == oldest ? share : 1)
        }
    }

    /// The reasons for lost events in the last hour, sorted.
    func lossReasons(at uptime: Duration) -> [DropReason] {
        let first = Self.index(uptime) - Self.maxSamples
        return lastLosses.filter { $0.value > first }.keys.sorted { $0.rawValue < $1.rawValue }
    }

    private func slots(since first: Int) -> ArraySlice<Slot> { slots.drop { $0.index < first } }

    private static func index(_ uptime: Duration) -> Int { Int(uptime.components.seconds) / interval }
}
