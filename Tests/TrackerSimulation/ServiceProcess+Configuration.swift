import TrackerConfig
import TrackerCore

/// What the running event may apply.
enum Permission {
    case nothing
    case start(ActiveConfiguration?)
    case document(ConfigurationLifecycle.FetchedConfiguration)
    case rollback(to: ActiveConfiguration?)
}

extension ServiceProcess {
    typealias Lifecycle = ConfigurationLifecycle

    /// Handles an event, and executes the actions that it leads to.
    func handle(_ event: Lifecycle.Event) {
        (isCheckDue, isDocumentCheckDue) = (true, true)
        let moment = Lifecycle.Moment(time: world.clock.wallTime, uptime: world.clock.uptime, random: world.dice)
        let actions = lifecycle.handle(event, at: moment)
        for action in actions {
            // In their order: the report of one fetch comes before the fetch that follows it.
            if case .fetch = action { checkFetch(of: event, actions) }
            execute(action)
        }
    }

    private func execute(_ action: Lifecycle.Action) {
        let now = world.clock.milliseconds
        switch action {
        case .fetch(let fetch):
            let delay =
                world.network.documentWeather == .slow ? world.dice.within(500...9_000) : world.dice.within(1...300)
            world.agenda.add(.fetchAnswer(fetch), at: now + Int64(delay), of: life)
        case .openStream(let number): openStream(number)
        case .apply(let application): handle(apply(application))
        case .cache(let configuration, _, let previous, let unproven):
            _ = documents.store(configuration, [], after: previous, unproven: unproven)
        case .recordReversion(let configuration, let reason):
            world.say("process \(seat) reverts \(words(configuration)): \(reason)")
            if let version = configuration.version {
                history.reverted(version, reason: reason)
                world.noteReversion(of: configuration)
            }
        case .startTimer(let timer, let duration):
            cancel(timer)
            if timer == .canary { world.coverage.count(.canaries) }
            let wait = sabotaged(Int64((duration / .milliseconds(1)).rounded(.up)), of: timer)
            if wait <= 0 { world.fail("the timer \(timer) of process \(seat) takes no time") }
            if timer != .startup { world.agenda.add(.timer(timer, interval: wait), at: now + wait, of: life) }
        case .cancelTimer(let timer): cancel(timer)
        case .cancelAll:
            world.agenda.removeAll(of: life) { task in
                switch task {
                case .timer, .fetchAnswer, .stream: true
                default: false
                }
            }
            stream.connections = []
        case .report(let outcome, _):
            punctuality.noteOutcome(outcome)
            if outcome.fetchError == nil { stream.awaitsFetch = false }
            count(outcome)
        case .refuse(let error): world.fail("process \(seat) refuses its start: \(error)")
        case .publish, .markStale, .log: break
        }
    }

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

    private func cancel(_ timer: Lifecycle.Timer) {
        world.agenda.removeAll(of: life) { if case .timer(timer, _) = $0 { true } else { false } }
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
    func answer(_ fetch: Lifecycle.Fetch) {
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
        if let failure { return handle(.fetched(fetch, .failed(failure))) }
        guard let publication else {
            return handle(.fetched(fetch, .failed(FetchError(.status, reason: "404", status: 404))))
        }
        let validators = DocumentValidators(entityTag: publication.tag)
        if fetch.validators == validators { return handle(.fetched(fetch, .notModified)) }
        history.refresh()
        do throws(ConfigurationError) {
            let document: Document
            if let known = publication.document { document = known } else { document = try Document(publication.bytes) }
            let source = FetchedDocument(publication.bytes, validators: validators)
            let fetched = Lifecycle.FetchedConfiguration(document: document, source: source)
            review(fetch, fetched)
        } catch {
            handle(.fetched(fetch, .rejected(error)))
        }
    }

    /// Reviews a document before it is applied.
    func review(_ fetch: Lifecycle.Fetch, _ fetched: Lifecycle.FetchedConfiguration) {
        let document = fetched.document
        let objection = history.objection(to: document, hasOther: lifecycle.active != nil)
        var fetched = fetched
        fetched.review = Lifecycle.Review(
            objection: objection,
            canRollBack: document.rollout != nil && registry.hasTrackers(with: lifecycle.rollbackTarget))
        permission = .document(fetched)
        handle(.fetched(fetch, .document(fetched)))
        permission = .nothing
    }

    private func apply(_ application: Lifecycle.ApplyRequest) -> Lifecycle.Event {
        let configuration = application.configuration
        checkPermission(application)
        if case .rollback = permission, world.sabotage == .skipsRollback {
            return .applicationFailed(ConfigurationError(.outOfRange, place: "", reason: "the rollback is skipped"))
        }
        let earlier = registry.namespaces
        let previous = lifecycle.active
        if case .document = permission, world.dice.chance(percent: 3) {
            world.coverage.count(.refusedApplications)
            return .applicationFailed(ConfigurationError(.outOfRange, place: "shop", reason: "a tracker cannot work"))
        }
        let before = configuration.document?.rollout == nil ? [:] : observationsBeforeCanary()
        do throws(ConfigurationError) {
            let applied = try registry.apply(configuration.document, removing: application.removes)
            if case .start = permission {
                return .applied(Lifecycle.ApplyResult(namespaces: applied.namespaces))
            }
            world.say("process \(seat) applies \(words(configuration)) over \(words(previous))")
            world.noteApplication(of: configuration)
            for index in deliveries.indices { (deliveries[index].answered, deliveries[index].failed) = (0, 0) }
            followTrackers()
            let namespaces = Set(applied.namespaces.map(ExactText.init))
            return .applied(
                Lifecycle.ApplyResult(
                    namespaces: applied.namespaces, addedNamespaces: namespaces.subtracting(earlier), before: before))
        } catch {
            return .applicationFailed(error)
        }
    }

    /// Checks that a version only goes down by a rollback.
    private func checkPermission(_ application: Lifecycle.ApplyRequest) {
        let new = application.configuration
        switch permission {
        case .nothing: world.fail("process \(seat) applies \(words(new)) without a reason")
        case .start(let configuration):
            if new !== configuration { world.fail("process \(seat) starts with \(words(new))") }
        case .document(let fetched):
            if new.version != fetched.document.version {
                world.fail(
                    "process \(seat) applies \(words(new)) in place of version \(fetched.document.version)")
            }
            if let objection = fetched.review.objection {
                world.fail("process \(seat) applies \(words(new)), which is held: \(objection.reason)")
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

    private func observationsBeforeCanary() -> [ExactText: CanaryMonitor.Observation] {
        let now = observations()
        guard let canary = lifecycle.canary else { return now }
        return canary.monitor.before.reduce(into: [:]) { result, entry in
            result[entry.key] = entry.value.after(requests: now[entry.key]?.history.total)
        }
    }

    func observeCanary() {
        guard let canary = lifecycle.canary, let active = lifecycle.active else {
            return world.fail("the timer of a canary outlives it")
        }
        history.refresh()
        let reversion = active.version.flatMap(history.reversion)
        permission = .rollback(to: canary.rollbackTarget)
        handle(.canaryObserved(observations(), reversion: reversion))
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

    /// What the canary of a cached document can be rolled back to; nil if it is none.
    var rollbackTarget: Lifecycle.RollbackTarget? {
        guard let active = lifecycle.active, active.state == .cached, active.document?.rollout != nil else {
            return nil
        }
        let target = documents.fallback(excluding: active).configuration
        guard registry.hasTrackers(with: target) else { return Lifecycle.RollbackTarget() }
        let before = registry.observations(target?.document)
        return Lifecycle.RollbackTarget(
            configuration: target, before: before, addedNamespaces: registry.namespaces.subtracting(before.keys))
    }
}
