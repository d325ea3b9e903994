import FoundationEssentials

extension FeatureOverrides {
    /// The task that waits for the next expiry.
    struct ExpiryTimer: Sendable {
        /// What the task waits for; nil if there is none.
        var expiry: Date?
        var task: Task<Void, Never>?
        var isStopped = false
    }

    /// The longest sleep: a wall clock that is set meanwhile is noticed after it.
    private static let longestSleep: Int64 = 60_000

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
            while true {
                let rest = expiry.milliseconds - time.wallTime
                guard rest > 0 else { break }
                let step = Duration.milliseconds(min(rest, Self.longestSleep))
                guard await time.sleepUnlessCancelled(for: step) else { return }
            }
            self?.expire(expiry)
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
