import FoundationEssentials
import TestSupport
import Testing
import TrackerCore
import TrackerTesting

@testable import TrackerConfig

/// What a setup cannot be brought to from outside: rare orders of events. The simulator has the common ones.
@Suite("The life of a configuration", .endsWhenItHangs)
struct ConfigurationLifecycleTests {
    typealias Lifecycle = ConfigurationLifecycle

    private static let url = "https://config.example/.json"
    private static let rollout = #","rollout":{"percent":100}"#

    private let moment = Lifecycle.Moment(
        time: 1_700_000_000_000, uptime: .seconds(1000), random: SeededRandom(seed: 1))
    private let applied = Lifecycle.Event.applied(Lifecycle.ApplyResult(namespaces: ["a"]))
    private let timeout = Lifecycle.FetchResponse.failed(FetchError(.timeout, reason: "timeout"))
    private let error = ConfigurationError(.outOfRange, place: "a", reason: "too many")

    private func lifecycle(
        _ settings: Lifecycle.Settings = Lifecycle.Settings(), user: String? = nil, active: ActiveConfiguration? = nil
    ) -> Lifecycle {
        Lifecycle(settings, scope: scope(of: user), active: active)
    }

    private func scope(of user: String?) -> UserScope {
        UserScope(user: user, url: "https://config.example/\(user ?? "").json", sharedURL: Self.url)
    }

    private func cached(_ version: Int, of user: String? = nil, more: String = "") throws -> ActiveConfiguration {
        let bytes = Array(DocumentText.document(version, more: more).utf8)
        return ActiveConfiguration(
            .cached, try Document(bytes), bytes, DocumentValidators(entityTag: "c"), url: scope(of: user).url,
            at: moment.time)
    }

    private func names(_ actions: [Lifecycle.Action]) -> [String] { actions.map(\.name) }

    private func search(_ actions: [Lifecycle.Action]) -> Lifecycle.RollbackSearch? {
        for case .findRollbackTarget(let search) in actions { return search }
        return nil
    }

    /// Ends a fetch.
    private func end(_ answer: Lifecycle.FetchResponse, _ lifecycle: inout Lifecycle) {
        _ = lifecycle.handle(.refreshRequested, at: moment)
        let fetch = Lifecycle.Fetch(url: lifecycle.scope.url, validators: nil, held: nil)
        _ = lifecycle.handle(.fetched(fetch, answer), at: moment)
    }

    private func end(
        with version: Int, _ review: Lifecycle.Review, _ lifecycle: inout Lifecycle, more: String = ""
    ) throws {
        let bytes = Array(DocumentText.document(version, more: more).utf8)
        let fetched = Lifecycle.FetchedConfiguration(
            document: try Document(bytes),
            source: FetchedDocument(bytes, validators: DocumentValidators(entityTag: "t")), review: review)
        end(.document(fetched), &lifecycle)
    }

    /// Applies a version from its fetch on.
    private func apply(
        _ version: Int, _ lifecycle: inout Lifecycle, more: String = "", canRollBack: Bool = true
    ) throws {
        try end(with: version, Lifecycle.Review(canRollBack: canRollBack), &lifecycle, more: more)
        _ = lifecycle.handle(applied, at: moment)
        #expect(lifecycle.active?.version == version)
    }

    /// Switches to a user, whose configuration is applied.
    private func change(to user: String, _ fallback: ActiveConfiguration?, _ lifecycle: inout Lifecycle)
        -> [Lifecycle.Action]
    {
        _ = lifecycle.handle(.userChanged(scope(of: user), fallback: fallback), at: moment)
        return lifecycle.handle(applied, at: moment)
    }

    @Test("a rollback that cannot be applied leaves the canary's document active and says so")
    func failsToRollBack() throws {
        var lifecycle = lifecycle()
        try apply(1, &lifecycle)
        try apply(2, &lifecycle, more: Self.rollout)
        _ = lifecycle.handle(.canaryObserved([:], reversion: "bad"), at: moment)
        #expect(names(lifecycle.handle(.applicationFailed(error), at: moment)) == ["log"])
        #expect(lifecycle.active?.version == 2)
        #expect(lifecycle.canary == nil)
        let change = try #require(lifecycle.history.changes.first)
        #expect((change.kind, change.version, change.needsAttention) == (.rollbackFailed, 2, true))
        #expect(change.text == "version 2 failed (bad) and stays in use, because the rollback failed: a: too many")
        #expect(stateAfterBakeTime(lifecycle) == NamedCode<RolloutStatus>.none)
        // Another version that passes is not marked by it.
        try apply(3, &lifecycle, more: Self.rollout)
        #expect(stateAfterBakeTime(lifecycle) == .baking)
    }

    /// The state of the rollout long after its bake time.
    private func stateAfterBakeTime(_ lifecycle: Lifecycle) -> NamedCode<RolloutStatus>? {
        let time = Date(milliseconds: moment.time + 1_000_000_000)
        return RolloutStatus(lifecycle, instanceID: "i")?.at(time, left: nil).state
    }

    @Test("a switch of users notes nothing of a document that stays, nor hides its rollback")
    func staysReverted() throws {
        var lifecycle = lifecycle()
        try apply(1, &lifecycle)
        try apply(2, &lifecycle, more: Self.rollout)
        _ = lifecycle.handle(.canaryObserved([:], reversion: "bad"), at: moment)
        _ = lifecycle.handle(applied, at: moment)
        let changes = lifecycle.history.changes
        #expect(changes.first?.kind == .reverted)
        for user in ["ann", "bob"] {
            _ = try change(to: user, cached(1), &lifecycle)
            #expect(lifecycle.scope.user == user)
            #expect(lifecycle.history.changes == changes)
            #expect(lifecycle.active?.state == .reverted)
        }
    }

    @Test("a rollback of a user's own document is over for the next user, also if the document for all stays")
    func formerRollback() throws {
        var lifecycle = try lifecycle(user: "ann", active: cached(1))
        try apply(2, &lifecycle, more: Self.rollout)
        _ = lifecycle.handle(.canaryObserved([:], reversion: "bad"), at: moment)
        _ = lifecycle.handle(applied, at: moment)
        #expect((lifecycle.active?.state, lifecycle.active?.version) == (.reverted, 1))
        _ = try change(to: "bob", cached(1), &lifecycle)
        #expect(lifecycle.history.changes.first?.kind == .applied)
        #expect(lifecycle.active?.state == .cached)
    }

    @Test("a canary of the document for all never goes back to the former user's document")
    func foreignTarget() throws {
        let canary = try cached(2, more: Self.rollout)
        var lifecycle = lifecycle(user: "ann", active: canary)
        let (own, shared) = try (cached(1, of: "ann"), cached(1))
        let first = try #require(search(lifecycle.handle(.started, at: moment)))
        _ = lifecycle.handle(.rollbackTargetFound(Lifecycle.RollbackTarget(configuration: own), first), at: moment)
        #expect(lifecycle.canary?.rollbackTarget === own)
        let actions = change(to: "bob", canary, &lifecycle)
        let second = try #require(search(actions))
        #expect(lifecycle.canary == nil)
        // What bob can go back to is found anew.
        _ = lifecycle.handle(.rollbackTargetFound(Lifecycle.RollbackTarget(configuration: shared), second), at: moment)
        #expect(lifecycle.canary?.rollbackTarget === shared)
    }

    @Test("a rollback target that was found for a former user is searched again")
    func formerRollbackTarget() throws {
        let canary = try cached(2, more: Self.rollout)
        var lifecycle = lifecycle(user: "ann", active: canary)
        let first = try #require(search(lifecycle.handle(.started, at: moment)))
        _ = change(to: "bob", canary, &lifecycle)
        let actions = lifecycle.handle(.rollbackTargetFound(Lifecycle.RollbackTarget(), first), at: moment)
        #expect(names(actions) == ["findRollbackTarget"])
    }

    @Test("a rollback target that is found after another document was applied begins no canary")
    func lateRollbackTarget() throws {
        let target = Lifecycle.RollbackTarget(
            configuration: ActiveConfiguration(DefaultConfiguration(bundles: []), version: 1, at: 0))
        for isReplaced in [true, false] {
            var lifecycle = try lifecycle(active: cached(2, more: Self.rollout))
            let found = try #require(search(lifecycle.handle(.started, at: moment)))
            if isReplaced { try apply(3, &lifecycle, more: Self.rollout, canRollBack: false) }
            _ = lifecycle.handle(.rollbackTargetFound(target, found), at: moment)
            #expect((lifecycle.canary == nil) == isReplaced)
            // An answer that comes twice changes nothing.
            #expect(lifecycle.handle(.rollbackTargetFound(target, found), at: moment).isEmpty)
        }
    }

    @Test("for how long fetches fail does not depend on how the clock is set meanwhile", arguments: [3600, -3600])
    func outageOfSetClock(step: Int64) throws {
        var lifecycle = lifecycle(Lifecycle.Settings(pollInterval: .seconds(60)))
        _ = lifecycle.handle(.started, at: moment)
        end(timeout, &lifecycle)
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
        end(timeout, &lifecycle)
        let ann = UserScope(user: "ann", url: Self.url, sharedURL: Self.url)
        _ = lifecycle.handle(.userChanged(ann, fallback: nil), at: moment)
        #expect(lifecycle.scope == ann)
        end(timeout, &lifecycle)
        #expect(lifecycle.history.outage(at: moment.clocks)?.tries == 2)
        _ = change(to: "bob", nil, &lifecycle)
        #expect(lifecycle.history.outage(at: moment.clocks) == nil)
    }

    @Test("a document that is held back is forgotten if the next one cannot be used")
    func rejectedAfterHeld() throws {
        var lifecycle = lifecycle()
        try apply(1, &lifecycle)
        let objection = HoldReason(.notSelected, "it is for others")
        try end(with: 2, Lifecycle.Review(objection: objection), &lifecycle, more: #","rollout":{"percent":0}"#)
        #expect(RolloutStatus(lifecycle, instanceID: "i")?.version == 2)
        end(.rejected(error), &lifecycle)
        #expect(lifecycle.heldState.document == nil)
        #expect(RolloutStatus(lifecycle, instanceID: "i") == nil)
    }

    @Test("the rates of a canary are not those of another user's document of the same version")
    func rates() throws {
        var lifecycle = lifecycle()
        try apply(1, &lifecycle)
        try apply(2, &lifecycle, more: Self.rollout)
        let history = RequestHistory(failures: [true])
        let trackers = [ExactText("a"): CanaryMonitor.Observation(TrackerStatus(namespace: "a"), at: "c", history)]
        _ = lifecycle.handle(.canaryObserved(trackers, reversion: nil), at: moment)
        #expect(RolloutStatus(lifecycle, instanceID: "i")?.trackers.keys.sorted() == ["a"])
        _ = try change(to: "ann", cached(2, of: "ann", more: Self.rollout), &lifecycle)
        #expect(lifecycle.active?.url == scope(of: "ann").url)
        #expect(RolloutStatus(lifecycle, instanceID: "i")?.trackers == [:])
    }

    @Test("a cached document that cannot be applied is logged, and the fetch begins")
    func badCache() throws {
        var lifecycle = lifecycle(Lifecycle.Settings(cacheTimeout: .seconds(1)))
        _ = lifecycle.handle(.started, at: moment)
        _ = lifecycle.handle(.cacheLoaded(try cached(2)), at: moment)
        #expect(names(lifecycle.handle(.applicationFailed(error), at: moment)) == ["log", "cancelTimer", "fetch"])
        #expect(lifecycle.active == nil)
        let change = try #require(lifecycle.history.last(.rejected))
        #expect((change.version, change.needsAttention) == (2, true))
        #expect(change.text == "the cached document of version 2 cannot be applied: a: too many")
    }

    @Test("a switch of users begins the fetch of the former user, and their cached document is not applied")
    func switchesWhileWaiting() throws {
        var lifecycle = lifecycle(Lifecycle.Settings(cacheTimeout: .seconds(1)))
        _ = lifecycle.handle(.started, at: moment)
        let actions = lifecycle.handle(.userChanged(scope(of: "ann"), fallback: nil), at: moment)
        #expect(names(actions) == ["cancelTimer", "fetch", "apply"])
        if case .fetch(let fetch) = actions[1] { #expect(fetch.url == Self.url) }
        _ = lifecycle.handle(applied, at: moment)
        #expect(lifecycle.handle(.cacheLoaded(try cached(2)), at: moment).isEmpty)
    }
}
