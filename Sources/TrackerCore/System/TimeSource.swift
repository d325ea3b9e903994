import Dispatch
package import FoundationEssentials

/// A source of time; `ManualTime` of `TrackerTesting` is one that tests advance.
package protocol TimeSource: Sendable {
    /// The time of the wall clock.
    var now: Date { get }

    /// The time of the wall clock, in milliseconds since 1970.
    var wallTime: Int64 { get }

    /// A clock that never goes back, from any origin.
    var uptime: Duration { get }

    /// Returns after `duration` of ``uptime``.
    /// - Parameter duration: The duration; zero or less returns at once.
    /// - Throws: `CancellationError` if the task is cancelled before the end.
    func sleep(for duration: Duration) async throws
}

extension TimeSource {
    /// The time of the wall clock, in milliseconds since 1970.
    package var wallTime: Int64 { now.milliseconds }

    /// Sleeps unless the task is cancelled, which is all that ``sleep(for:)`` throws for.
    /// - Parameter duration: How long.
    /// - Returns: Whether the sleep came to its end.
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

    /// The time of the machine's wall clock, which is not NaN and is in the bounds of ``Date/milliseconds``, in milliseconds since 1970.
    package var wallTime: Int64 { Int64(Date().timeIntervalSince1970 * 1000 + 0.5) }

    /// The time since the machine started.
    package var uptime: Duration { .nanoseconds(DispatchTime.now().uptimeNanoseconds) }

    /// Sleeps on the machine's continuous clock.
    /// - Parameter duration: The duration; zero or less returns at once.
    /// - Throws: `CancellationError` if the task is cancelled before the end.
    package func sleep(for duration: Duration) async throws {
        // The clock traps where its deadline is more nanoseconds than 64 bits hold; no wait takes a century.
        try await Task.sleep(for: min(duration, Duration.seconds(3_155_760_000)), clock: .continuous)
    }
}
