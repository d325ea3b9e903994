extension ConfigurationCycle {
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
                guard await time.sleepsToTheEnd(of: wait), let next = await self?.refresh() else { return }
                outcome = next
            }
        }
    }

    /// Lets the watch of this process end by time.
    func followWatch() {
        watchTask?.cancel()
        guard let version = versions.watch?.watched, !isStopped else { return }
        watchTask = Task { [weak self, time = parts.time, window = parts.crashWindow] in
            guard await time.sleepsToTheEnd(of: window) else { return }
            await self?.survived(version)
        }
    }

    private func survived(_ version: Int) {
        guard versions.watch?.watched == version else { return }
        versions.watch?.survive()
        versions.survived(version)
    }

    /// Notes that somebody knows that the service works with a version.
    func confirmed(_ version: Int) {
        // Meanwhile another version may have come to be watched.
        if versions.watch?.watched == nil { watchTask?.cancel() }
        versions.survived(version)
    }
}
