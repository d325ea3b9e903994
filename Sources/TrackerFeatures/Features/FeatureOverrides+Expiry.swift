import FoundationEssentials

extension FeatureOverrides {
    /// The task that waits for the next expiry.
    struct ExpiryTimer: Sendable {
        /// What the task waits for; nil if there is none.
        var expiry: Date?
        var task: Task<Void, Never>?
        var isStopped = false
    }

    /// Waits for the next expiry, in place of the one that was waited for.
    func awaitExpiry() {
        // Cancelled outside the lock, because that calls the clock.
        let old = timer.withLock { timer -> Task<Void, Never>? in
            let next = timer.isStopped ? nil : store.read { $0.overrides.nextExpiry }
            guard next != timer.expiry else { return nil }
            let old = timer.task
            timer.expiry = next
            timer.task = next.map { task(until: $0) }
            return old
        }
        old?.cancel()
    }

    /// Removes nothing any more.
    func stop() {
        timer.withLock { $0.isStopped = true }
        awaitExpiry()
    }

    private func task(until expiry: Date) -> Task<Void, Never> {
        Task.unbound { [weak self, time] in
            let isDue = await time.waitOnWallClock { .milliseconds(expiry.milliseconds - time.wallTime) }
            if isDue { self?.expire(expiry) }
        }
    }

    private func expire(_ expiry: Date) {
        // The task is over and must not be cancelled, as it runs listeners now.
        timer.withLock { timer in
            if timer.expiry == expiry { (timer.expiry, timer.task) = (nil, nil) }
        }
        removeExpired()
    }
}
