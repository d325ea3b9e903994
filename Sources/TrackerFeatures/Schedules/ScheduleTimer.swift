/// Publishes the layers again when a rule's schedule begins or ends, so that listeners are called.
///
/// It has at most one task, and none while nothing is scheduled. The task checks the wall clock at least once a minute,
/// even after the last end, because the clock may be set, or the machine may have slept.
final class ScheduleTimer: Sendable {
    private struct State: Sendable {
        /// The times for which the task waits.
        var instants: [Instant] = []
        var task: Task<Void, Never>?
        var isStopped = false
    }

    private let store: FeatureStore
    private let clock: ScheduleClock
    private let state = Locked(State())

    init(_ store: FeatureStore, _ clock: ScheduleClock) {
        (self.store, self.clock) = (store, clock)
    }

    /// Waits for the schedules of the layers in use, in place of the previous ones.
    func follow() {
        // Cancelled outside the lock, because cancelling calls the clock.
        let old = state.withLock { state -> Task<Void, Never>? in
            let instants = state.isStopped ? [] : store.layers.instants
            guard instants != state.instants else { return nil }
            let old = state.task
            state.instants = instants
            state.task = instants.isEmpty ? nil : task()
            return old
        }
        old?.cancel()
    }

    func stop() {
        state.withLock { $0.isStopped = true }
        follow()
    }

    private func task() -> Task<Void, Never> {
        Task.unbound { [weak self, clock] in
            guard await clock.time.waitOnWallClock({ [weak self] in self?.rest ?? .zero }) else { return }
            self?.publish()
        }
    }

    /// The time until the next change; zero if one has already passed.
    private var rest: Duration {
        let now = clock.now
        let layers = store.layers
        guard !layers.isOutdated(at: now) else { return .zero }
        guard let now, let next = layers.instants.first(where: { $0 > now }) else { return .seconds(60) }
        return .milliseconds(next.milliseconds - now.milliseconds)
    }

    private func publish() {
        // The task has ended and must not be cancelled, because it now runs listeners.
        state.withLock { ($0.instants, $0.task) = ([], nil) }
        store.change { _ in }
        follow()
        store.listeners.deliver()
    }
}
