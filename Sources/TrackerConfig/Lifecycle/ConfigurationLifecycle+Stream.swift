import FoundationEssentials

// MARK: - The connection

extension ConfigurationLifecycle {
    // The fetches in a second that a signal without a spread may lead to.
    private static let mostAtOnce = 1000
    private static let longestSpread = Duration.seconds(86_400)
    private static let longestPause = Duration.seconds(60)
    private static let shortCatchUp = Duration.seconds(5)

    /// Opens a connection, in place of the one before.
    mutating func openStream() -> [Action] {
        let actions: [Action] = streamState.isWaiting ? [.cancelTimer(.stream)] : []
        return actions + [.openStream(streamState.open())]
    }

    mutating func streamElapsed() -> [Action] { streamState.isWaiting ? openStream() : [] }

    mutating func streamMissing() -> [Action] {
        streamState.missing()
        return []
    }

    /// Follows the source of another user.
    mutating func reopenStream() -> [Action] {
        streamState.follow()
        // The start opens the first one.
        let actions: [Action] = [.cancelTimer(.stream), .cancelTimer(.signal), .closeStream]
        return actions + (bookkeeping.hasFetched ? openStream() : [])
    }

    mutating func streamEnded(_ failure: FetchError?, _ number: Int, _ moment: Moment) -> [Action] {
        guard number == streamState.number else { return [] }
        let (wasOpen, wasFailing) = (streamState.isOpen, streamState.isFailing)
        let logged = streamState.isSeries ? streamState.outage?.failures.text : nil
        let isPolled = settings.pollInterval != nil
        let wait = streamState.ended(failure, moment.clocks, fraction: moment.random.fraction(), isPolled: isPolled)
        var actions: [Action] = [.closeStream]
        if streamState.isFailing, let text = streamState.outage?.failures.text {
            let floor = isPolled ? "; polling goes on" : ""
            actions.append(.log(text == logged ? .debug : .warning, text + floor))
        }
        if wasOpen { actions += reached(moment) } else if !wasFailing { actions += awaitContact(moment) }
        return actions + (wait.map { [.startTimer(.stream, $0)] } ?? [])
    }

    private mutating func connected(_ moment: Moment) -> [Action] {
        let (isFirst, wasFailing) = (!streamState.wasConnected, streamState.isFailing)
        let hadReturned = streamState.hasReturned
        let text = wasFailing ? "the source signals changes again" : "the source signals changes"
        streamState.connected(moment.clocks)
        let line = Action.log(isFirst || (wasFailing && !hadReturned) ? .info : .debug, text)
        // What came before may have been missed. A fleet loses its connections at one time, so each process but one that starts
        // waits for a random part of the time in which all poll.
        return reached(moment) + [line] + (isFirst ? fetchAnew(moment) : requestFetch(within: catchUpTime, moment))
    }

    /// The time over which a fleet fetches what it has in common.
    private var catchUpTime: Duration {
        settings.pollInterval.map { min($0, Self.longestPause) } ?? Self.shortCatchUp
    }

    private mutating func fetchAnew(_ moment: Moment) -> [Action] {
        guard !isFetching else {
            streamState.request.isRepeatedForConnection = true
            return []
        }
        return beginFetch()
    }
}

// MARK: - Signals

extension ConfigurationLifecycle {
    mutating func signalled(_ signal: SourceSignal, _ number: Int, _ moment: Moment) -> [Action] {
        guard number == streamState.number else { return [] }
        streamState.note(signal, moment.clocks)
        // What falls behind loses the first signals.
        let isConnected = signal.kind == .connected || (streamState.isOpening && signal.kind != .disconnected)
        let actions = isConnected ? connected(moment) : []
        switch signal.kind {
        case .connected: return actions
        case .changed: return actions + changed(signal, moment)
        case .document: return actions + offered(signal)
        case .disconnected: return streamEnded(signal.failure, number, moment)
        default: return actions
        }
    }

    private mutating func changed(_ signal: SourceSignal, _ moment: Moment) -> [Action] {
        guard let failure = signal.failure else { return change(signal, moment) }
        streamState.count(.unreadable)
        let line = "a part of a signal is ignored, and the document fetched: \(failure.reason)"
        let isNews = streamState.request.loggedFault != failure.reason
        streamState.request.loggedFault = failure.reason
        return [.log(isNews ? .warning : .debug, line)] + change(signal, moment)
    }

    private mutating func change(_ signal: SourceSignal, _ moment: Moment) -> [Action] {
        let spread = min(max(spread(of: signal), .zero), Self.longestSpread)
        guard let version = signal.version else { return requestFetch(within: spread, moment) }
        if let published = signal.published { streamState.publication = (version, published) }
        if let active = activeVersion, version <= active {
            let isOtherContent = signal.entityTag.map { $0 != nextFetch.validators?.entityTag } ?? false
            guard version == active, isOtherContent else { return ignored(version, active) }
        }
        if let percent = signal.rolloutPercent, let seed = signal.rolloutSeed,
            !Rollout(percent: percent, seed: seed).includes(documents.own.instanceID)
        {
            streamState.count(.ignored)
            return []
        }
        streamState.request.expect(version, spread)
        return requestFetch(within: spread, moment)
    }

    private func spread(of signal: SourceSignal) -> Duration {
        if let spread = signal.spread { return spread }
        guard let subscribers = signal.subscribers, subscribers > Self.mostAtOnce else { return .zero }
        return .seconds(1) * subscribers / Self.mostAtOnce
    }

    /// The version of the active document, if the current user's URL has it.
    private var activeVersion: Int? { active?.url == scope.url ? active?.version : nil }

    private mutating func ignored(_ version: Int, _ active: Int) -> [Action] {
        streamState.count(.ignored)
        guard version < active, streamState.request.loggedVersion != version else { return [] }
        streamState.request.loggedVersion = version
        return [.log(.info, "a signal of version \(version) is ignored: version \(active) is in use")]
    }

    /// Asks for a fetch after a time and a random part of another one, unless an earlier one is due.
    private mutating func requestFetch(
        after wait: Duration = .zero, within spread: Duration, _ moment: Moment
    ) -> [Action] {
        let part = spread > .zero ? spread * moment.random.fraction() : .zero
        guard let wait = streamState.request.schedule(after: wait + part, at: moment.uptime) else { return [] }
        return wait > .zero ? [.startTimer(.signal, wait)] : beginSignalledFetch(moment)
    }

    mutating func beginSignalledFetch(_ moment: Moment) -> [Action] {
        guard !isFetching else {
            _ = streamState.request.join()
            streamState.request.isRepeated = true
            return [.cancelTimer(.signal)]
        }
        // Cancels the wait for one that would begin later.
        let actions = beginFetch()
        streamState.request.begin(at: moment.uptime)
        return actions
    }

    /// Does what signals still ask for after a fetch of the current user's document.
    mutating func followUp(_ outcome: ConfigurationOutcome, isNews: Bool, _ moment: Moment) -> [Action] {
        let wasSignalled = streamState.request.isInProgress || streamState.request.isJoined
        let hasNews = isNews && [.applied, .held, .rejected].contains(outcome.kind)
        streamState.request.end(hasNews: hasNews, longest: longestPause)
        var actions: [Action] = []
        if outcome.fetchError == nil, case .none = streamState.connection { actions = openStream() }
        let (isForConnection, isRepeated) = streamState.request.takeRepetition()
        if isForConnection { return actions + beginFetch() }
        if isRepeated { return actions + requestFetch(within: .zero, moment) }
        if let error = outcome.fetchError {
            let isWanted = wasSignalled || streamState.request.version != nil
            let isAlone = settings.pollInterval == nil && streamState.isOpen
            return actions + (isWanted || isAlone ? retry(after: error, moment) : [])
        }
        guard let version = streamState.request.version else { return actions }
        let isShown = outcome.version.map { $0 >= version } ?? false
        guard outcome.kind != .rejected, !isShown, activeVersion.map({ $0 < version }) ?? true else {
            streamState.request.expectNothing()
            return actions
        }
        let pause = streamState.request.pause
        guard pause < longestPause else {
            streamState.request.expectNothing()
            let rest = settings.pollInterval == nil ? "" : "; the next poll may find it"
            let line = "version \(version) was signalled, and the source does not have it\(rest)"
            return actions + [.log(.warning, line)]
        }
        // A cache on the way may be slower than the signal.
        return actions + requestFetch(within: max(pause, streamState.request.spread), moment)
    }

    private var longestPause: Duration { min(settings.pollInterval ?? Self.longestPause, Self.longestPause) }

    /// Fetches once more what was signalled, with pauses that grow until the polls, which have a schedule of their own for a source
    /// that fails; without them nothing else would ask again.
    private mutating func retry(after error: FetchError, _ moment: Moment) -> [Action] {
        let isInTime = streamState.request.pause < longestPause
        let isAlone = settings.pollInterval == nil && streamState.isOpen
        guard error.code != .shutDown, isInTime || isAlone else { return [] }
        return requestFetch(after: error.retryAfter ?? .zero, within: streamState.request.pause * 2, moment)
    }
}

// MARK: - Documents that come with a signal

extension ConfigurationLifecycle {
    private mutating func offered(_ signal: SourceSignal) -> [Action] {
        guard let document = signal.document else { return [] }
        guard !streamState.offer.isInReview else {
            streamState.offer.next = signal
            return []
        }
        streamState.offer = SignalledDocument(isInReview: true, publication: signal.published)
        var fetch = nextFetch
        fetch.isSignalled = true
        return [.adopt(fetch, document)]
    }

    /// Completes the review of a document that came with a signal.
    mutating func adopted(_ fetch: Fetch, _ outcome: ConfigurationOutcome, _ moment: Moment) -> [Action] {
        // A former user's.
        guard isCurrent(fetch.url) else { return note(outcome, of: fetch.url, asked: false, moment) }
        streamState.offer.isInReview = false
        var actions: [Action] = []
        switch outcome.kind {
        case .stale, .unchanged, .notModified: streamState.count(.ignored)
        default: actions = note(outcome, of: fetch.url, asked: false, moment)
        }
        // The source may have a better one. A fleet gets the bad one at one time.
        if outcome.kind == .rejected { actions += requestFetch(within: catchUpTime, moment) }
        return actions + (streamState.offer.next.map { offered($0) } ?? [])
    }

    /// Notes how long a document took that is applied.
    mutating func notePropagation(of document: Document, _ fetch: Fetch, _ moment: Moment) {
        var published = fetch.isSignalled ? streamState.offer.publication : nil
        if let publication = streamState.publication, publication.version == document.version {
            published = published ?? publication.time
        }
        if let text = document.meta["publishedAt"]?.string, let instant = Instant(text) {
            published = published ?? Date(milliseconds: instant.milliseconds)
        }
        // What was published before this process followed the source took no time on its way to it.
        guard let published = published?.milliseconds, published >= staleness.start else { return }
        streamState.propagation.add(.milliseconds(moment.time - published))
    }
}
