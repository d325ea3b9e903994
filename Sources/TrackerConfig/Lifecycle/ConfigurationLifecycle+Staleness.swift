extension ConfigurationLifecycle {
    /// When the source of the document was last reached, and whether that is too long ago.
    struct Staleness: Sendable {
        /// When a fetch was last answered or a stream was last open; the start before that.
        var lastContact: (time: Int64, uptime: Duration)
        var isStale = false
    }

    // A stream alone has three of its longest pauses to come back.
    private static let patienceOfStream = Duration.seconds(180)

    /// How long the source may be out of reach before the document is stale; nil if nothing reaches it by itself.
    private var patience: Duration? {
        if let polling = bookkeeping.polling { return polling.schedule.interval * 3 }
        return stream.isOffered ? Self.patienceOfStream : nil
    }

    /// Follows the source from the start on.
    mutating func follow(_ moment: Moment) -> [Action] {
        staleness.lastContact = (moment.time, moment.uptime)
        return awaitContact(moment)
    }

    /// Notes that the source was reached: it has answered a fetch, or its stream is open or was until now.
    mutating func reached(_ moment: Moment) -> [Action] {
        let wasStale = staleness.isStale
        staleness = Staleness(lastContact: (moment.time, moment.uptime))
        guard wasStale else { return awaitContact(moment) }
        return [.markStale(false), .log(.info, "the source of the document is reached again")] + awaitContact(moment)
    }

    /// Waits for what is left of the patience, unless a stream is open, which says itself when it ends.
    func awaitContact(_ moment: Moment) -> [Action] {
        guard !staleness.isStale, let patience else { return [] }
        if stream.isOpen { return [.cancelTimer(.staleness)] }
        let rest = staleness.lastContact.uptime + patience - moment.uptime
        return [.startTimer(.staleness, max(rest, .milliseconds(1)))]
    }

    /// Marks the document as stale, if its source was not reached for too long.
    mutating func contactMissed(_ moment: Moment) -> [Action] {
        // Meanwhile it may have been reached.
        guard let patience, !staleness.isStale, !stream.isOpen,
            staleness.lastContact.uptime + patience <= moment.uptime
        else {
            return awaitContact(moment)
        }
        staleness.isStale = true
        let seconds = JSONValue(shortest: patience / .seconds(1))
        let text = "the document may be out of date: its source was not reached for \(seconds) s"
        return [.markStale(true), .log(.warning, text)]
    }
}
