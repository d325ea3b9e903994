extension ConfigurationLifecycle {
    /// The last contact with the document's source, and whether it was too long ago.
    struct Contact: Sendable {
        /// The time when a fetch was last answered or a stream was last open; initially the start.
        var last: (time: Int64, uptime: Duration)
        var isLost = false
    }

    // Three times the longest pause of a stream, for setups that do not poll.
    private static let patienceOfStream = Duration.seconds(180)

    /// How long the source may be unreachable before the document is stale; nil if nothing contacts it automatically.
    private var patience: Duration? {
        if let polling { return polling.schedule.interval * 3 }
        return stream.isOffered ? Self.patienceOfStream : nil
    }

    /// Notes that the source was reached: it has answered a fetch, or its stream is open or was open until now.
    mutating func reached(_ host: some LifecycleHost) {
        let wasLost = contact.isLost
        contact = Contact(last: (host.now.time, host.now.uptime))
        if wasLost {
            host.markStale(false)
            host.log(.info, "the source of the document is reached again", about: nil)
        }
        awaitContact(host)
    }

    /// Waits for the rest of the patience, unless a stream is open, whose end is reported.
    func awaitContact(_ host: some LifecycleHost) {
        guard !contact.isLost, let patience else { return }
        if stream.isOpen { return host.cancel(.contact) }
        let rest = contact.last.uptime + patience - host.now.uptime
        host.start(.contact, after: max(rest, .milliseconds(1)))
    }

    /// Marks the document as stale if its source was not reached for too long.
    mutating func checkContact(_ host: some LifecycleHost) {
        // The source may have been reached in the meantime.
        guard let patience, !contact.isLost, !stream.isOpen, contact.last.uptime + patience <= host.now.uptime
        else { return awaitContact(host) }
        contact.isLost = true
        host.markStale(true)
        let seconds = JSONValue(shortest: patience / .seconds(1))
        host.log(
            .warning, "the document may be out of date: its source was not reached for \(seconds) s", about: nil)
    }
}
