import FoundationEssentials

/// The life of a setup's configuration as a value: events go in, actions come out.
///
/// It does no I/O and has no clock. ``ConfigurationUpdater`` executes the actions in their order. It answers
/// ``Action/apply(_:)`` and, at once or later, ``Action/review(_:_:)``, ``Action/findRollbackTarget(_:)`` and
/// ``Action/loadCache`` with an event of its own.
package struct ConfigurationLifecycle: Sendable {
    /// A canary: the document that is applied, under observation.
    package struct Canary: Sendable {
        package var monitor: CanaryMonitor
        /// The last known good configuration.
        package let rollbackTarget: ActiveConfiguration
        /// The trackers that only the canary has.
        let addedNamespaces: Set<ExactText>
        /// The URL of the document.
        package let url: String
    }

    /// A document that was fetched and held back.
    struct Held: Sendable {
        let validators: DocumentValidators
        let report: FetchReport
    }

    /// The rollout of a document.
    struct OfferedRollout: Sendable {
        let version: DocumentVersion
        let rollout: Rollout
        let contentDigest: String

        /// The rollout of a document; nil if it has none.
        init?(_ document: Document?) {
            guard let document, let rollout = document.rollout else { return nil }
            (version, self.rollout, contentDigest) = (document.documentVersion, rollout, document.contentDigest)
        }
    }

    /// A configuration that is being applied; it decides what its application means.
    private indirect enum Change: Sendable {
        case document(ActiveConfiguration, Fetch, FetchedDocument, Review)
        case cached(ActiveConfiguration)
        case rollback(to: ActiveConfiguration, from: ActiveConfiguration, reason: String)
        case user(UserScope, ActiveConfiguration?)
    }

    private struct Polling: Sendable {
        var schedule: PollSchedule
        /// The URL of the fetch whose end the next poll is counted from.
        var awaitedURL: String?
    }

    /// The load of the cached document at the start.
    private enum CacheLoad: Sendable {
        /// Fetches wait for it.
        case awaited
        /// Fetches do not wait for it any more.
        case late
        case ended
    }

    let settings: Settings
    package private(set) var scope: UserScope
    package private(set) var active: ActiveConfiguration? {
        didSet {
            guard oldValue?.text != active?.text || oldValue?.url != active?.url else { return }
            changes += 1
            // Its text alone: a decoded document takes too much memory for what is read now and then.
            previousText = oldValue.flatMap { isPrivate($0) ? nil : $0.text }
            isUnproven = false
        }
    }
    /// The document before the active one, as it was fetched; empty for the default, nil if there was none, or only
    /// another user's.
    private(set) var previousText: [UInt8]?
    /// Counts how often another configuration was applied.
    package private(set) var changes = 0
    /// Counts the switches to other users.
    package private(set) var switches = 0
    /// When the active configuration was applied by this process, in milliseconds since 1970.
    private(set) var activeSince: Int64
    package private(set) var canary: Canary?
    /// The last canary's monitor, also once the canary has passed, and the URL of its document.
    private(set) var lastMonitor: (monitor: CanaryMonitor, url: String)?
    /// Whether the active document asked for a canary and was not watched, or failed and could not be rolled back.
    private(set) var isUnproven = false
    private(set) var held: Held?
    /// The rollout of the document that is held back.
    private(set) var heldRollout: OfferedRollout?
    private(set) var history = FetchHistory()
    package private(set) var isStopped = false
    /// The URL of the document that was rolled back last.
    private var revertedURL: String?
    private var change: Change?
    private var fetches: Set<String> = []
    private var hasFetched = false
    private var lastOutcome: ConfigurationOutcome?
    private var polling: Polling?
    private var cacheLoad: CacheLoad

    package init(
        _ settings: Settings, scope: UserScope, active: ActiveConfiguration?,
        skipped: [FallbackChain.Skipped] = []
    ) {
        (self.settings, self.scope, self.active) = (settings, scope, active)
        activeSince = settings.startTime
        cacheLoad = settings.cacheTimeout == nil ? .ended : .awaited
        noteApplied(active, at: settings.startTime)
        let time = Date(milliseconds: settings.startTime)
        for skipped in skipped { history.add(ConfigurationChange(skipped, at: time)) }
    }

    /// Records a configuration that was applied without a fetch.
    private mutating func noteApplied(_ configuration: ActiveConfiguration?, at time: Int64) {
        guard let configuration else { return }
        note(.applied, configuration.version, configuration.sentence, at: time, needsAttention: false)
    }

    private mutating func note(
        _ kind: NamedCode<ConfigurationChange>, _ version: Int?, _ text: String, at time: Int64,
        needsAttention: Bool = true
    ) {
        history.add(
            ConfigurationChange(
                kind: kind, version: version, text: text, time: Date(milliseconds: time),
                needsAttention: needsAttention))
    }

    /// Whether the cached document that the setup did not start with could still be applied.
    package var isLoadingCache: Bool { cacheLoad != .ended }

    /// Whether a fetch of the current user's document is in progress.
    package var isFetching: Bool { fetches.contains(scope.url) }

    /// The configuration that a document that is applied now could be rolled back to: a canary has not proved itself, what
    /// was before it has.
    package var rollbackTarget: ActiveConfiguration? { canary == nil ? active : canary?.rollbackTarget }

    /// Whether a URL is the one of the current user's document.
    package func isCurrent(_ url: String) -> Bool { url == scope.url }

    /// Handles an event.
    /// - Parameters:
    ///   - event: The event.
    ///   - moment: The time of the event.
    /// - Returns: The actions to execute, in their order.
    package mutating func handle(_ event: Event, at moment: Moment) -> [Action] {
        guard !isStopped else { return handleStopped(event, moment) }
        let earlier = changes
        defer { if changes != earlier { activeSince = moment.time } }
        switch event {
        case .started: return start(moment)
        case .cacheLoaded(let configuration): return cacheLoaded(configuration)
        case .cacheTimedOut: return beginAwaitedFetch()
        case .refreshRequested: return beginFetch()
        case .pollElapsed:
            polling?.awaitedURL = scope.url
            return beginFetch()
        case .fetched(let fetch, let answer): return fetched(fetch, answer, moment)
        case .reviewed(let fetch, let document, let review): return decide(fetch, document, review, moment)
        case .applied(let result): return applied(result, moment)
        case .applicationFailed(let error): return applicationFailed(error, moment)
        case .canaryObserved(let trackers, let reversion): return canaryObserved(trackers, reversion, moment)
        case .rollbackTargetFound(let target, let search): return resumeCanary(target, search, moment)
        case .userChanged(let next, let fallback): return changeUser(to: next, fallback)
        case .stopped:
            // A fetch that waits for the cache has no task that would answer its callers.
            let waits = cacheLoad == .awaited && isFetching
            (isStopped, cacheLoad) = (true, .ended)
            (canary, change, polling, history.nextPoll) = (nil, nil, nil, nil)
            return [.cancelAll] + (waits ? finish(scope.url, FetchReport(.shutDown), moment) : [])
        }
    }

    /// After the end only the callers of fetches are answered.
    private mutating func handleStopped(_ event: Event, _ moment: Moment) -> [Action] {
        switch event {
        case .refreshRequested where !isFetching: finish(scope.url, FetchReport(.shutDown), moment)
        case .fetched(let fetch, _), .reviewed(let fetch, _, _): finish(fetch.url, FetchReport(.shutDown), moment)
        default: []
        }
    }

    private mutating func start(_ moment: Moment) -> [Action] {
        var actions: [Action] = []
        if active?.document != nil { actions = [.startTimer(.startup, settings.startupWindow)] + findRollbackTarget() }
        if isLoadingCache { actions.append(.loadCache) }
        if cacheLoad == .awaited, let timeout = settings.cacheTimeout { actions.append(.startTimer(.cache, timeout)) }
        if let interval = settings.pollInterval { polling = Polling(schedule: PollSchedule(interval: interval)) }
        // A refresh may have begun the first fetch; the polls don't wait for its end.
        guard !hasFetched else { return actions + schedulePoll(after: .notModified, moment) }
        polling?.awaitedURL = scope.url
        return actions + beginFetch()
    }
}

// MARK: - The cached document

extension ConfigurationLifecycle {
    private mutating func cacheLoaded(_ configuration: ActiveConfiguration?) -> [Action] {
        // A late document is not applied over a fetched one, nor over what it was rolled back to.
        guard isLoadingCache, changes == 0, let configuration, configuration.document != nil else {
            return endCacheLoad()
        }
        change = .cached(configuration)
        return [.apply(ApplyRequest(configuration, after: active, isWatched: true))]
    }

    private mutating func endCacheLoad() -> [Action] {
        defer { cacheLoad = .ended }
        return beginAwaitedFetch()
    }

    /// Begins the fetch that waits for the cached document.
    private mutating func beginAwaitedFetch() -> [Action] {
        guard cacheLoad == .awaited else { return [] }
        cacheLoad = .late
        return [.cancelTimer(.cache)] + (isFetching ? [.fetch(nextFetch)] : [])
    }
}

// MARK: - Fetches

extension ConfigurationLifecycle {
    /// Begins a fetch of the current user's document, unless one is in progress; after the load of the cached document.
    private mutating func beginFetch() -> [Action] {
        hasFetched = true
        let isNew = fetches.insert(scope.url).inserted
        return isNew && cacheLoad != .awaited ? [.fetch(nextFetch)] : []
    }

    private var nextFetch: Fetch {
        Fetch(url: scope.url, validators: held?.validators ?? activeValidators, held: held)
    }

    /// The validators of the active document, if the current user's URL has it.
    private var activeValidators: DocumentValidators? { active?.url == scope.url ? active?.validators : nil }

    private mutating func fetched(_ fetch: Fetch, _ answer: FetchResponse, _ moment: Moment) -> [Action] {
        switch answer {
        case .failed(let error): return finish(fetch.url, FetchReport(.failed(error)), moment)
        case .rejected(let error):
            // The source does not serve the document that is held back any more.
            if isCurrent(fetch.url) { (held, heldRollout) = (nil, nil) }
            // Another release of the service can use it.
            if error.code == .unmetRequirement, let version = error.version {
                let objection = HoldReason(.unmetRequirement, error.description)
                return finish(fetch.url, FetchReport(objection, version: version), moment)
            }
            return finish(fetch.url, FetchReport(.rejected(error)), moment)
        case .document(let document): return received(fetch, document, moment)
        case .notModified:
            // Only another document ends the hold.
            if let held = fetch.held ?? (isCurrent(fetch.url) ? held : nil), held.validators == fetch.validators {
                return finish(fetch.url, held.report, moment)
            }
            // The document was lost: a switch to another user and back did not find it in the cache.
            if isCurrent(fetch.url), fetch.validators != activeValidators { return [.fetch(nextFetch)] }
            return finish(fetch.url, FetchReport(.notModified), moment)
        }
    }

    /// Takes a document that came: one that its version lets be applied is reviewed, each other dismissed.
    private mutating func received(
        _ fetch: Fetch, _ fetched: FetchedConfiguration, _ moment: Moment
    ) -> [Action] {
        dismiss(fetch, fetched, judge(fetched.document, of: fetch.url, Review()), moment) ?? [.review(fetch, fetched)]
    }

    /// Decides on a document that was reviewed. Another one may have been applied meanwhile.
    private mutating func decide(
        _ fetch: Fetch, _ fetched: FetchedConfiguration, _ review: Review, _ moment: Moment
    ) -> [Action] {
        let decision = judge(fetched.document, of: fetch.url, review)
        if let actions = dismiss(fetch, fetched, decision, moment) { return actions }
        let configuration = ActiveConfiguration(
            .fetched, fetched.document, fetched.source.bytes, fetched.source.validators, url: fetch.url,
            at: moment.time)
        guard isCurrent(fetch.url) else { return keep(configuration, fetched.source, moment) }
        (held, heldRollout) = (nil, nil)
        change = .document(configuration, fetch, fetched.source, review)
        return [.apply(ApplyRequest(configuration, after: active, isWatched: true))]
    }

    private func judge(_ document: Document, of url: String, _ review: Review) -> VersionDecision {
        VersionDecision.judge(
            version: document.documentVersion, digest: document.digest,
            active: isCurrent(url) ? active?.versions(for: url) : nil, defaultVersion: settings.defaultVersion,
            floor: review.floor
        ) { review.objection }
    }

    /// Finishes the fetch of a document that is not applied.
    /// - Returns: The actions; nil if the decision is to apply it.
    private mutating func dismiss(
        _ fetch: Fetch, _ fetched: FetchedConfiguration, _ decision: VersionDecision, _ moment: Moment
    ) -> [Action]? {
        let (document, isCurrent) = (fetched.document, isCurrent(fetch.url))
        if isCurrent, decision != .apply { (held, heldRollout) = (nil, nil) }
        switch decision {
        case .stale: return finish(fetch.url, FetchReport(.stale(version: document.version)), moment)
        case .held(let objection):
            let report = FetchReport(objection, version: document.version)
            if isCurrent { heldRollout = OfferedRollout(document) }
            // Without validators the next request is by the active document's, or unconditional.
            let validators = fetched.source.validators
            if isCurrent, validators != DocumentValidators() { held = Held(validators: validators, report: report) }
            return finish(fetch.url, report, moment)
        case .unchanged(let isOtherContent):
            // The same document under a new tag: the next fetch may ask by it.
            if isCurrent, active?.document?.digest == document.digest {
                active = active?.with(fetched.source.validators)
            }
            let outcome = ConfigurationOutcome.unchanged(version: document.version, isOtherContent: isOtherContent)
            return finish(fetch.url, FetchReport(outcome), moment)
        case .apply: return nil
        }
    }

    /// Caches a document that came after a switch to another user, for the user that it was fetched for.
    private mutating func keep(
        _ configuration: ActiveConfiguration, _ source: FetchedDocument, _ moment: Moment
    ) -> [Action] {
        guard let url = configuration.url, let version = configuration.version else { return [] }
        let reason = "it came after a switch to another user, and is kept for the user it was asked for"
        let report = FetchReport(.held(version: version, reason: reason))
        return [cache(configuration, source, previous: nil)] + finish(url, report, moment)
    }

    private func cache(
        _ configuration: ActiveConfiguration, _ source: FetchedDocument, previous: ActiveConfiguration?
    ) -> Action {
        let unproven = canary.flatMap { $0.url == configuration.url ? $0.monitor.version : nil }
        return .cache(configuration, source.headers, previous: previous, unproven: unproven)
    }

    private mutating func finish(_ url: String, _ report: FetchReport, _ moment: Moment) -> [Action] {
        fetches.remove(url)
        var actions: [Action] = []
        if let error = report.outcome.configurationError { actions.append(.recordFleetEvent(.rejected(error))) }
        // An outcome that each poll repeats is logged once at its level; another user's is a detail.
        let isNews = isCurrent(url) && report.outcome != lastOutcome
        if isCurrent(url) { lastOutcome = report.outcome }
        history.add(report, isCurrent: isCurrent(url), at: moment.clocks)
        actions.append(.report(report.outcome, url: url, isNews ? report.logLevel : .debug))
        if polling?.awaitedURL == url { actions += schedulePoll(after: report.outcome, moment) }
        return actions
    }

    private mutating func schedulePoll(after outcome: ConfigurationOutcome, _ moment: Moment) -> [Action] {
        guard var polling else { return [] }
        polling.awaitedURL = nil
        let fraction = moment.random.fraction()
        let wait: Duration
        if let error = outcome.fetchError {
            wait = polling.schedule.wait(hasFailed: true, retryAfter: error.retryAfter, fraction: fraction)
        } else {
            wait = polling.schedule.wait(hasFailed: false, fraction: fraction)
        }
        self.polling = polling
        history.nextPoll = ClockReading(
            time: moment.time + Int64(wait / .milliseconds(1)), uptime: moment.uptime + wait)
        return [.startTimer(.poll, wait)]
    }
}

// MARK: - Applications

extension ConfigurationLifecycle {
    private mutating func applied(_ result: ApplicationResult, _ moment: Moment) -> [Action] {
        defer { change = nil }
        switch change {
        case nil: return []
        case .document(let configuration, let fetch, let source, let review):
            return applied(configuration, fetch, source, review, result, moment)
        case .cached(let configuration):
            let previous = active
            active = configuration
            noteApplied(configuration, at: moment.time)
            return [.startTimer(.startup, settings.startupWindow)] + findRollbackTarget() + [
                .recordFleetEvent(.applied(configuration, previousVersion: previous?.version)),
                .publish(configuration, result, []),
            ] + endCacheLoad()
        case .rollback(let target, let bad, let reason):
            let good = target.reverted()
            (active, revertedURL) = (good, bad.url)
            guard let document = bad.document else { return [] }
            let text = "version \(document.documentVersion) was reverted: \(reason)"
            note(.reverted, document.version, text, at: moment.time)
            let report = FetchReport(HoldReason(.reverted, "it was reverted: \(reason)"), version: document.version)
            if bad.url == scope.url, let validators = bad.validators, validators != DocumentValidators() {
                held = Held(validators: validators, report: report)
            }
            if bad.url == scope.url { heldRollout = OfferedRollout(document) }
            let place = "version \(document.documentVersion)"
            return [
                .recordFleetEvent(.reverted(from: document.version, to: good, reason: reason)),
                .publish(good, result, [ConfigurationWarning(place: place, reason: "reverted: \(reason)")]),
            ]
        case .user(let next, let fallback): return changedUser(to: next, fallback, result, moment)
        }
    }

    private mutating func applied(
        _ configuration: ActiveConfiguration, _ fetch: Fetch, _ source: FetchedDocument, _ review: Review,
        _ result: ApplicationResult, _ moment: Moment
    ) -> [Action] {
        guard let document = configuration.document else { return [] }
        let (previous, target) = (active, review.canRollBack ? rollbackTarget : nil)
        active = configuration
        var actions = [
            cache(configuration, source, previous: previous), .startTimer(.startup, settings.startupWindow),
        ]
        actions += endCanary()
        if let rollout = document.rollout {
            let monitor = CanaryMonitor(
                version: document.documentVersion, rollout: rollout, start: moment.time, before: review.before,
                now: moment.time, uptime: moment.uptime)
            actions += beginCanary(monitor, target, adding: result.addedNamespaces, moment)
        }
        actions.append(.recordFleetEvent(.applied(configuration, previousVersion: previous?.version)))
        actions.append(.publish(configuration, result, []))
        let outcome = ConfigurationOutcome.applied(version: document.version, namespaces: result.namespaces)
        return actions + finish(fetch.url, FetchReport(outcome), moment)
    }

    /// Nothing was changed; the configuration before stays active.
    private mutating func applicationFailed(_ error: ConfigurationError, _ moment: Moment) -> [Action] {
        defer { change = nil }
        switch change {
        case nil: return []
        case .document(_, let fetch, _, _): return finish(fetch.url, FetchReport(.rejected(error)), moment)
        case .cached(let configuration):
            let version = configuration.documentVersion.map { "\($0)" } ?? ""
            let text = "the cached document of version \(version) cannot be applied: \(error)"
            note(.rejected, configuration.version, text, at: moment.time)
            return [.log(.error, text)] + endCacheLoad()
        case .rollback(_, let bad, let reason):
            let version = bad.documentVersion.map { "version \($0)" } ?? "the default"
            let text = "\(version) is bad (\(reason)) and stays, because the rollback failed: \(error)"
            note(.rollbackFailed, bad.version, text, at: moment.time)
            isUnproven = true
            return [.log(.error, text)]
        case .user: return [.refuseUser(error)]
        }
    }
}

// MARK: - Canaries

extension ConfigurationLifecycle {
    /// Continues the canary of a cached document that an earlier process began.
    private func findRollbackTarget() -> [Action] {
        guard let active, active.state == .cached, active.document?.rollout != nil else { return [] }
        return [.findRollbackTarget(RollbackSearch(canary: active, changes: changes, switches: switches))]
    }

    private mutating func resumeCanary(
        _ target: RollbackTarget, _ search: RollbackSearch, _ moment: Moment
    ) -> [Action] {
        // Another configuration may have been applied meanwhile.
        guard changes == search.changes, canary == nil, let active, let document = active.document,
            let rollout = document.rollout
        else { return [] }
        // The document for all users is still active, but what was found may be a former user's.
        guard switches == search.switches else { return findRollbackTarget() }
        let monitor = CanaryMonitor(
            version: document.documentVersion, rollout: rollout, start: active.time, before: target.before,
            now: moment.time, uptime: moment.uptime)
        return beginCanary(monitor, target.configuration, adding: target.addedNamespaces, moment)
    }

    private mutating func beginCanary(
        _ monitor: CanaryMonitor, _ target: ActiveConfiguration?, adding namespaces: Set<ExactText>, _ moment: Moment
    ) -> [Action] {
        guard monitor.end > moment.uptime, let url = active?.url else { return [] }
        // A configuration without trackers would lose every event.
        guard let target else {
            isUnproven = true
            return [.log(.warning, "version \(monitor.version) is not watched: there is nothing to go back to")]
        }
        canary = Canary(monitor: monitor, rollbackTarget: target, addedNamespaces: namespaces, url: url)
        isUnproven = false
        lastMonitor = (monitor, url)
        let seconds = (monitor.end - moment.uptime).components.seconds
        return [
            .startTimer(.canary, monitor.interval),
            .log(.info, "version \(monitor.version) is watched for \(seconds) s"),
        ]
    }

    private mutating func endCanary() -> [Action] {
        guard canary != nil else { return [] }
        canary = nil
        return [.cancelTimer(.canary)]
    }

    private mutating func canaryObserved(
        _ trackers: [ExactText: CanaryMonitor.Observation], _ reversion: String?, _ moment: Moment
    ) -> [Action] {
        guard var canary else { return [] }
        let verdict = canary.monitor.judge(trackers, now: moment.time, uptime: moment.uptime)
        self.canary = canary
        lastMonitor = (canary.monitor, canary.url)
        // One process of an instance speaks for all of them.
        if let reversion { return rollBack(canary, reversion) }
        switch verdict {
        case .goesOn: return []
        case .passed: return [.log(.info, "version \(canary.monitor.version) passed its bake time")] + endCanary()
        case .failed(let reason): return rollBack(canary, reason)
        }
    }

    private mutating func rollBack(_ canary: Canary, _ reason: String) -> [Action] {
        guard let bad = active else { return [] }
        change = .rollback(to: canary.rollbackTarget, from: bad, reason: reason)
        return endCanary() + [
            .recordReversion(bad, reason),
            .apply(ApplyRequest(canary.rollbackTarget, after: bad, removes: .some(canary.addedNamespaces))),
        ]
    }
}

// MARK: - Users

extension ConfigurationLifecycle {
    private mutating func changeUser(to next: UserScope, _ fallback: ActiveConfiguration?) -> [Action] {
        guard next.url != scope.url else { return enter(next) }
        // The former user's, whose document is cached for them when it comes.
        let awaited = beginAwaitedFetch()
        change = .user(next, fallback)
        // Nothing of the former user stays, nor what their document had ceased to name.
        let isOther = !(fallback?.isSame(as: active) ?? false)
        let application = ApplyRequest(fallback, after: active, removes: .all, isWatched: isOther && fallback != nil)
        return awaited + (isOther ? [.abandonStartup] : []) + [.apply(application)]
    }

    private mutating func changedUser(
        to next: UserScope, _ fallback: ActiveConfiguration?, _ result: ApplicationResult, _ moment: Moment
    ) -> [Action] {
        let previous = active
        cacheLoad = .ended
        // The document for all users stays, with its canary, its startup, and a rollback to it.
        let isOther = !(fallback?.isSame(as: previous) ?? false)
        // One from a document that was the former user's alone is over.
        let isOver = previous?.state == .reverted && !(revertedURL.map { next.urls.contains($0) } ?? false)
        if isOther || isOver {
            active = fallback
            noteApplied(fallback, at: moment.time)
        }
        // What only the former user had is nothing to go back to; what the next one has is found anew.
        let hasForeignTarget = canary.map { isPrivate($0.rollbackTarget) } ?? false
        var actions = isOther || hasForeignTarget ? endCanary() : []
        actions += enter(next)
        if isOther { actions.append(.startTimer(.startup, settings.startupWindow)) }
        if isOther || hasForeignTarget {
            isUnproven = hasForeignTarget && !isOther
            actions += findRollbackTarget()
        }
        if let fallback {
            actions.append(.recordFleetEvent(.applied(fallback, previousVersion: previous?.version)))
            actions.append(.publish(fallback, result, []))
        } else {
            actions.append(.withdraw)
        }
        return actions + (settings.refreshesOnUserChange ? beginFetch() : [])
    }

    private mutating func enter(_ next: UserScope) -> [Action] {
        // What is known of a URL's document holds for all its users.
        if next.url != scope.url {
            (held, heldRollout, lastOutcome) = (nil, nil, nil)
            history.sourceChanged()
        }
        scope = next
        switches += 1
        return [.enter(next)]
    }

    /// Whether a configuration was for another user alone, of which the current one must see nothing.
    private func isPrivate(_ configuration: ActiveConfiguration) -> Bool {
        guard let url = configuration.url, url != active?.url else { return false }
        return url != scope.sharedURL
    }
}
