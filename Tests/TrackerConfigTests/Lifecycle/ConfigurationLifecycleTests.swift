import FoundationEssentials
import TestSupport
import Testing
import TrackerCore
import TrackerTesting

@testable import TrackerConfig

/// The state machine alone, without an updater.
@Suite("The life of a configuration")
struct ConfigurationLifecycleTests {
    typealias Lifecycle = ConfigurationLifecycle

    private static let url = "https://config.example/.json"
    private let moment = Lifecycle.Moment(
        time: 1_700_000_000_000, uptime: .seconds(1000), random: SeededRandom(seed: 1))

    private func lifecycle(_ settings: Lifecycle.Settings = Lifecycle.Settings()) -> Lifecycle {
        Lifecycle(settings, scope: UserScope(user: nil, url: Self.url, sharedURL: Self.url), active: nil)
    }

    private func fetched(
        _ version: Int, tag: String? = nil, more: String = ""
    ) throws -> Lifecycle.FetchedConfiguration {
        let bytes = Array(DocumentText.document(version, more: more).utf8)
        return Lifecycle.FetchedConfiguration(
            document: try Document(bytes),
            source: FetchedDocument(bytes, validators: DocumentValidators(entityTag: tag)))
    }

    private func names(_ actions: [Lifecycle.Action]) -> [String] { actions.map(\.name) }

    /// Applies a version from its fetch on.
    private func apply(
        _ version: Int, _ lifecycle: inout Lifecycle, more: String = "", canRollBack: Bool = true
    ) throws {
        let fetched = try fetched(version, more: more)
        _ = lifecycle.handle(.refreshRequested, at: moment)
        let fetch = Lifecycle.Fetch(url: Self.url, validators: nil, held: nil)
        let review = Lifecycle.Review(canRollBack: canRollBack)
        _ = lifecycle.handle(.fetched(fetch, .document(fetched.with(review))), at: moment)
        _ = lifecycle.handle(.applied(Lifecycle.ApplyResult(namespaces: ["a"])), at: moment)
        #expect(lifecycle.active?.version == version)
    }

    @Test("100,000 random events break no rule", arguments: [1, 2, 3, 4] as [UInt64])
    func walk(seed: UInt64) throws {
        let random = SeededRandom(seed: seed)
        let documents = try LifecycleWalk.documents()
        var counts: [String: Int] = [:]
        for life in 0..<60 {
            var walk = LifecycleWalk(documents, random: random)
            for _ in 0..<480 { walk.step() }
            walk.stop()
            for _ in 0..<20 { walk.step() }
            try #require(walk.violations.isEmpty, "seed \(seed), life \(life): \(walk.violations.prefix(5))")
            counts.merge(walk.counts, uniquingKeysWith: +)
        }
        // A walk that avoids a kind of action proves nothing about it.
        let all = [
            "fetch", "apply", "cache", "findRollbackTarget", "recordReversion", "startTimer", "cancelTimer",
            "cancelAll", "enter", "refuse", "publish", "withdraw", "recordFleetEvent", "report",
            "log", "loadCache", "openStream", "closeStream", "adopt",
        ]
        for name in all { #expect(counts[name, default: 0] >= 20, "\(name)") }
        for name in ["reconsider", "markStale"] { #expect(counts[name, default: 0] >= 5, "\(name)") }
    }

    @Test("a document that could be applied is cached, published and reported, in this order")
    func applies() throws {
        var lifecycle = lifecycle()
        let fetched = try fetched(1)
        #expect(names(lifecycle.handle(.started, at: moment)) == ["fetch", "openStream"])
        let fetch = Lifecycle.Fetch(url: Self.url, validators: nil, held: nil)
        #expect(lifecycle.isFetching)
        #expect(names(lifecycle.handle(.fetched(fetch, .document(fetched)), at: moment)) == ["apply"])
        #expect(lifecycle.active == nil)
        let actions = lifecycle.handle(.applied(Lifecycle.ApplyResult(namespaces: ["a"])), at: moment)
        #expect(names(actions) == ["cache", "startTimer", "recordFleetEvent", "publish", "report"])
        #expect(lifecycle.active?.version == 1)
        #expect(!lifecycle.isFetching)
    }

    @Test("a document that is not newer is reported")
    func unchanged() throws {
        var lifecycle = lifecycle()
        try apply(2, &lifecycle)
        _ = lifecycle.handle(.refreshRequested, at: moment)
        let fetch = Lifecycle.Fetch(url: Self.url, validators: nil, held: nil)
        let actions = lifecycle.handle(.fetched(fetch, .document(try fetched(1))), at: moment)
        guard case .report(.stale(version: 1), _, _)? = actions.first else {
            Issue.record("\(names(actions))")
            return
        }
        #expect(lifecycle.active?.version == 2)
    }

    @Test("a refresh joins the fetch that is under way")
    func joins() {
        var lifecycle = lifecycle()
        #expect(names(lifecycle.handle(.refreshRequested, at: moment)) == ["fetch"])
        #expect(lifecycle.handle(.refreshRequested, at: moment).isEmpty)
        #expect(names(lifecycle.handle(.started, at: moment)) == ["openStream"])
    }

    @Test("a bad canary is rolled back once")
    func rollsBack() throws {
        var lifecycle = lifecycle()
        try apply(1, &lifecycle)
        try apply(2, &lifecycle, more: #","rollout":{"percent":100}"#)
        #expect(lifecycle.canary?.rollbackTarget.version == 1)
        let actions = lifecycle.handle(.canaryObserved([:], reversion: "bad"), at: moment)
        #expect(names(actions) == ["cancelTimer", "recordReversion", "apply"])
        #expect(lifecycle.handle(.canaryObserved([:], reversion: "bad"), at: moment).isEmpty)
        let after = lifecycle.handle(.applied(Lifecycle.ApplyResult(namespaces: ["a"])), at: moment)
        #expect(names(after) == ["recordFleetEvent", "publish"])
        #expect(lifecycle.active?.version == 1)
        #expect(lifecycle.active?.state == .reverted)
    }

    @Test("a rollback that cannot be applied leaves the canary's document active and says so")
    func failsToRollBack() throws {
        var lifecycle = lifecycle()
        try apply(1, &lifecycle)
        try apply(2, &lifecycle, more: #","rollout":{"percent":100}"#)
        _ = lifecycle.handle(.canaryObserved([:], reversion: "bad"), at: moment)
        let error = ConfigurationError(.outOfRange, place: "a", reason: "too many")
        #expect(names(lifecycle.handle(.applicationFailed(error), at: moment)) == ["log"])
        #expect(lifecycle.active?.version == 2)
        #expect(lifecycle.canary == nil)
        let change = try #require(lifecycle.history.changes.first)
        #expect((change.kind, change.version, change.needsAttention) == (.rollbackFailed, 2, true))
        #expect(change.text == "version 2 failed (bad) and stays in use, because the rollback failed: a: too many")
        #expect(stateAfterBakeTime(lifecycle) == NamedCode<RolloutStatus>.none)
        // Another version that passes is not marked by it.
        try apply(3, &lifecycle, more: #","rollout":{"percent":100}"#)
        #expect(stateAfterBakeTime(lifecycle) == .baking)
    }

    /// The state of the rollout long after its bake time.
    private func stateAfterBakeTime(_ lifecycle: Lifecycle) -> NamedCode<RolloutStatus>? {
        let time = Date(milliseconds: moment.time + 1_000_000_000)
        return RolloutStatus(lifecycle, instanceID: "i")?.at(time, left: nil).state
    }

    @Test("a canary that was never watched has not passed after its bake time")
    func neverWatched() throws {
        var lifecycle = lifecycle()
        try apply(2, &lifecycle, more: #","rollout":{"percent":100}"#, canRollBack: false)
        #expect(stateAfterBakeTime(lifecycle) == NamedCode<RolloutStatus>.none)
    }

    private func scope(of user: String) -> UserScope {
        UserScope(user: user, url: "https://config.example/\(user).json", sharedURL: Self.url)
    }

    @Test("a switch of users notes nothing of a document that stays, nor hides its rollback")
    func staysReverted() throws {
        var lifecycle = lifecycle()
        try apply(1, &lifecycle)
        try apply(2, &lifecycle, more: #","rollout":{"percent":100}"#)
        _ = lifecycle.handle(.canaryObserved([:], reversion: "bad"), at: moment)
        _ = lifecycle.handle(applied, at: moment)
        let changes = lifecycle.history.changes
        #expect(changes.first?.kind == .reverted)
        for user in ["ann", "bob"] {
            _ = lifecycle.handle(.userChanged(scope(of: user), fallback: try cached(1)), at: moment)
            _ = lifecycle.handle(applied, at: moment)
            #expect(lifecycle.scope.user == user)
            #expect(lifecycle.history.changes == changes)
            #expect(lifecycle.active?.state == .reverted)
        }
    }

    @Test("a rollback of a user's own document is over for the next user, also if the document for all stays")
    func formerRollback() throws {
        let ann = scope(of: "ann")
        var lifecycle = Lifecycle(Lifecycle.Settings(), scope: ann, active: try cached(1))
        let fetched = try fetched(2, more: #","rollout":{"percent":100}"#)
        let fetch = Lifecycle.Fetch(url: ann.url, validators: nil, held: nil)
        _ = lifecycle.handle(.refreshRequested, at: moment)
        let reviewed = fetched.with(Lifecycle.Review(canRollBack: true))
        _ = lifecycle.handle(.fetched(fetch, .document(reviewed)), at: moment)
        _ = lifecycle.handle(applied, at: moment)
        _ = lifecycle.handle(.canaryObserved([:], reversion: "bad"), at: moment)
        _ = lifecycle.handle(applied, at: moment)
        #expect((lifecycle.active?.state, lifecycle.active?.version) == (.reverted, 1))
        _ = lifecycle.handle(.userChanged(scope(of: "bob"), fallback: try cached(1)), at: moment)
        _ = lifecycle.handle(applied, at: moment)
        #expect(lifecycle.history.changes.first?.kind == .applied)
        #expect(lifecycle.active?.state == .cached)
    }

    @Test("a canary of the document for all never goes back to the former user's document")
    func foreignTarget() throws {
        let canary = try cached(2, more: #","rollout":{"percent":100}"#)
        var lifecycle = Lifecycle(Lifecycle.Settings(), scope: scope(of: "ann"), active: canary)
        let bytes = Array(DocumentText.document(1).utf8)
        let own = ActiveConfiguration(
            .cached, try Document(bytes), bytes, DocumentValidators(), url: scope(of: "ann").url, at: moment.time)
        func search(_ actions: [Lifecycle.Action]) -> Lifecycle.RollbackSearch? {
            for case .findRollbackTarget(let search) in actions { return search }
            return nil
        }
        let first = try #require(search(lifecycle.handle(.started, at: moment)))
        _ = lifecycle.handle(.rollbackTargetFound(Lifecycle.RollbackTarget(configuration: own), first), at: moment)
        #expect(lifecycle.canary?.rollbackTarget === own)
        _ = lifecycle.handle(.userChanged(scope(of: "bob"), fallback: canary), at: moment)
        let second = try #require(search(lifecycle.handle(applied, at: moment)))
        #expect(lifecycle.canary == nil)
        // What bob can go back to is found anew.
        let shared = try cached(1)
        _ = lifecycle.handle(.rollbackTargetFound(Lifecycle.RollbackTarget(configuration: shared), second), at: moment)
        #expect(lifecycle.canary?.rollbackTarget === shared)
    }

    /// Ends a fetch.
    private func end(_ answer: Lifecycle.FetchResponse, _ lifecycle: inout Lifecycle) {
        _ = lifecycle.handle(.refreshRequested, at: moment)
        let fetch = Lifecycle.Fetch(url: lifecycle.scope.url, validators: nil, held: nil)
        _ = lifecycle.handle(.fetched(fetch, answer), at: moment)
    }

    private func outage(_ lifecycle: Lifecycle) -> FetchOutage? {
        lifecycle.history.outage(at: moment.clocks)
    }

    @Test("for how long fetches fail does not depend on how the clock is set meanwhile", arguments: [3600, -3600])
    func outageOfSetClock(step: Int64) throws {
        var lifecycle = lifecycle(Lifecycle.Settings(pollInterval: .seconds(60)))
        _ = lifecycle.handle(.started, at: moment)
        end(.failed(FetchError(.timeout, reason: "timeout")), &lifecycle)
        let now = ClockReading(time: moment.time + (step + 10) * 1000, uptime: moment.uptime + .seconds(10))
        let outage = try #require(lifecycle.history.outage(at: now))
        #expect(outage.since == Date(milliseconds: now.time - 10_000))
        let next = try #require(lifecycle.history.nextPoll)
        // The clocks are rounded to milliseconds each for itself.
        #expect(abs(next.time(seenAt: now) - now.time - (next.time - moment.time - 10_000)) <= 1)
    }

    @Test("an outage of a URL goes on for the next user of the same URL, and is forgotten with the URL")
    func outage() throws {
        var lifecycle = lifecycle()
        end(.failed(FetchError(.timeout, reason: "timeout")), &lifecycle)
        let ann = UserScope(user: "ann", url: Self.url, sharedURL: Self.url)
        _ = lifecycle.handle(.userChanged(ann, fallback: nil), at: moment)
        #expect(lifecycle.scope == ann)
        end(.failed(FetchError(.timeout, reason: "timeout")), &lifecycle)
        #expect(outage(lifecycle)?.tries == 2)
        _ = lifecycle.handle(.userChanged(scope(of: "bob"), fallback: nil), at: moment)
        _ = lifecycle.handle(applied, at: moment)
        #expect(outage(lifecycle) == nil)
    }

    @Test("a document that is held back is forgotten if the next one cannot be used")
    func rejectedAfterHeld() throws {
        var lifecycle = lifecycle()
        try apply(1, &lifecycle)
        let fetched = try fetched(2, tag: "t", more: #","rollout":{"percent":0}"#)
        let review = Lifecycle.Review(objection: HoldReason(.notSelected, "it is for others"))
        end(.document(fetched.with(review)), &lifecycle)
        #expect(RolloutStatus(lifecycle, instanceID: "i")?.version == 2)
        end(.rejected(ConfigurationError(.outOfRange, place: "a", reason: "bad")), &lifecycle)
        #expect(lifecycle.heldState.document == nil)
        #expect(RolloutStatus(lifecycle, instanceID: "i") == nil)
    }

    @Test("the rates of a canary are not those of another user's document of the same version")
    func rates() throws {
        let rollout = #","rollout":{"percent":100}"#
        var lifecycle = lifecycle()
        try apply(1, &lifecycle)
        try apply(2, &lifecycle, more: rollout)
        let health = TrackerHealth(counters: TrackerCounters(), requests: RequestHistory(failures: [true]))
        let trackers = [ExactText("a"): CanaryMonitor.Observation(collectors: ["c"], health: health)]
        _ = lifecycle.handle(.canaryObserved(trackers, reversion: nil), at: moment)
        #expect(RolloutStatus(lifecycle, instanceID: "i")?.trackers.keys.sorted() == ["a"])
        let ann = scope(of: "ann")
        let bytes = Array(DocumentText.document(2, more: rollout).utf8)
        let own = ActiveConfiguration(
            .cached, try Document(bytes), bytes, DocumentValidators(), url: ann.url, at: moment.time)
        _ = lifecycle.handle(.userChanged(ann, fallback: own), at: moment)
        _ = lifecycle.handle(applied, at: moment)
        #expect(lifecycle.active?.url == ann.url)
        #expect(RolloutStatus(lifecycle, instanceID: "i")?.trackers == [:])
    }

    @Test("after the end a fetch that was under way is answered, and nothing else happens")
    func stops() throws {
        var lifecycle = lifecycle(Lifecycle.Settings(pollInterval: .seconds(60)))
        _ = lifecycle.handle(.started, at: moment)
        #expect(names(lifecycle.handle(.stopped, at: moment)) == ["cancelAll"])
        #expect(lifecycle.handle(.stopped, at: moment).isEmpty)
        #expect(lifecycle.handle(.pollElapsed, at: moment).isEmpty)
        #expect(lifecycle.handle(.refreshRequested, at: moment).isEmpty)
        let fetch = Lifecycle.Fetch(url: Self.url, validators: nil, held: nil)
        let actions = lifecycle.handle(.fetched(fetch, .document(try fetched(1))), at: moment)
        #expect(names(actions) == ["report"])
        #expect(names(lifecycle.handle(.refreshRequested, at: moment)) == ["report"])
        #expect(lifecycle.active == nil)
    }

    private func cached(_ version: Int, more: String = "") throws -> ActiveConfiguration {
        let bytes = Array(DocumentText.document(version, more: more).utf8)
        return ActiveConfiguration(
            .cached, try Document(bytes), bytes, DocumentValidators(entityTag: "c"), url: Self.url, at: moment.time)
    }

    private let applied = Lifecycle.Event.applied(Lifecycle.ApplyResult(namespaces: ["a"]))

    @Test("the first fetch waits for the cached document, and is conditional by it")
    func awaitsCache() throws {
        var lifecycle = lifecycle(Lifecycle.Settings(cacheTimeout: .seconds(1)))
        #expect(lifecycle.handle(.refreshRequested, at: moment).isEmpty)
        #expect(names(lifecycle.handle(.started, at: moment)) == ["loadCache", "startTimer", "openStream"])
        #expect(lifecycle.isFetching)
        #expect(names(lifecycle.handle(.cacheLoaded(try cached(2)), at: moment)) == ["apply"])
        let actions = lifecycle.handle(applied, at: moment)
        #expect(names(actions) == ["startTimer", "recordFleetEvent", "publish", "cancelTimer", "fetch"])
        guard case .fetch(let fetch)? = actions.last else { return }
        #expect(fetch.validators?.entityTag == "c")
        #expect(lifecycle.handle(.cacheTimedOut, at: moment).isEmpty)
        #expect(lifecycle.handle(.cacheLoaded(try cached(3)), at: moment).isEmpty)
    }

    @Test("a cached document that comes after the wait is applied, but never over another one")
    func lateCache() throws {
        for isApplied in [true, false] {
            var lifecycle = lifecycle(Lifecycle.Settings(cacheTimeout: .seconds(1)))
            _ = lifecycle.handle(.started, at: moment)
            #expect(names(lifecycle.handle(.cacheTimedOut, at: moment)) == ["cancelTimer", "fetch"])
            if isApplied { try apply(1, &lifecycle) }
            let actions = lifecycle.handle(.cacheLoaded(try cached(2)), at: moment)
            #expect(names(actions) == (isApplied ? [] : ["apply"]))
        }
    }

    @Test("a cached document that cannot be applied is logged, and the fetch begins")
    func badCache() throws {
        var lifecycle = lifecycle(Lifecycle.Settings(cacheTimeout: .seconds(1)))
        _ = lifecycle.handle(.started, at: moment)
        _ = lifecycle.handle(.cacheLoaded(try cached(2)), at: moment)
        let error = ConfigurationError(.outOfRange, place: "a", reason: "too many")
        #expect(names(lifecycle.handle(.applicationFailed(error), at: moment)) == ["log", "cancelTimer", "fetch"])
        #expect(lifecycle.active == nil)
        let change = try #require(lifecycle.history.last(.rejected))
        #expect((change.version, change.needsAttention) == (2, true))
        #expect(change.text == "the cached document of version 2 cannot be applied: a: too many")
    }

    @Test("a shutdown answers the fetch that waits for the cached document")
    func stopsWaiting() {
        var lifecycle = lifecycle(Lifecycle.Settings(cacheTimeout: .seconds(1)))
        _ = lifecycle.handle(.refreshRequested, at: moment)
        #expect(names(lifecycle.handle(.stopped, at: moment)) == ["cancelAll", "report"])
        #expect(lifecycle.handle(.cacheLoaded(nil), at: moment).isEmpty)
    }

    @Test("a switch of users begins the fetch of the former user, and their cached document is not applied")
    func switchesWhileWaiting() throws {
        var lifecycle = lifecycle(Lifecycle.Settings(cacheTimeout: .seconds(1)))
        _ = lifecycle.handle(.started, at: moment)
        let next = UserScope(user: "u", url: "https://config.example/u.json", sharedURL: Self.url)
        let actions = lifecycle.handle(.userChanged(next, fallback: nil), at: moment)
        #expect(names(actions) == ["cancelTimer", "fetch", "apply"])
        if case .fetch(let fetch) = actions[1] { #expect(fetch.url == Self.url) }
        _ = lifecycle.handle(applied, at: moment)
        #expect(lifecycle.handle(.cacheLoaded(try cached(2)), at: moment).isEmpty)
    }

    @Test("a rollback target that is found after another document was applied begins no canary")
    func lateRollbackTarget() throws {
        let target = Lifecycle.RollbackTarget(
            configuration: ActiveConfiguration(DefaultConfiguration(bundles: []), version: 1, at: 0))
        for isReplaced in [true, false] {
            let rollout = #","rollout":{"percent":100}"#
            let canary = try cached(2, more: rollout)
            let scope = UserScope(user: nil, url: Self.url, sharedURL: Self.url)
            var lifecycle = Lifecycle(Lifecycle.Settings(), scope: scope, active: canary)
            let actions = lifecycle.handle(.started, at: moment)
            guard case .findRollbackTarget(let search) = actions[1] else {
                Issue.record("\(names(actions))")
                return
            }
            if isReplaced { try apply(3, &lifecycle, more: rollout, canRollBack: false) }
            _ = lifecycle.handle(.rollbackTargetFound(target, search), at: moment)
            #expect((lifecycle.canary == nil) == isReplaced)
            // An answer that comes twice changes nothing.
            #expect(lifecycle.handle(.rollbackTargetFound(target, search), at: moment).isEmpty)
        }
    }

    @Test("a rollback target that was found for a former user is searched again")
    func formerRollbackTarget() throws {
        let canary = try cached(2, more: #","rollout":{"percent":100}"#)
        let (ann, bob) = (
            UserScope(user: "ann", url: "https://config.example/ann.json", sharedURL: Self.url),
            UserScope(user: "bob", url: "https://config.example/bob.json", sharedURL: Self.url)
        )
        var lifecycle = Lifecycle(Lifecycle.Settings(), scope: ann, active: canary)
        guard case .findRollbackTarget(let search) = lifecycle.handle(.started, at: moment)[1] else { return }
        _ = lifecycle.handle(.userChanged(bob, fallback: canary), at: moment)
        _ = lifecycle.handle(applied, at: moment)
        let actions = lifecycle.handle(.rollbackTargetFound(Lifecycle.RollbackTarget(), search), at: moment)
        #expect(names(actions) == ["findRollbackTarget"])
    }
}
