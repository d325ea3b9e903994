package import TrackerFeatures

extension ConfigurationLifecycle {
    /// Opens a connection, which replaces the previous one.
    mutating func openStream(_ host: some LifecycleHost) {
        if !host.openStream(stream.open()) { stream.missing() }
    }

    /// Handles a hint of the source. The first hint of a connection confirms that it is open.
    /// - Parameters:
    ///   - hint: The hint.
    ///   - number: The number of the connection.
    ///   - host: The host.
    package mutating func hinted(_ hint: ChangeHint, _ number: Int, _ host: some LifecycleHost) {
        guard !isStopped, number == stream.number else { return }
        guard !stream.isOpen else { return take(hint, host) }
        let isAgain = stream.isFailing
        let isNew = stream.connections == 0 || (isAgain && !stream.hasReturned)
        let wait = stream.connected(host.now)
        reached(host)
        host.log(isNew ? .info : .debug, "the stream of changes is open\(isAgain ? " again" : "")", about: nil)
        scheduleFetch(after: wait, host)
        // The first element may have replaced the one that only confirms the connection.
        if hint != ChangeHint() { take(hint, host) }
    }

    private mutating func take(_ hint: ChangeHint, _ host: some LifecycleHost) {
        if let fault = hint.fault {
            let line = "a part of a hint is ignored, and the document fetched: \(fault)"
            host.log(stream.isNew(fault) ? .warning : .debug, line, about: nil)
        }
        scheduleFetch(after: stream.hinted(hint, active: activeVersion, host.now), host)
    }

    /// Notes that a connection has ended.
    /// - Parameters:
    ///   - failure: The failure; nil if the other side closed the connection.
    ///   - number: The number of the connection.
    ///   - host: The host.
    package mutating func streamEnded(_ failure: FetchError?, _ number: Int, _ host: some LifecycleHost) {
        guard !isStopped, number == stream.number else { return }
        let (wasOpen, wasFailing, logged) = (stream.isOpen, stream.isFailing, stream.failures?.text)
        let wait = stream.ended(failure, host.now)
        if let outage = stream.failures {
            let isRepeated = outage.count > 1 && outage.text == logged
            let floor = settings.pollInterval == nil ? "" : "; polling goes on"
            host.log(isRepeated ? .debug : .warning, outage.text + floor, about: nil)
        }
        if wasOpen { reached(host) } else if !wasFailing { awaitContact(host) }
        if let wait { host.start(.stream, after: wait) }
    }

    /// Begins the fetch that hints have requested, after its wait. If another fetch is in progress, it follows at its
    /// end.
    mutating func beginHintedFetch(_ host: some LifecycleHost) {
        if stream.isFetchDue, !isFetching { beginFetch(host) }
    }

    /// Handles the remaining hints after a fetch.
    mutating func followUp(_ outcome: ConfigurationOutcome, isNew: Bool, _ host: some LifecycleHost) {
        guard !isStopped else { return }
        if outcome.fetchError == nil, stream.isOff { openStream(host) }
        let (wait, missing) = stream.fetchEnded(outcome, isNew: isNew, active: activeVersion, host.now)
        if let missing {
            let rest = settings.pollInterval == nil ? "" : "; the next poll may find it"
            let line = "a hint named version \(missing), and the source does not have it\(rest)"
            host.log(.warning, line, about: nil)
        }
        scheduleFetch(after: wait, host)
    }

    private mutating func scheduleFetch(after wait: Duration?, _ host: some LifecycleHost) {
        guard let wait else { return }
        if wait > .zero { host.start(.hint, after: wait) } else { beginHintedFetch(host) }
    }

    /// The version of the active document; nil for a default.
    private var activeVersion: Int? { active?.document?.version }
}
