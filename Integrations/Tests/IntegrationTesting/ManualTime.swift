package import FoundationEssentials
import Synchronization
import TrackerConfig

/// A clock that stands still until a test moves it.
package final class ManualTime: TimeSource {
    private struct Sleeper {
        let deadline: Duration
        let continuation: CheckedContinuation<Void, any Error>
    }

    private struct State {
        var uptime = Duration.seconds(1000)
        var sleepers: [Int: Sleeper] = [:]
        var cancelled: Set<Int> = []
        var nextID = 0
    }

    private let state = Mutex(State())

    package init() {}

    package var now: Date { Date(timeIntervalSince1970: 1_700_000_000 + uptime / .seconds(1)) }

    package var uptime: Duration { state.withLock { $0.uptime } }

    /// How many tasks sleep.
    package var sleepers: Int { state.withLock { $0.sleepers.count } }

    package func sleep(for duration: Duration) async throws {
        guard duration > .zero else { return }
        let id = state.withLock { state in
            state.nextID += 1
            return state.nextID
        }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let isCancelled = state.withLock { state in
                    if state.cancelled.remove(id) != nil { return true }
                    state.sleepers[id] = Sleeper(deadline: state.uptime + duration, continuation: continuation)
                    return false
                }
                if isCancelled { continuation.resume(throwing: CancellationError()) }
            }
        } onCancel: {
            let sleeper = state.withLock { state in
                let sleeper = state.sleepers.removeValue(forKey: id)
                if sleeper == nil { state.cancelled.insert(id) }
                return sleeper
            }
            sleeper?.continuation.resume(throwing: CancellationError())
        }
    }

    /// Moves the clock and wakes the tasks whose time has come.
    package func advance(by duration: Duration) {
        let due = state.withLock { state in
            state.uptime += duration
            let due = state.sleepers.filter { $0.value.deadline <= state.uptime }
            for id in due.keys { state.sleepers[id] = nil }
            return due.values.map(\.continuation)
        }
        for continuation in due { continuation.resume() }
    }
}
