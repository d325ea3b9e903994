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

    private static let rollout = #","rollout":{"percent":100}"#

    private let moment = Lifecycle.Moment(
        time: 1_700_000_000_000, uptime: .seconds(1000), random: SeededRandom(seed: 1))
    private let applied = Lifecycle.Event.applied(Lifecycle.ApplyResult(namespaces: ["a"]))
    private let error = ConfigurationError(.outOfRange, place: "a", reason: "too many")

    private func lifecycle(_ settings: Lifecycle.Settings = Lifecycle.Settings()) -> Lifecycle {
        Lifecycle(settings, active: nil)
    }

    private func names(_ actions: [Lifecycle.Action]) -> [String] { actions.map(\.name) }

    /// Ends a fetch.
    private func end(_ answer: Lifecycle.FetchResponse, _ lifecycle: inout Lifecycle) {
        _ = lifecycle.handle(.refreshRequested, at: moment)
        let fetch = Lifecycle.Fetch(validators: nil, held: nil)
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
}
