import FoundationEssentials
import TrackerCore

/// The clocks of the simulation, which only the simulation moves.
final class VirtualClock: TimeSource {
    private struct State {
        /// Milliseconds since the start.
        var uptime: Int64 = 0
        /// Milliseconds since 1970 at the start, and what the wall clock has jumped since.
        var origin: Int64 = 1_700_000_000_000
    }

    private let state = Locked(State())

    /// Milliseconds since the start.
    var milliseconds: Int64 { state.withLock { $0.uptime } }

    var uptime: Duration { .milliseconds(milliseconds) }

    var now: Date { Date(milliseconds: state.withLock { $0.origin + $0.uptime }) }

    /// Moves both clocks to an uptime; they never go back by it.
    func advance(to milliseconds: Int64) {
        state.withLock { $0.uptime = max($0.uptime, milliseconds) }
    }

    /// Moves the wall clock alone.
    /// - Returns: By how much it moved.
    @discardableResult
    func jump(by milliseconds: Int64) -> Int64 {
        state.withLock { state in
            let before = state.origin
            state.origin = max(1_000_000_000_000, before + milliseconds)
            return state.origin - before
        }
    }

    /// Ends at once: the timers of the simulation are on its agenda.
    func sleep(for duration: Duration) async throws {
        throw CancellationError()
    }
}
