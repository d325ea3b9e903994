extension ConfigurationUpdater {
    /// Starts a timer, in place of the one of its kind that runs.
    func start(_ timer: ConfigurationLifecycle.Timer, _ duration: Duration) {
        timers.removeValue(forKey: timer)?.cancel()
        guard !isStopped else { return }
        let time = parts.time
        switch timer {
        case .cache:
            timers[timer] = Task.unbound { [weak self] in
                if await time.sleepUnlessCancelled(for: duration) { await self?.cacheTimedOut() }
            }
        case .poll: send(.pollElapsed, after: duration, timer)
        case .stream: send(.streamElapsed, after: duration, timer)
        case .signal: send(.signalElapsed, after: duration, timer)
        case .staleness: send(.contactMissed, after: duration, timer)
        case .canary:
            timers[timer] = Task.unbound { [weak self] in
                while await time.sleepUnlessCancelled(for: duration) {
                    guard await self?.observeCanary() == true else { return }
                }
            }
        case .startup:
            guard let watchdog = lifecycle.documents[lifecycle.active].watch else { return }
            let version = watchdog.watched
            timers[timer] = Task.unbound { [weak self] in
                if await time.sleepUnlessCancelled(for: duration) { await self?.survived(version, watchdog) }
            }
        }
    }

    /// Shuts down the trackers of namespaces that the configuration no longer names, as long as there are any.
    func tendFormerTrackers() {
        formerTrackers?.cancel()
        guard !isStopped else { return }
        let (closed, isLeft) = parts.registry.tendFormer()
        if let first = closed.first {
            let more = closed.count > 1 ? ", nor do those of \(closed.count - 1) more" : ""
            parts.log.warning(
                "the tracker of \(first.excerpt), which is no longer in the document, takes no more events\(more)")
        }
        guard isLeft else { return }
        formerTrackers = Task.unbound { [weak self, time = parts.time] in
            if await time.sleepUnlessCancelled(for: FormerTrackers.grace) { await self?.tendFormerTrackers() }
        }
    }

    private func send(
        _ event: Lifecycle.Event, after duration: Duration, _ timer: ConfigurationLifecycle.Timer
    ) {
        timers[timer] = Task.unbound { [weak self, time = parts.time] in
            if await time.sleepUnlessCancelled(for: duration) { await self?.elapsed(event) }
        }
    }

    private func elapsed(_ event: Lifecycle.Event) {
        handle(event)
    }

    private func survived(_ version: Int?, _ watchdog: StartupWatchdog) {
        guard watchdog.watched == version else { return }
        watchdog.end(.survived)
        lifecycle.documents.survived(version, under: watchdog)
    }

    /// Notes that the service works with a version.
    func confirmed(_ version: Int, _ watchdog: StartupWatchdog) {
        // Meanwhile another version may have become the canary.
        if watchdogs.allSatisfy({ $0.watched == nil }) { timers.removeValue(forKey: .startup)?.cancel() }
        lifecycle.documents.survived(version, under: watchdog)
    }

    /// Releases a version that is held back because of its processes, so that the next fetch or start may apply it.
    /// - Returns: Whether it was held back.
    package func release(_ version: Int, by author: String) -> Bool {
        guard lifecycle.documents.own.heldVersions.contains(version) else { return false }
        lifecycle.documents.own.release(version)
        parts.log.about(version).info("version \(version) was released by \(author.oneLine(most: 100))")
        return true
    }
}
