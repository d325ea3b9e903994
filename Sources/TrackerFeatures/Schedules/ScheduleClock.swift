import FoundationEssentials
import Synchronization

/// The clock of schedules: the wall clock, unless it has obviously not been set.
package final class ScheduleClock: Sendable {
    /// 1 January 2020 in UTC: a machine without a battery starts in 1970 or at the time of its firmware.
    package static let earliest = Instant(milliseconds: 1_577_836_800_000)

    let time: any TimeSource
    private let log: Log
    private let isUnset = Atomic<Bool>(false)

    init(_ time: any TimeSource, log: Log) {
        (self.time, self.log) = (time, log)
    }

    /// The current time of a clock; nil while it is before 2020.
    static func present(of time: any TimeSource) -> Instant? {
        let now = Instant(milliseconds: time.wallTime)
        return now < earliest ? nil : now
    }

    /// The current time; nil while the clock is before 2020. Each change is logged, so it must not be read inside a
    /// lock.
    package var now: Instant? {
        let now = Self.present(of: time)
        let isUnset = now == nil
        if isUnset != self.isUnset.load(ordering: .relaxed),
            self.isUnset.exchange(isUnset, ordering: .relaxed) != isUnset
        {
            if isUnset { log.warning("schedules: \(Self.fault)") } else { log.info("schedules: the clock is set") }
        }
        return now
    }

    /// The reason why schedules do not apply; nil if the clock was set when it was last read.
    package var fault: String? { isUnset.load(ordering: .relaxed) ? Self.fault : nil }

    private static let fault =
        "the clock of this machine is before 2020, so no rule or experiment with a schedule applies until it is set"
}

extension TimeSource {
    /// Waits for a time of the wall clock, which is checked at least once a minute, because it may be set in the
    /// meantime.
    /// - Parameter rest: Returns the remaining time; the wait is over at zero or less.
    /// - Returns: False if the task was cancelled first.
    func waitOnWallClock(_ rest: () -> Duration) async -> Bool {
        while true {
            let rest = rest()
            guard rest > .zero else { return true }
            guard await sleepUnlessCancelled(for: min(rest, .seconds(60))) else { return false }
        }
    }
}

extension Instant {
    /// The time in UTC in the format of RFC 3339: `2026-12-01T00:00:00Z`.
    package var text: String { Date(milliseconds: milliseconds).iso8601 ?? "\(milliseconds)" }
}
