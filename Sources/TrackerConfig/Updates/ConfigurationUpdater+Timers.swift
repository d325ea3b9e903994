extension ConfigurationUpdater {
    /// Starts a timer, in place of the one of its kind that runs.
    func start(_ timer: ConfigurationLifecycle.Timer, _ duration: Duration) {
        timers.removeValue(forKey: timer)?.cancel()
        guard !isStopped else { return }
        let time = parts.time
        switch timer {
        case .poll: send(.pollElapsed, after: duration, timer)
        case .stream: send(.streamElapsed, after: duration, timer)
        case .hint: send(.hintElapsed, after: duration, timer)
        case .staleness: send(.contactMissed, after: duration, timer)
        case .canary:
            timers[timer] = Task.unbound { [weak self] in
                while await time.sleepUnlessCancelled(for: duration) {
                    guard await self?.observeCanary() == true else { return }
                }
            }
        case .startup:
            guard let watchdog = parts.history.watch else { return }
            let version = watchdog.watched
            timers[timer] = Task.unbound { [weak self] in
                if await time.sleepUnlessCancelled(for: duration) { await self?.survived(version, watchdog) }
            }
        }
    }

    private func send(
        _ event: Lifecycle.Event, after duration: Duration, _ timer: ConfigurationLifecycle.Timer
    ) {
        timers[timer] = Task.unbound { [weak self, time = parts.time] in
            if await time.sleepUnlessCancelled(for: duration) { await self?.take(event) }
        }
    }

    func take(_ event: Lifecycle.Event) {
        handle(event)
    }

    private func survived(_ version: Int?, _ watchdog: StartupWatchdog) {
        guard watchdog.watched == version else { return }
        watchdog.end(.survived)
        parts.history.survived(version)
    }

    /// Notes that the service works with a version.
    func confirmed(_ version: Int) {
        // Meanwhile another version may have become the canary.
        if parts.history.watch?.watched == nil { timers.removeValue(forKey: .startup)?.cancel() }
        parts.history.survived(version)
    }

    /// Releases a version that is held back because of its processes, so that the next fetch or start may apply it.
    /// - Returns: Whether it was held back.
    package func release(_ version: Int, by author: String) -> Bool {
        guard parts.history.heldVersions.contains(version) else { return false }
        parts.history.release(version)
        parts.log.about(version).info("version \(version) was released by \(author.oneLine(most: 100))")
        return true
    }
}
