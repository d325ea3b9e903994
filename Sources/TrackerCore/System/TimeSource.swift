import Dispatch
import FoundationEssentials

/// Where the SDK takes the time from; tests bring a clock that they move by hand.
public protocol TimeSource: Sendable {
    /// The wall clock, in milliseconds since 1970.
    var wallTime: Int64 { get }

    /// A clock that never goes back, from any origin.
    var uptime: Duration { get }

    /// Returns after `duration` of ``uptime``.
    /// - Parameter duration: How long; zero or less returns at once.
    /// - Throws: `CancellationError` when the task is cancelled first.
    func sleep(for duration: Duration) async throws
}

extension TimeSource {
    /// Sleeps to the end.
    /// - Parameter duration: How long.
    /// - Returns: False where the task was cancelled first, which is all that a sleep can throw.
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
public struct SystemTime: TimeSource {
    /// Creates a source that reads the machine's clocks.
    public init() {}

    /// The machine's wall clock, in milliseconds since 1970.
    public var wallTime: Int64 { Int64(Date().timeIntervalSince1970 * 1000) }

    /// The time since the machine started.
    public var uptime: Duration { .nanoseconds(DispatchTime.now().uptimeNanoseconds) }

    /// Sleeps on the machine's continuous clock.
    /// - Parameter duration: How long; zero or less returns at once.
    /// - Throws: `CancellationError` when the task is cancelled first.
    public func sleep(for duration: Duration) async throws {
        // The clock traps where its deadline is more nanoseconds than 64 bits hold; nobody waits for a century.
        try await Task.sleep(for: min(duration, Duration.seconds(3_155_760_000)), clock: .continuous)
    }
}
