extension TimeSource {
    /// Waits for a time of the wall clock, which is checked at least once a minute, because it may be set in the
    /// meantime.
    /// - Parameter rest: Returns the remaining time; the wait is over at zero or less.
    /// - Returns: False if the task was cancelled first.
    func waitOnWallClock(_ rest: () -> Duration) async -> Bool {
        while true {
            let rest = rest()
            guard rest > .zero else { return true }
            guard await sleepUnlessCancelled(for: min(rest, .seconds(60))) else { return false }
        }
    }
}
