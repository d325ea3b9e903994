/// A moment of this process, or one that is expected, by both clocks.
package struct ClockReading: Sendable {
    /// The wall clock, in milliseconds since 1970.
    let time: Int64
    /// The clock that never goes back.
    let uptime: Duration

    /// The moment by the wall clock as it is set now.
    /// - Parameter now: The clocks now.
    /// - Returns: Milliseconds since 1970; ``time`` unless the wall clock was set by more than a second since.
    func time(seenAt now: ClockReading) -> Int64 {
        let time = now.time - Int64((now.uptime - uptime) / .milliseconds(1))
        return abs(time - self.time) > 1000 ? time : self.time
    }
}
