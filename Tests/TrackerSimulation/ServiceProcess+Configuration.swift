import TrackerConfig
import TrackerFeatures

/// What the running event may apply.
enum Permission {
    case nothing
    case start(ActiveConfiguration?)
    case document(ConfigurationLifecycle.ReviewedDocument)
    case rollback(to: ActiveConfiguration?)
}

/// What leads to a fetch.
enum FetchCause {
    case hint
    /// The wait that a hint asked for.
    case hintTimer
    case other
}

extension ServiceProcess: LifecycleHost {
    var now: Lifecycle.Now {
        Lifecycle.Now(time: world.clock.wallTime, uptime: world.clock.uptime, random: world.dice)
    }

    /// Lets something happen to the lifecycle. What the process has until its end is the lifecycle as it was before.
    func run(_ cause: FetchCause = .other, _ event: (inout Lifecycle, ServiceProcess) throws -> Void) rethrows {
        (isCheckDue, isDocumentCheckDue) = (true, true)
        self.cause = cause
        var lifecycle = lifecycle
        try event(&lifecycle, self)
        self.lifecycle = lifecycle
    }

    func fetch(_ validators: DocumentValidators?) {
        checkFetch()
        let isSlow = world.network.documentWeather == .slow
        let delay = world.dice.within(isSlow ? 500...9_000 : 1...300)
        world.agenda.add(.fetchAnswer(validators), at: world.clock.milliseconds + Int64(delay), of: life)
    }

    func cache(
        _ configuration: ActiveConfiguration, _ headers: [HTTPHeader], after previous: ActiveConfiguration?,
        unproven: Int?
    ) {
        _ = documents.store(configuration, [], after: previous, unproven: unproven)
    }

    func recordReversion(of version: Int, _ reason: String) {
        world.say("process \(seat) reverts \(words(lifecycle.active)): \(reason)")
        history.reverted(version, reason: reason)
        punctuality.noteReversion()
        if let active = lifecycle.active { world.noteReversion(of: active) }
    }

    func start(_ timer: Lifecycle.Timer, after duration: Duration) {
        cancel(timer)
        if timer == .canary { world.coverage.count(.canaries) }
        let wait = sabotaged(Int64((duration / .milliseconds(1)).rounded(.up)), of: timer)
        if wait <= 0 { world.fail("the timer \(timer) of process \(seat) takes no time") }
        guard timer != .startup else { return }
        world.agenda.add(.timer(timer, interval: wait), at: world.clock.milliseconds + wait, of: life)
    }

    func cancel(_ timer: Lifecycle.Timer) {
        world.agenda.removeAll(of: life) { if case .timer(timer, _) = $0 { true } else { false } }
    }

    func cancelAll() {
        world.agenda.removeAll(of: life) { task in
            switch task {
            case .timer, .fetchAnswer, .stream: true
            default: false
            }
        }
        stream.connection = nil
    }

    func queueOutcome(_ outcome: ConfigurationOutcome, _ level: LogLevel) {
        punctuality.noteOutcome(outcome)
        if outcome.fetchError == nil { stream.awaitsFetch = false }
        // A fetch that follows at once is one that a hint asked for meanwhile.
        cause = .hint
        count(outcome)
    }

    func queueUpdate(
        _ configuration: ActiveConfiguration, _ applied: AppliedConfiguration, _ warnings: [ConfigurationError]
    ) {}

    func markStale(_ isStale: Bool) {}

    func log(_ level: LogLevel, _ text: String, about version: Int?) {}

    /// The wait of a timer, in milliseconds.
    private func sabotaged(_ wait: Int64, of timer: Lifecycle.Timer) -> Int64 {
        switch (timer, world.sabotage) {
        case (.poll, .pollsLessWhileStreaming) where stream.isOpen: wait * 20
        case (.hint, .fetchesAtOnce), (.stream, .connectsAtOnce): 1
        // Longer than any simulation.
        case (.stream, .losesStreamTimer): .max / 4
        default: wait
        }
    }

    private func count(_ outcome: ConfigurationOutcome) {
        world.say("process \(seat): \(outcome)")
        switch outcome.kind {
        case .applied: world.coverage.count(.applied)
        case .rejected: world.coverage.count(.rejected)
        case .held: world.coverage.count(.held)
        case .stale: world.coverage.count(.stale)
        case .failed: world.coverage.count(.failedFetches)
        default: break
        }
    }

    // MARK: Documents

    /// The server answers a fetch.
    func answer(_ validators: DocumentValidators?) {
        let publication = world.server.current(
            DocumentServer.url, isStale: world.network.documentWeather == .lying && world.dice.chance(percent: 50))
        let failure: FetchError? =
            switch world.network.documentWeather {
            case .down: FetchError(.transport, reason: "the server cannot be reached")
            case .lossy where world.dice.chance(percent: 50): FetchError(.timeout, reason: "no answer came")
            case .refusing:
                FetchError(
                    .status, reason: "the server answered 503", retryAfter: .seconds(world.dice.within(1...120)),
                    status: 503)
            default: nil
            }
        punctuality.noteAnswer(failure == nil ? publication : nil)
        if let failure { return run { $0.fetched(.failed(failure), $1) } }
        guard let publication else {
            return run { $0.fetched(.failed(FetchError(.status, reason: "404", status: 404)), $1) }
        }
        let current = DocumentValidators(entityTag: publication.tag)
        if validators == current { return run { $0.fetched(.notModified, $1) } }
        history.refresh()
        do throws(ConfigurationError) {
            let document: Document
            if let known = publication.document { document = known } else { document = try Document(publication.bytes) }
            let source = FetchedDocument(publication.bytes, validators: current)
            review(document, source)
        } catch {
            run { $0.fetched(.rejected(error), $1) }
        }
    }

    /// Reviews a document before it is applied.
    func review(_ document: Document, _ source: FetchedDocument) {
        let reviewed = Lifecycle.ReviewedDocument(
            document, source, holdReason: history.holdReason(for: document, hasOther: lifecycle.active != nil),
            canRollBack: document.rollout != nil && registry.hasTrackers(with: lifecycle.rollbackTarget))
        permission = .document(reviewed)
        run { $0.fetched(.document(reviewed), $1) }
        permission = .nothing
    }

    func apply(
        _ configuration: ActiveConfiguration, removing namespaces: Set<ExactText>, isWatched: Bool,
        after before: [ExactText: CanaryMonitor.Observation]?
    ) throws(ConfigurationError) -> AppliedConfiguration {
        checkPermission(configuration)
        if case .rollback = permission, world.sabotage == .skipsRollback {
            throw ConfigurationError(.outOfRange, place: "", reason: "the rollback is skipped")
        }
        if case .document = permission, world.dice.chance(percent: 3) {
            world.coverage.count(.refusedApplications)
            throw ConfigurationError(.outOfRange, place: "shop", reason: "a tracker cannot work")
        }
        let trackers = configuration.document?.rollout == nil ? [:] : observations()
        var applied = try registry.apply(configuration.document, removing: namespaces)
        if case .start = permission { return applied }
        world.say("process \(seat) applies \(words(configuration)) over \(words(lifecycle.active))")
        world.noteApplication(of: configuration)
        for index in deliveries.indices { (deliveries[index].answered, deliveries[index].failed) = (0, 0) }
        followTrackers()
        // Those of the canary that it replaces are as they were before that.
        applied.before =
            before?.reduce(into: [:]) { $0[$1.key] = $1.value.after(requests: trackers[$1.key]?.history.total) }
            ?? trackers
        return applied
    }

    /// Checks that a version only goes down by a rollback.
    private func checkPermission(_ new: ActiveConfiguration) {
        switch permission {
        case .nothing: world.fail("process \(seat) applies \(words(new)) without a reason")
        case .start(let configuration):
            if new !== configuration { world.fail("process \(seat) starts with \(words(new))") }
        case .document(let fetched):
            if new.version != fetched.document.version {
                world.fail(
                    "process \(seat) applies \(words(new)) in place of version \(fetched.document.version)")
            }
            if let reason = fetched.holdReason {
                world.fail("process \(seat) applies \(words(new)), which is held: \(reason.reason)")
            }
            guard let old = lifecycle.active, let version = new.version else { return }
            if let oldVersion = old.version, version <= oldVersion {
                world.fail("process \(seat) goes from version \(oldVersion) down to \(version)")
            }
        case .rollback(let target):
            if new.version != target?.version {
                world.fail("process \(seat) goes back to \(words(new)), not to \(words(target))")
            }
        }
    }

    // MARK: Canaries

    private func observations() -> [ExactText: CanaryMonitor.Observation] {
        var observations: [ExactText: CanaryMonitor.Observation] = [:]
        for (namespace, tracker) in registry.trackers {
            let index = index(of: namespace)
            publishOldest(index)
            let emitter = deliveries[index].emitter
            let status = emitter.status(at: world.clock.uptime, wallTime: world.clock.wallTime)
            observations[ExactText(namespace)] = CanaryMonitor.Observation(
                status, at: tracker.effectiveSettings.endpoint.text, emitter.requestHistory)
        }
        return observations
    }

    func observeCanary() {
        guard let canary = lifecycle.canary, let active = lifecycle.active else {
            return world.fail("the timer of a canary outlives it")
        }
        history.refresh()
        let reversion = active.version.flatMap(history.reversion)
        permission = .rollback(to: canary.rollbackTarget)
        let trackers = observations()
        run { $0.observed(trackers, reversion: reversion, $1) }
        permission = .nothing
        guard lifecycle.canary == nil else { return }
        if lifecycle.active === active {
            world.coverage.count(.passedCanaries)
            if reversion != nil || world.clock.uptime < canary.monitor.end {
                world.fail("\(words(active)) stays in process \(seat), although its canary ended early")
            }
            checkPassed(active, canary)
        } else {
            world.coverage.count(.rollbacks)
        }
    }

    /// A canary whose collector refused enough requests must not pass.
    private func checkPassed(_ active: ActiveConfiguration, _ canary: Lifecycle.Canary) {
        guard world.server.all[active.text]?.isBad == true else { return }
        for delivery in deliveries where delivery.answered >= 25 && delivery.failed == delivery.answered {
            // A collector that refused everything before says nothing about the document.
            guard let before = canary.monitor.before[exactly: delivery.emitter.namespace], !before.status.isPaused,
                before.history.failureRate() ?? 0 < 0.5, before.collector?.contains(Network.badHost) != true,
                !delivery.emitter.withDelivery(\.isPaused)
            else { continue }
            world.fail(
                "\(words(active)) stays in process \(seat), although the last \(delivery.answered) requests of "
                    + "\(delivery.emitter.namespace) failed")
        }
    }
}
