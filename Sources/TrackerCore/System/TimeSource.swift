import Dispatch
package import FoundationEssentials

/// A source of time; tests advance `ManualTime` of `TrackerTesting`.
package protocol TimeSource: Sendable {
    /// The time of the wall clock.
    var now: Date { get }

    /// The time of the wall clock, in milliseconds since 1970.
    var wallTime: Int64 { get }

    /// The time of a clock that never goes back, from any origin.
    var uptime: Duration { get }

    /// Returns after `duration` of ``uptime``.
    /// - Parameter duration: The duration; zero or less returns at once.
    /// - Throws: `CancellationError` if the task is cancelled before the end.
    func sleep(for duration: Duration) async throws
}

extension TimeSource {
    /// The time of the wall clock, in milliseconds since 1970.
    package var wallTime: Int64 { now.milliseconds }

    /// Sleeps until the task is cancelled or the time is over; cancellation is the only error of ``sleep(for:)``.
    /// - Parameter duration: The duration.
    /// - Returns: Whether the sleep was completed.
    package func sleepUnlessCancelled(for duration: Duration) async -> Bool {
        do {
            try await sleep(for: duration)
            return true
        } catch {
            return false
        }
    }
}

/// The machine's clocks.
package struct SystemTime: TimeSource {
    package init() {}

    /// The time of the machine's wall clock.
    package var now: Date { Date() }

    /// The time of the machine's wall clock in milliseconds since 1970; never NaN or out of the bounds of dates.
    package var wallTime: Int64 { Int64(Date().timeIntervalSince1970 * 1000 + 0.5) }

    /// The time since the machine started.
    package var uptime: Duration { .nanoseconds(DispatchTime.now().uptimeNanoseconds) }

    /// Sleeps on the machine's continuous clock.
    /// - Parameter duration: The duration; zero or less returns at once.
    /// - Throws: `CancellationError` if the task is cancelled before the end.
    package func sleep(for duration: Duration) async throws {
        // The clock traps if its deadline in nanoseconds exceeds 64 bits; no wait takes a century.
        try await Task.sleep(for: min(duration, Duration.seconds(3_155_760_000)), clock: .continuous)
    }
}
