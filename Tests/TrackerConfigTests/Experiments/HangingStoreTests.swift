import TestSupport
import Testing
import TrackerFeatures
import TrackerTesting

/// A shared store that neither answers nor fails.
@Suite("A store of assignments that hangs", .endsWhenItHangs)
struct HangingStoreTests {
    private let rig = ExperimentRig()
    private let store = SharedAssignments()
    private let context = FeatureContext(userID: "u-1")

    private func run() -> Experiments {
        rig.run(.weighted(0, 1, isSticky: true), over: store)
    }

    /// Lets calls that hang reach their timeout.
    private func pass(_ timeout: Duration = .seconds(1)) async {
        await rig.time.waitForSleep(in: timeout...timeout)
        rig.time.advance(by: timeout)
    }

    @Test("a load ends at its timeout with the default, is counted and logged, and the store recovers")
    func load() async {
        store.set("a")
        store.gate.hold()
        let experiments = run()
        async let assignment = experiments.loaded("x", for: context)
        await pass()
        #expect(await assignment.short == "- notLoaded")
        #expect(experiments.counters.storeTimeouts == 1)
        #expect(experiments.counters.storeFailures == 1)
        #expect(rig.log.records.count == 1)
        #expect(rig.log.contains("cannot be read: no answer within 1.0 seconds"))
        store.gate.release()
        #expect(await experiments.loaded("x", for: context).short == "a sticky*")
    }

    @Test("a caller that is cancelled returns at once, and others still get what is stored")
    func cancelled() async {
        store.set("a")
        store.gate.hold()
        let experiments = run()
        let context = self.context
        let variant = Task { await experiments.loaded("x", for: context).short }
        let prepared = Task { await experiments.prepare(for: context) }
        await store.gate.waitForHeldCall()
        variant.cancel()
        prepared.cancel()
        #expect(await variant.value == "- notLoaded")
        await prepared.value
        #expect(experiments.counters.storeFailures == 0)
        async let other = experiments.loaded("x", for: context)
        store.gate.release()
        #expect(await other.short == "a sticky*")
        #expect(store.gate.calls == ["load u-1"])
    }

    @Test("1,000 loads that hang end at their timeout, and the next ones are made")
    func many() async throws {
        store.gate.hold()
        let experiments = run()
        for user in 0..<1100 { #expect(experiments.short("x", "u-\(user)") == "- notLoaded") }
        await rig.time.waitForSleepers(1000)
        rig.time.advance(by: .seconds(1))
        try await waitUntil("all loads have timed out") { experiments.counters.storeTimeouts == 1000 }
        #expect(store.gate.calls.count == 1000)
        // A store that ignores cancellation is not asked again before its calls return.
        rig.time.advance(by: .seconds(5))
        for user in 2000..<2010 { #expect(experiments.short("x", "u-\(user)") == "- notLoaded") }
        try await waitUntil("the next load is refused") { experiments.counters.storeTimeouts > 1000 }
        #expect(store.gate.calls.count == 1000)
        store.gate.release()
        rig.time.advance(by: .seconds(5))
        try await waitUntil("the unit is loaded") { experiments.short("x", "u-2000") != "- notLoaded" }
        await experiments.prepare(for: FeatureContext(userID: "u-3000"))
        #expect(experiments.short("x", "u-3000") == "b assigned*")
    }

    @Test("keeping that hangs ends at 10 s, is counted, and goes on")
    func writing() async {
        let experiments = run()
        await experiments.prepare(for: context)
        store.gate.hold()
        #expect(experiments.short() == "b assigned*")
        await store.gate.waitForHeldCall()
        await pass(.seconds(10))
        await experiments.settle()
        #expect(experiments.counters.assignmentsLost == 1)
        #expect(experiments.counters.storeTimeouts == 1)
        #expect(rig.log.contains("cannot be written: no answer within 10.0 seconds"))
        store.gate.release()
        rig.time.advance(by: .seconds(5))
        #expect(experiments.short() == "b assigned*")
        await experiments.settle()
        #expect(experiments.counters.assignmentsStored == 1)
        #expect(store.variant() == "b")
    }
}
