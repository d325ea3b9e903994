public import FoundationEssentials
public import TrackerCore

/// A clock that stands still until a test moves it.
///
/// ```swift
/// let time = ManualTime()
/// var options = SetupOptions()
/// options.manualTime = time
/// await time.waitForSleepers()
/// time.advance(by: .seconds(60))
/// ```
///
/// The functions that wait have no timeout and ignore cancellation, so give the test a time limit.
public final class ManualTime: TimeSource {
    private struct Sleeper: Sendable {
        let deadline: Duration
        /// Whether the deadline was reached; false if the task was cancelled.
        let end: FirstResult<Bool>
    }

    private struct State: Sendable {
        var uptime = Duration.seconds(1000)
        var wallTime: Int64 = 1_700_000_000_000
        var sleepers: [Sleeper] = []
        var watchers: [(isDue: @Sendable ([Duration]) -> Bool, end: FirstResult<Void>)] = []

        /// The remaining sleeps of tasks, in ascending order.
        var pendingSleeps: [Duration] { sleepers.map { $0.deadline - uptime }.sorted() }
    }

    private let state = Locked(State())

    /// Creates a clock at 2023-11-14T22:13:20Z.
    public init() {}

    /// The time of the wall clock.
    public var now: Date { Date(milliseconds: state.withLock { $0.wallTime }) }

    /// The monotonic clock; 1,000 s at first.
    public var uptime: Duration { state.withLock { $0.uptime } }

    /// The remaining sleeps of tasks, in ascending order.
    public var pendingSleeps: [Duration] { state.withLock { $0.pendingSleeps } }

    /// Waits until the clock was moved by a duration.
    /// - Parameter duration: The duration; zero or less returns at once.
    /// - Throws: `CancellationError` if the task is cancelled first.
    public func sleep(for duration: Duration) async throws {
        guard duration > .zero else { return }
        let end = FirstResult<Bool>()
        let isDue = await withTaskCancellationHandler {
            // A task that is already cancelled must never count as a sleeper.
            state.withLock { state in
                if !Task.isCancelled { state.sleepers.append(Sleeper(deadline: state.uptime + duration, end: end)) }
            }
            wakeWatchers()
            return await end.value
        } onCancel: {
            state.withLock { $0.sleepers.removeAll { $0.end === end } }
            end.finish(false)
        }
        if !isDue { throw CancellationError() }
    }

    /// Moves both clocks and wakes the tasks whose deadline was reached, the earliest first.
    /// - Parameter duration: The duration by which the clocks are moved.
    public func advance(by duration: Duration) {
        let due = state.withLock { state in
            state.uptime += duration
            state.wallTime += Int64(duration / .milliseconds(1))
            let due = state.sleepers.filter { $0.deadline <= state.uptime }
            state.sleepers.removeAll { $0.deadline <= state.uptime }
            return due.sorted { $0.deadline < $1.deadline }
        }
        for sleeper in due { sleeper.end.finish(true) }
    }

    /// Sets the wall clock only, as an operator or network time does; wakes no task.
    /// - Parameter date: The time of the wall clock from now on.
    public func set(_ date: Date) {
        state.withLock { $0.wallTime = date.milliseconds }
    }

    /// Moves the clocks to the next time for which a task waits, repeatedly.
    func advanceUntilCancelled() async {
        // After each move, the woken tasks get some real time to work.
        while await SystemTime().sleepUnlessCancelled(for: .milliseconds(1)) {
            if let next = pendingSleeps.first { advance(by: next) }
        }
    }

    /// Waits until at least a number of tasks sleep, or until the caller is cancelled, as by a test's time limit.
    /// - Parameter count: The number of tasks; 1 by default.
    public func waitForSleepers(_ count: Int = 1) async {
        await wait { $0.count >= count }
    }

    /// Waits until a task has a remaining sleep within a range, or until the caller is cancelled.
    /// - Parameter range: The range of the remaining sleep.
    public func waitForSleep(in range: ClosedRange<Duration>) async {
        await wait { $0.contains { range.contains($0) } }
    }

    /// Waits until at least a number of tasks have a given remaining sleep, or until the caller is cancelled.
    /// - Parameters:
    ///   - count: The number of tasks.
    ///   - duration: The remaining sleep.
    public func waitForSleeps(_ count: Int, of duration: Duration) async {
        await wait { sleeps in sleeps.filter { $0 == duration }.count >= count }
    }

    private func wait(_ isDue: @escaping @Sendable ([Duration]) -> Bool) async {
        let end = FirstResult<Void>()
        await withTaskCancellationHandler {
            state.withLock { $0.watchers.append((isDue, end)) }
            wakeWatchers()
            await end.value
        } onCancel: {
            end.finish(())
        }
    }

    private func wakeWatchers() {
        let ready = state.withLock { state in
            let sleeps = state.pendingSleeps
            let ready = state.watchers.filter { $0.isDue(sleeps) }
            state.watchers.removeAll { $0.isDue(sleeps) }
            return ready
        }
        for watcher in ready { watcher.end.finish(()) }
    }
}
