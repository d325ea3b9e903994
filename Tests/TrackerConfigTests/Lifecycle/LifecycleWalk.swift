import TestSupport
import TrackerCore
import TrackerTesting

@testable import TrackerConfig

/// A random walk through a configuration's life: it sends events, executes the actions as a model of the updater would,
/// and notes each action that breaks a rule.
struct LifecycleWalk {
    typealias Lifecycle = ConfigurationLifecycle

    /// A document by its place.
    struct Key: Hashable {
        let url: String
        let version: Int
    }

    static let shared = "https://config.example/.json"
    static let versions = 1...60
    static let defaultVersion = 3

    let documents: [Document]
    let random: SeededRandom
    var lifecycle: Lifecycle
    private(set) var violations: [String] = []
    /// How often each kind of action was executed.
    private(set) var counts: [String: Int] = [:]

    private var time: Int64 = 1_700_000_000_000
    private var fetches: [Lifecycle.Fetch] = []
    /// The connection of signals.
    private var connection: Int?
    /// The fetches of documents that came with a signal.
    private var adoptions: [(fetch: Lifecycle.Fetch, switches: Int)] = []
    private var isMarkedStale = false
    private var searches: [Lifecycle.RollbackSearch] = []
    private var timers: Set<Lifecycle.Timer> = []
    /// Whether fetches must wait for the cached document.
    private var isCacheAwaited = false
    private var isFetchWaiting = false
    private var isCacheLoading = false
    private var hasApplied = false
    private var reverted: Set<Key> = []
    private var hasStarted = false
    /// What the event that is handled may apply, and why.
    private var allowed: Allowed = .nothing
    /// The configuration that was applied and not published yet.
    private var unpublished: ActiveConfiguration?
    /// The callers of fetches that are not answered yet, by URL.
    private var callers: [String: Int] = [:]

    private enum Allowed {
        case nothing
        case document(Lifecycle.FetchedConfiguration)
        case rollback(ActiveConfiguration?)
        case cached(ActiveConfiguration?)
        case user(ActiveConfiguration?)
    }

    init(_ documents: [Document], random: SeededRandom) {
        (self.documents, self.random) = (documents, random)
        let settings = Lifecycle.Settings(
            defaultVersion: DocumentVersion(Self.defaultVersion), pollInterval: .seconds(60),
            refreshesOnUserChange: random.next().isMultiple(of: 2),
            cacheTimeout: random.next().isMultiple(of: 5) ? nil : .seconds(1))
        isCacheAwaited = settings.cacheTimeout != nil
        let scope = Self.scope(of: 0)
        let active = random.next().isMultiple(of: 2) ? nil : Self.default
        lifecycle = Lifecycle(settings, scope: scope, active: active)
    }

    /// The documents of the walks; every third asks for a rollout, and every ninth for one with a start.
    static func documents() throws -> [Document] {
        try versions.map { version in
            let start = version.isMultiple(of: 9) ? #","start":"2023-11-14T00:00:00Z""# : ""
            let rollout = version.isMultiple(of: 3) ? #","rollout":{"percent":50,"bakeSeconds":60\#(start)}"# : ""
            return try Document(Array(DocumentText.document(version, more: rollout).utf8))
        }
    }

    private static var `default`: ActiveConfiguration {
        ActiveConfiguration(DefaultConfiguration(bundles: []), version: defaultVersion, at: 0)
    }

    private static func scope(of user: Int) -> UserScope {
        UserScope(
            user: user == 0 ? nil : "\(user)", url: user == 0 ? shared : "https://config.example/\(user).json",
            sharedURL: shared)
    }

    private func chance(_ percent: UInt64) -> Bool { random.next() % 100 < percent }

    // MARK: - Events

    /// Sends a random event.
    mutating func step() {
        time += Int64(random.next() % (chance(10) ? 120_000 : 2_000))
        switch random.next() % 15 {
        case 0:
            callers[lifecycle.scope.url, default: 0] += 1
            isFetchWaiting = isCacheAwaited
            send(.refreshRequested)
        case 10:
            if chance(50) { answerSearch() } else { answerCache() }
        case 1: start()
        case 2: poll()
        case 11: beginRollout()
        case 12: signal()
        case 13: elapse()
        case 14: review()
        case 3, 4, 5, 6: answerFetch()
        case 7, 8: observeCanary()
        default: if chance(30) { changeUser() }
        }
        check()
    }

    mutating func stop() {
        endCacheWait()
        send(.stopped)
        if !timers.isEmpty { violations.append("timers run after the end") }
    }

    private mutating func start() {
        guard !hasStarted else { return poll() }
        hasStarted = true
        isFetchWaiting = isCacheAwaited
        send(.started)
    }

    private mutating func endCacheWait() {
        (isCacheAwaited, isFetchWaiting) = (false, false)
    }

    private mutating func answerCache() {
        guard isCacheLoading else { return }
        // The timer may have fired just before it was cancelled.
        if timers.remove(.cache) != nil || chance(10), chance(30) {
            endCacheWait()
            return send(.cacheTimedOut)
        }
        guard chance(30) else { return }
        isCacheLoading = false
        let cached = chance(80) ? fallback(lifecycle.scope) : nil
        allowed = .cached(cached)
        endCacheWait()
        send(.cacheLoaded(cached))
        allowed = .nothing
    }

    private mutating func answerSearch() {
        guard !searches.isEmpty else { return }
        answer(searches.remove(at: Int(random.next() % UInt64(searches.count))))
    }

    private mutating func answer(_ search: Lifecycle.RollbackSearch) {
        let target = chance(70) ? Self.default : nil
        send(.rollbackTargetFound(Lifecycle.RollbackTarget(configuration: target), search))
    }

    private mutating func poll() {
        guard timers.remove(.poll) != nil else { return }
        send(.pollElapsed)
    }

    private mutating func beginRollout() {
        // A timer may have fired just before it was cancelled.
        guard timers.remove(.rollout) != nil || chance(10) else { return }
        send(.rolloutElapsed)
    }

    /// The source signals, also over a connection that was closed.
    private mutating func signal() {
        let number = connection ?? 0
        let version = Int(random.next() % 60) + 1
        switch random.next() % 8 {
        case 0: send(.signalled(.connected, number))
        case 1:
            connection = nil
            send(.streamEnded(number))
        case 2:
            let status = [nil, 204, 401, 429, 503][Int(random.next() % 5)]
            connection = nil
            send(.signalled(.disconnected(FetchError(.transport, reason: "broken", status: status)), number))
        case 3, 4: send(.signalled(.document(FetchedDocument([UInt8(version)])), number))
        default:
            var signal = SourceSignal.changed(version: chance(80) ? version : nil)
            if chance(30) { signal.spread = .seconds(10) }
            send(.signalled(signal, number))
        }
        noteWait()
    }

    /// A fetch that a signal asked for may wait for the cache.
    private mutating func noteWait() {
        if isCacheAwaited, lifecycle.isFetching { isFetchWaiting = true }
    }

    private mutating func elapse() {
        let events: [(Lifecycle.Timer, Lifecycle.Event)] = [
            (.stream, .streamElapsed), (.signal, .signalElapsed), (.staleness, .contactMissed),
        ]
        for (timer, event) in events where timers.remove(timer) != nil || chance(5) { send(event) }
        noteWait()
    }

    /// Ends the review of a document that came with a signal.
    private mutating func review() {
        guard !adoptions.isEmpty else { return }
        answer(adoptions.removeFirst().fetch)
        noteWait()
    }

    private mutating func answerFetch() {
        guard !fetches.isEmpty else { return }
        answer(fetches.remove(at: Int(random.next() % UInt64(fetches.count))))
    }

    private mutating func answer(_ fetch: Lifecycle.Fetch) {
        switch random.next() % 8 {
        case let kind where kind < 3 && fetch.isSignalled: send(.fetched(fetch, .rejected(Self.bad)))
        case 0: send(.fetched(fetch, .failed(FetchError(.timeout, reason: "timeout"))))
        case 1: send(.fetched(fetch, .rejected(Self.bad)))
        case 2 where fetch.validators != nil: send(.fetched(fetch, .notModified))
        default:
            // Most often a little newer than what is active, sometimes anything.
            let active = lifecycle.active?.version ?? 0
            let near = active + Int(random.next() % 5) - 1
            let place = chance(80) ? near : Int(random.next() % 60) + 1
            let document = documents[min(max(place, 1), 60) - 1]
            let validators = chance(70) ? DocumentValidators(entityTag: "\(document.version)") : DocumentValidators()
            let source = FetchedDocument([UInt8(document.version)] + Array(fetch.url.utf8), validators: validators)
            let review = review(of: document, from: fetch.url)
            let fetched = Lifecycle.FetchedConfiguration(document: document, source: source, review: review)
            allowed = .document(fetched)
            send(.fetched(fetch, .document(fetched)))
            allowed = .nothing
        }
    }

    private static let bad = ConfigurationError(.outOfRange, place: "a", reason: "bad")

    private func review(of document: Document, from url: String) -> Lifecycle.Review {
        var review = Lifecycle.Review(canRollBack: chance(80))
        if reverted.contains(Key(url: url, version: document.version)) {
            review.objection = HoldReason(.reverted, "it was reverted")
        } else if document.version.isMultiple(of: 5) {
            review.objection = HoldReason(.notSelected, "it is rolled out to others")
        } else if document.version.isMultiple(of: 9), chance(50) {
            // Of a process whose clock was behind.
            review.objection = HoldReason(.notBegun, "its rollout begins later")
        }
        if chance(10) { review.floor = DocumentVersion(Int(random.next() % 60)) }
        return review
    }

    private mutating func observeCanary() {
        // A timer may have fired just before it was cancelled.
        guard timers.contains(.canary) || chance(10) else { return }
        allowed = .rollback(lifecycle.canary?.rollbackTarget)
        var requests = RequestHistory()
        let fails = chance(10)
        for _ in 0..<(random.next() % 30) { requests.append(isFailure: fails) }
        let health = TrackerHealth(counters: TrackerCounters(), requests: requests)
        send(
            .canaryObserved(
                [ExactText("a"): CanaryMonitor.Observation(collectors: ["c"], health: health)],
                reversion: chance(8) ? "another process reverted it" : nil))
        allowed = .nothing
    }

    private mutating func changeUser() {
        let next = Self.scope(of: Int(random.next() % 5))
        let fallback = next.url == lifecycle.scope.url ? nil : fallback(next)
        allowed = .user(fallback)
        if next.url != lifecycle.scope.url { endCacheWait() }
        send(.userChanged(next, fallback: fallback))
        allowed = .nothing
    }

    /// A cached document of the user or of all, the default, or nothing.
    private func fallback(_ scope: UserScope) -> ActiveConfiguration? {
        if chance(10) { return nil }
        if chance(20) { return Self.default }
        let document = documents[Int(random.next() % 20) + Self.defaultVersion]
        let url = chance(50) ? scope.url : scope.sharedURL
        guard !reverted.contains(Key(url: url, version: document.version)) else { return nil }
        return ActiveConfiguration(
            .cached, document, [UInt8(document.version)] + Array(url.utf8), DocumentValidators(entityTag: "c"),
            url: url,
            at: time - 30_000)
    }

    // MARK: - Actions

    private mutating func send(_ event: Lifecycle.Event) {
        let wasStopped = lifecycle.isStopped
        let moment = Lifecycle.Moment(time: time, uptime: .milliseconds(time), random: random)
        let actions = lifecycle.handle(event, at: moment)
        for (index, action) in actions.enumerated() {
            counts[action.name, default: 0] += 1
            if wasStopped {
                guard case .report(let outcome, _, _) = action, outcome.fetchError?.code == .shutDown else {
                    violations.append("\(action.name) after the end")
                    continue
                }
            }
            execute(action, isLast: index == actions.count - 1)
        }
    }

    private mutating func execute(_ action: Lifecycle.Action, isLast: Bool) {
        switch action {
        case .fetch(let fetch):
            if fetches.contains(where: { $0.url == fetch.url }) { violations.append("two fetches of \(fetch.url)") }
            if !lifecycle.isCurrent(fetch.url) { violations.append("a fetch for another user") }
            if isCacheAwaited { violations.append("a fetch before the cached document") }
            fetches.append(fetch)
        case .reconsider(let fetch, _):
            if fetches.contains(where: { $0.url == fetch.url }) { violations.append("a review beside a fetch") }
            fetches.append(fetch)
        case .adopt(let fetch, _):
            if adoptions.contains(where: { $0.switches == lifecycle.switches }) {
                violations.append("two reviews of signals")
            }
            adoptions.append((fetch, lifecycle.switches))
        case .openStream(let number):
            if number <= connection ?? 0 { violations.append("a connection without a number of its own") }
            connection = number
            if chance(30) {
                connection = nil
                send(.streamMissing)
            }
        case .closeStream: connection = nil
        case .apply(let application):
            if !isLast { violations.append("an action after an application") }
            apply(application)
        case .loadCache:
            if isCacheLoading { violations.append("two loads of the cache") }
            isCacheLoading = true
        case .findRollbackTarget(let search):
            if search.canary.state != .cached { violations.append("a resumed canary that was not cached") }
            if chance(50) { answer(search) } else { searches.append(search) }
        case .recordReversion(let configuration, _):
            let key = Key(url: configuration.url ?? "", version: configuration.version ?? 0)
            if !reverted.insert(key).inserted { violations.append("\(key) was rolled back twice") }
        case .startTimer(let timer, let duration):
            if duration <= .zero { violations.append("the timer \(timer) takes no time") }
            timers.insert(timer)
        case .cancelTimer(let timer): timers.remove(timer)
        case .cancelAll: (timers, connection) = ([], nil)
        case .publish(let configuration, _, _):
            if unpublished?.isExactly(configuration) != true { violations.append("an update that was not applied") }
            unpublished = nil
        case .report(let outcome, let url, _):
            if let url { callers[url] = nil }
            if outcome.kind == .applied, let version = outcome.version {
                if unpublished != nil { violations.append("an outcome before its update") }
                if lifecycle.active?.version != version { violations.append("an outcome of another version") }
            }
        case .withdraw: if lifecycle.active != nil { violations.append("an active configuration was withdrawn") }
        case .cache(let configuration, _, _, _):
            if reverted.contains(Key(url: configuration.url ?? "", version: configuration.version ?? 0)) {
                violations.append("a reverted version was cached")
            }
        case .markStale(let isStale):
            if isStale == isMarkedStale { violations.append("a mark of staleness that is there already") }
            isMarkedStale = isStale
        case .enter, .refuse, .recordFleetEvent, .log: break
        }
    }

    private mutating func apply(_ application: Lifecycle.ApplyRequest) {
        let new = application.configuration?.documentVersion
        let active = lifecycle.active
        switch allowed {
        case .nothing: violations.append("an application without a reason")
        case .document(let fetched):
            if new != fetched.document.documentVersion { violations.append("another document was applied") }
            if let objection = fetched.review.objection {
                violations.append("a held document was applied: \(objection.reason)")
            }
            if let floor = fetched.review.floor, let new, new < floor {
                violations.append("\(new) is below the floor")
            }
            if let new, new <= DocumentVersion(Self.defaultVersion) { violations.append("\(new) is below the default") }
            let isSameSource = active?.url == nil || active?.url == application.configuration?.url
            if isSameSource, let old = active?.documentVersion, let new, new <= old {
                violations.append("\(new) was applied over \(old)")
            }
        case .rollback(let target):
            if target == nil || new != target?.documentVersion {
                violations.append("a rollback to \(String(describing: new))")
            }
        case .cached(let cached):
            if new != cached?.documentVersion { violations.append("another cached document was applied") }
            if hasApplied { violations.append("a late cached document was applied over another configuration") }
        case .user(let fallback):
            if new != fallback?.documentVersion { violations.append("another user's configuration was applied") }
        }
        guard !chance(10) else {
            send(.applicationFailed(ConfigurationError(.outOfRange, place: "a", reason: "a tracker failed")))
            if !(lifecycle.active?.isExactly(active) ?? (active == nil)) {
                violations.append("a failed application changed the active configuration")
            }
            return
        }
        hasApplied = true
        unpublished = application.configuration
        send(.applied(Lifecycle.ApplyResult(namespaces: ["a"])))
        if unpublished != nil { violations.append("an application without an update") }
        unpublished = nil
    }

    // MARK: - Rules

    private mutating func check() {
        let isBaking = lifecycle.canary != nil
        if isBaking != timers.contains(.canary) { violations.append("a canary and its timer do not belong together") }
        if let canary = lifecycle.canary {
            if canary.monitor.version != lifecycle.active?.documentVersion || canary.url != lifecycle.active?.url {
                violations.append("the canary is not the active document")
            }
        }
        let isUnderWay = !fetches.isEmpty
        if hasStarted, !lifecycle.isStopped, !timers.contains(.poll), !isUnderWay, !isFetchWaiting {
            violations.append("no poll will follow")
        }
        for url in callers.keys
        where !fetches.contains(where: { $0.url == url }) && !(isFetchWaiting && url == lifecycle.scope.url) {
            violations.append("a caller of \(url) is never answered")
            callers[url] = nil
        }
        if connection != nil, timers.contains(.stream) { violations.append("a connection is open and waited for") }
        let isFetching = fetches.contains { $0.url == lifecycle.scope.url } || isFetchWaiting
        if lifecycle.isFetching != isFetching { violations.append("the state of the fetch is wrong") }
    }
}

extension ConfigurationLifecycle.Action {
    /// The name of the case; to print a document takes long.
    var name: String { Mirror(reflecting: self).children.first?.label ?? "\(self)" }
}

extension ActiveConfiguration {
    /// Whether it is the same configuration, but for its state.
    fileprivate func isExactly(_ other: ActiveConfiguration?) -> Bool {
        url == other?.url && documentVersion == other?.documentVersion && text == other?.text
    }
}
