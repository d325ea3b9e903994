import FoundationEssentials

extension FeatureOverrides {
    /// The task that waits for the next expiry.
    struct ExpiryTimer: Sendable {
        var task: Task<Void, Never>?
        var isStopped = false
    }

    /// Waits for the next expiry, in place of the previous one.
    func awaitExpiry() {
        // Cancelled outside the lock, because cancelling calls the clock.
        let old = timer.withLock { timer in
            let old = timer.task
            timer.task = timer.isStopped ? nil : store.layers.overrides.nextExpiry.map(task)
            return old
        }
        old?.cancel()
    }

    /// Stops removing expired overrides.
    func stop() {
        timer.withLock { $0.isStopped = true }
        awaitExpiry()
    }

    private func task(until expiry: Date) -> Task<Void, Never> {
        Task.unbound { [weak self, time] in
            guard await time.waitOnWallClock({ .milliseconds(expiry.milliseconds - time.wallTime) }) else { return }
            // The task has ended and must not be cancelled, because it now runs listeners.
            let isStopped = self?.timer.withLock { timer in
                timer.task = nil
                return timer.isStopped
            }
            if isStopped == false { self?.removeExpired() }
        }
    }
}
