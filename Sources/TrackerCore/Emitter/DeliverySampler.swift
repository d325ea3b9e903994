import FoundationEssentials

/// What became of a namespace's events in the last hour, by 10 s; 8 KB at most.
///
/// It takes the counters now and then and keeps their growth, so that counting an event costs no more than before.
struct DeliverySampler: Sendable {
    private struct Slot: Sendable {
        /// The number of intervals from the clock's origin.
        let index: Int32
        var tracked: UInt32 = 0
        var sent: UInt32 = 0
        var failed: UInt32 = 0
        var dropped: UInt32 = 0

        mutating func add(_ new: DeliveryRates, since old: DeliveryRates) {
            tracked += UInt32(clamping: new.tracked - old.tracked)
            sent += UInt32(clamping: new.sent - old.sent)
            failed += UInt32(clamping: new.failed - old.failed)
            dropped += UInt32(clamping: new.dropped - old.dropped)
        }

        /// Adds a share of the slot to rates.
        func add(_ share: Double, to rates: inout DeliveryRates) {
            func part(_ count: UInt32) -> Int { Int((Double(count) * share).rounded()) }
            rates.tracked += part(tracked)
            rates.sent += part(sent)
            rates.failed += part(failed)
            rates.dropped += part(dropped)
        }
    }

    /// The length of a sample in seconds.
    static let interval: Int64 = 10
    /// The number of samples in an hour.
    static let maxSamples: Int32 = 360

    /// The counters as they were last taken.
    private var totals = DeliveryRates()
    private var losses: [DropReason: Int] = [:]
    /// The oldest first; intervals without any event are left out.
    private var slots: [Slot] = []
    /// The interval of the last loss for each reason.
    private var lastLosses: [DropReason: Int32] = [:]

    /// Takes the counters.
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
        slots[slots.count - 1].add(new, since: totals)
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
    func samples(at uptime: Duration, wallTime: Int64) -> [DeliverySample] {
        slots(ofLast: Self.maxSamples, at: uptime).map { slot in
            let age = uptime - .seconds(Int64(slot.index) * Self.interval)
            let start = wallTime - Int64((age / .milliseconds(1)).rounded())
            return DeliverySample(
                time: Date(milliseconds: start), tracked: Int(slot.tracked), sent: Int(slot.sent),
                failed: Int(slot.failed), dropped: Int(slot.dropped))
        }
    }

    /// What became of events in the last hour, as the samples have it.
    func lastHour(at uptime: Duration) -> DeliveryRates {
        slots(ofLast: Self.maxSamples, at: uptime).reduce(into: DeliveryRates()) { $1.add(1, to: &$0) }
    }

    /// What became of events in the last minute. With the current interval, a failure counts at once; the oldest
    /// interval counts by its share that is not older than a minute, so that a steady rate reads steadily.
    func lastMinute(at uptime: Duration) -> DeliveryRates {
        let oldest = Self.index(uptime) - Int32(60 / Self.interval)
        let share = 1 - (uptime / .seconds(Self.interval)).truncatingRemainder(dividingBy: 1)
        return slots.reduce(into: DeliveryRates()) { rates, slot in
            if slot.index >= oldest { slot.add(slot.index == oldest ? share : 1, to: &rates) }
        }
    }

    /// Why events were lost in the last hour, sorted.
    func lossReasons(at uptime: Duration) -> [DropReason] {
        let first = Self.index(uptime) - Self.maxSamples
        return lastLosses.filter { $0.value > first }.keys.sorted { $0.rawValue < $1.rawValue }
    }

    private func slots(ofLast count: Int32, at uptime: Duration) -> [Slot] {
        let first = Self.index(uptime) - count
        return slots.filter { $0.index > first }
    }

    private static func index(_ uptime: Duration) -> Int32 {
        Int32(clamping: uptime.components.seconds / interval)
    }
}
