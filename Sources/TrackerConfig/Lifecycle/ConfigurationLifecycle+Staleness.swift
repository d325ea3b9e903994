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

    /// Notes that the source was reached: it has answered a fetch, or its stream is open or was until now.
    mutating func reached(_ host: some LifecycleHost) {
        let wasStale = staleness.isStale
        staleness = Staleness(lastContact: (host.moment.time, host.moment.uptime))
        if wasStale {
            host.markStale(false)
            host.log(.info, "the source of the document is reached again", about: nil)
        }
        awaitContact(host)
    }

    /// Waits for what is left of the patience, unless a stream is open, which says itself when it ends.
    func awaitContact(_ host: some LifecycleHost) {
        guard !staleness.isStale, let patience else { return }
        if stream.isOpen { return host.cancel(.staleness) }
        let rest = staleness.lastContact.uptime + patience - host.moment.uptime
        host.start(.staleness, after: max(rest, .milliseconds(1)))
    }

    /// Marks the document as stale, if its source was not reached for too long.
    mutating func contactMissed(_ host: some LifecycleHost) {
        // Meanwhile it may have been reached.
        guard let patience, !staleness.isStale, !stream.isOpen,
            staleness.lastContact.uptime + patience <= host.moment.uptime
        else { return awaitContact(host) }
        staleness.isStale = true
        host.markStale(true)
        let seconds = JSONValue(shortest: patience / .seconds(1))
        host.log(
            .warning, "the document may be out of date: its source was not reached for \(seconds) s", about: nil)
    }
}
