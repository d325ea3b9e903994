extension ConfigurationLifecycle {
    /// Opens a connection, in place of the one before.
    mutating func openStream() -> [Action] { [.openStream(stream.open())] }

    mutating func streamElapsed() -> [Action] { stream.isWaiting ? openStream() : [] }

    mutating func streamMissing() -> [Action] {
        stream.missing()
        return []
    }

    mutating func hinted(_ hint: ChangeHint, _ number: Int, _ moment: Moment) -> [Action] {
        guard number == stream.number else { return [] }
        guard !stream.isOpen else { return take(hint, moment) }
        let isAgain = stream.isFailing
        let isNews = stream.connections == 0 || (isAgain && !stream.hasReturned)
        let wait = stream.connected(moment)
        let line = Action.log(isNews ? .info : .debug, "the stream of changes is open\(isAgain ? " again" : "")")
        let actions = reached(moment) + [line] + fetch(after: wait)
        // The first element may have replaced one that only said that the connection is open.
        return actions + (hint == ChangeHint() ? [] : take(hint, moment))
    }

    private mutating func take(_ hint: ChangeHint, _ moment: Moment) -> [Action] {
        var actions: [Action] = []
        if let fault = hint.fault {
            let line = "a part of a hint is ignored, and the document fetched: \(fault)"
            actions.append(.log(stream.isNew(fault) ? .warning : .debug, line))
        }
        return actions + fetch(after: stream.hinted(hint, active: activeVersion, moment))
    }

    mutating func streamEnded(_ failure: FetchError?, _ number: Int, _ moment: Moment) -> [Action] {
        guard number == stream.number else { return [] }
        let (wasOpen, wasFailing, logged) = (stream.isOpen, stream.isFailing, stream.failures?.text)
        let wait = stream.ended(failure, moment)
        var actions: [Action] = []
        if let outage = stream.failures {
            let isRepeated = outage.count > 1 && outage.text == logged
            let floor = settings.pollInterval == nil ? "" : "; polling goes on"
            actions.append(.log(isRepeated ? .debug : .warning, outage.text + floor))
        }
        if wasOpen { actions += reached(moment) } else if !wasFailing { actions += awaitContact(moment) }
        return actions + (wait.map { [.startTimer(.stream, $0)] } ?? [])
    }

    /// The wait for a fetch that hints ask for is over. One that is in progress is followed by it.
    mutating func beginHintedFetch() -> [Action] { stream.isFetchDue && !isFetching ? beginFetch() : [] }

    /// Does what hints still ask for after a fetch of the current user's document.
    mutating func followUp(_ outcome: ConfigurationOutcome, isNews: Bool, _ moment: Moment) -> [Action] {
        var actions = outcome.fetchError == nil && stream.isOff ? openStream() : []
        let (wait, missing) = stream.fetched(outcome, isNews: isNews, active: activeVersion, moment)
        if let missing {
            let rest = settings.pollInterval == nil ? "" : "; the next poll may find it"
            actions.append(.log(.warning, "a hint named version \(missing), and the source does not have it\(rest)"))
        }
        return actions + fetch(after: wait)
    }

    private mutating func fetch(after wait: Duration?) -> [Action] {
        guard let wait else { return [] }
        return wait > .zero ? [.startTimer(.hint, wait)] : beginHintedFetch()
    }

    /// The version of the active document; nil for a default.
    private var activeVersion: Int? { active?.document?.version }
}
