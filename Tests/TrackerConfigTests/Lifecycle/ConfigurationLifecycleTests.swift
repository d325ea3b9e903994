import FoundationEssentials
import TestSupport
import Testing
import TrackerFeatures
import TrackerTesting

@testable import TrackerConfig

/// What a setup cannot be brought to from outside: rare orders of events. The simulator has the common ones.
@Suite("The life of a configuration", .endsWhenItHangs)
struct ConfigurationLifecycleTests {
    typealias Lifecycle = ConfigurationLifecycle

    private static let rollout = #","rollout":{"percent":100}"#

    private let host = RecordingHost()
    private let error = ConfigurationError(.outOfRange, place: "a", reason: "too many")

    /// Ends a fetch.
    private func end(_ answer: Lifecycle.FetchResponse, _ lifecycle: inout Lifecycle) {
        lifecycle.refresh(host)
        lifecycle.fetched(lifecycle.nextFetch, answer, host)
    }

    /// Ends a fetch with a version.
    private func end(
        with version: Int, _ lifecycle: inout Lifecycle,
        _ review: Lifecycle.Review = Lifecycle.Review(canRollBack: true), more: String = ""
    ) throws {
        let bytes = Array(DocumentText.document(version, more: more).utf8)
        let fetched = Lifecycle.FetchedConfiguration(
            document: try Document(bytes),
            source: FetchedDocument(bytes, validators: DocumentValidators(entityTag: "t")), review: review)
        end(.document(fetched), &lifecycle)
    }

    @Test("a rollback that cannot be applied leaves the canary's document active and says so")
    func failsToRollBack() throws {
        var lifecycle = Lifecycle(Lifecycle.Settings())
        try end(with: 1, &lifecycle)
        try end(with: 2, &lifecycle, more: Self.rollout)
        host.lines = []
        host.refusal = error
        lifecycle.observed([:], reversion: "bad", host)
        host.refusal = nil
        #expect(host.lines.count == 1 && host.publications == 2)
        #expect(lifecycle.active?.version == 2)
        #expect(lifecycle.canary == nil)
        let change = try #require(lifecycle.history.changes.first)
        #expect((change.kind, change.version, change.needsAttention) == (.rollbackFailed, 2, true))
        #expect(change.text == "version 2 failed (bad) and stays in use, because the rollback failed: a: too many")
        #expect(stateAfterBakeTime(lifecycle) == NamedCode<RolloutStatus>.none)
        // Another version that passes is not marked by it.
        try end(with: 3, &lifecycle, more: Self.rollout)
        #expect(stateAfterBakeTime(lifecycle) == .baking)
    }

    /// The state of the rollout long after its bake time.
    private func stateAfterBakeTime(_ lifecycle: Lifecycle) -> NamedCode<RolloutStatus>? {
        let time = Date(milliseconds: host.moment.time + 1_000_000_000)
        return RolloutStatus(lifecycle, instanceID: "i")?.at(time, left: nil).state
    }

    @Test("a document that is held back is forgotten if the next one cannot be used")
    func rejectedAfterHeld() throws {
        var lifecycle = Lifecycle(Lifecycle.Settings())
        try end(with: 1, &lifecycle)
        let objection = HoldReason(.notSelected, "it is for others")
        try end(with: 2, &lifecycle, Lifecycle.Review(objection: objection), more: #","rollout":{"percent":0}"#)
        #expect(RolloutStatus(lifecycle, instanceID: "i")?.version == 2)
        end(.rejected(error), &lifecycle)
        #expect(lifecycle.heldState.document == nil)
        #expect(RolloutStatus(lifecycle, instanceID: "i") == nil)
    }
}
