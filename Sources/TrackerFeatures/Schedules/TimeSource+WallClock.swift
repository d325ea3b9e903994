extension TimeSource {
    /// Waits for a time of the wall clock, and looks at the clock once a minute at least, because it may be set meanwhile.
    /// - Parameter rest: Returns how long from now on; zero or less if there is nothing to wait for.
    /// - Returns: False if the task was cancelled before.
    func waitOnWallClock(_ rest: () -> Duration) async -> Bool {
        while true {
            let rest = rest()
            guard rest > .zero else { return true }
            guard await sleepUnlessCancelled(for: min(rest, .seconds(60))) else { return false }
        }
    }
}
