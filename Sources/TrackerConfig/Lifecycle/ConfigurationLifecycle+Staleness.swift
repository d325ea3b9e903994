extension ConfigurationLifecycle {
    /// The last contact with the document's source, and whether it was too long ago.
    struct Staleness: Sendable {
        /// The time when a fetch was last answered or a stream was last open; initially the start.
        var lastContact: (time: Int64, uptime: Duration)
        var isStale = false
    }

    // Three times the longest pause of a stream, for setups that do not poll.
    private static let patienceOfStream = Duration.seconds(180)

    /// How long the source may be unreachable before the document is stale; nil if nothing contacts it automatically.
    private var patience: Duration? {
        if let polling = bookkeeping.polling { return polling.schedule.interval * 3 }
        return stream.isOffered ? Self.patienceOfStream : nil
    }

    /// Notes that the source was reached: it has answered a fetch, or its stream is open or was open until now.
    mutating func reached(_ host: some LifecycleHost) {
        let wasStale = staleness.isStale
        staleness = Staleness(lastContact: (host.moment.time, host.moment.uptime))
        if wasStale {
            host.markStale(false)
            host.log(.info, "the source of the document is reached again", about: nil)
        }
        awaitContact(host)
    }

    /// Waits for the rest of the patience, unless a stream is open, whose end is reported.
    func awaitContact(_ host: some LifecycleHost) {
        guard !staleness.isStale, let patience else { return }
        if stream.isOpen { return host.cancel(.staleness) }
        let rest = staleness.lastContact.uptime + patience - host.moment.uptime
        host.start(.staleness, after: max(rest, .milliseconds(1)))
    }

    /// Marks the document as stale if its source was not reached for too long.
    mutating func contactMissed(_ host: some LifecycleHost) {
        // The source may have been reached in the meantime.
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
