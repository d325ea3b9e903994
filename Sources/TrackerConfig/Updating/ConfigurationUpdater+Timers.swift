extension ConfigurationUpdater {
    /// Fetches again and again, until the setup ends.
    /// - Parameters:
    ///   - schedule: When.
    ///   - first: How the fetch before ended; nil where one is under way that somebody else began.
    func poll(_ schedule: PollSchedule, after first: ConfigurationOutcome?) {
        guard !isStopped else { return }
        pollTask = Task { [weak self, time = parts.time, random = parts.random] in
            var schedule = schedule
            var outcome = first ?? .notModified
            while true {
                let wait: Duration
                if case .failed(let error) = outcome {
                    wait = schedule.wait(
                        hasFailed: true, retryAfter: error.retryAfter, fraction: random.fraction())
                } else {
                    wait = schedule.wait(hasFailed: false, fraction: random.fraction())
                }
                await self?.willPoll(in: wait)
                guard await time.sleepsToTheEnd(of: wait), let next = await self?.refresh() else { return }
                outcome = next
            }
        }
    }

    private func willPoll(in wait: Duration) {
        history.nextPoll = parts.time.wallTime + Int64(wait / .milliseconds(1))
        show()
    }

    /// Lets the watch of this process end by time.
    func followWatch() {
        watchTask?.cancel()
        let watch = guards[active].watch
        guard let watch, let version = watch.watched, !isStopped else { return }
        watchTask = Task { [weak self, time = parts.time, window = parts.crashWindow] in
            guard await time.sleepsToTheEnd(of: window) else { return }
            await self?.survived(version, watch)
        }
    }

    private func survived(_ version: DocumentVersion, _ watch: StartupWatchdog) {
        guard watch.watched == version else { return }
        watch.survive()
        guards.survived(version, under: watch)
    }

    /// Notes that somebody knows that the service works with a version.
    func confirmed(_ version: DocumentVersion, _ watch: StartupWatchdog) {
        // Meanwhile another version may have come to be watched.
        if guards.watchdogs.allSatisfy({ $0.watched == nil }) { watchTask?.cancel() }
        guards.survived(version, under: watch)
    }
}
