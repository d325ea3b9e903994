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
    private func end(_ answer: Lifecycle.Answer, _ lifecycle: inout Lifecycle) {
        lifecycle.refresh(host)
        lifecycle.fetched(answer, host)
    }

    /// Ends a fetch with a version.
    private func end(
        with version: Int, _ lifecycle: inout Lifecycle, holdReason: HoldReason? = nil, more: String = ""
    ) throws {
        let bytes = Array(DocumentText.document(version, more: more).utf8)
        let source = FetchedDocument(bytes, validators: DocumentValidators(entityTag: "t"))
        let reviewed = Lifecycle.ReviewedDocument(
            try Document(bytes), source, holdReason: holdReason, canRollBack: true)
        end(.document(reviewed), &lifecycle)
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
        let change = try #require(lifecycle.outcomes.changes.first)
        #expect((change.kind, change.version, change.needsAttention) == (.rollbackFailed, 2, true))
        #expect(change.text == "version 2 failed (bad) and stays in use, because the rollback failed: a: too many")
        #expect(stateAfterBakeTime(lifecycle) == NamedCode<RolloutStatus>.none)
        // Another version that passes is not marked by it.
        try end(with: 3, &lifecycle, more: Self.rollout)
        #expect(stateAfterBakeTime(lifecycle) == .baking)
    }

    /// The state of the rollout long after its bake time.
    private func stateAfterBakeTime(_ lifecycle: Lifecycle) -> NamedCode<RolloutStatus>? {
        rollout(lifecycle, after: 1_000_000_000)?.state
    }

    private func rollout(_ lifecycle: Lifecycle, after milliseconds: Int64 = 0) -> RolloutStatus? {
        let time = Date(milliseconds: host.now.time + milliseconds)
        return RolloutStatus(lifecycle, instanceID: "i", at: time, uptime: host.uptime)
    }

    @Test("a document that is held back is forgotten if the next one cannot be used")
    func rejectedAfterHeld() throws {
        var lifecycle = Lifecycle(Lifecycle.Settings())
        try end(with: 1, &lifecycle)
        let reason = HoldReason(.notSelected, "it is for others")
        try end(with: 2, &lifecycle, holdReason: reason, more: #","rollout":{"percent":0}"#)
        #expect(rollout(lifecycle)?.version == 2)
        end(.rejected(error), &lifecycle)
        #expect(lifecycle.held.outcome == nil)
        #expect(rollout(lifecycle) == nil)
    }
}
