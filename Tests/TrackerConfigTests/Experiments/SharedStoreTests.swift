import FoundationEssentials
import TestSupport
import Testing
import TrackerFeatures
import TrackerTesting

/// Sticky experiments over a store that takes a network.
@Suite("A shared store of assignments", .endsWhenItHangs)
struct SharedStoreTests {
    private let rig = ExperimentRig()
    private let store = SharedAssignments()
    private let context = FeatureContext(userID: "u-1")

    @Test("a unit that is not loaded gets the default and never the hash; once loaded, what is stored")
    func notLoaded() async {
        store.set("b")
        store.gate.hold()
        let experiments = rig.run(.weighted(1, 0, isSticky: true), over: store)
        // An explanation asks the store for nothing.
        #expect(experiments.variant(of: "x", default: "-", for: context, recordsExposure: false).short == "- notLoaded")
        #expect(store.gate.calls == [])
        for _ in 0..<3 { #expect(experiments.short() == "- notLoaded") }
        await store.gate.waitForHeldCall()
        store.gate.release()
        await experiments.prepare(for: context)
        #expect(experiments.short() == "b sticky*")
        #expect(store.gate.calls == ["load u-1"])
        #expect(rig.directory.names == [])
    }

    @Test("who waits gets what is stored, or the hash where nothing is, which is kept")
    func awaited() async {
        store.set("b")
        let experiments = rig.run(.weighted(1, 0, isSticky: true), over: store)
        #expect(await experiments.loaded("x", for: context).short == "b sticky*")
        let other = FeatureContext(userID: "u-2")
        #expect(await experiments.loaded("x", for: other).short == "a assigned*")
        await experiments.settle()
        #expect(store.variant(for: "u-2") == "a")
        #expect(experiments.short("x", "u-2") == "a sticky*")
        #expect(await experiments.loaded("zz", for: context).short == "- unknown")
    }

    @Test("a unit is loaded once however many ask at the same time")
    func joined() async {
        store.gate.hold()
        let experiments = rig.run(.weighted(0, 1, isSticky: true), over: store)
        async let first = experiments.loaded("x", for: context).variant
        async let second = experiments.loaded("x", for: context).variant
        await store.gate.waitForHeldCall()
        #expect(experiments.short() == "- notLoaded")
        store.gate.release()
        #expect(await [first, second] == ["b", "b"])
        await experiments.settle()
        #expect(store.gate.calls.filter { $0.hasPrefix("load") } == ["load u-1"])
    }

    @Test("prepare loads the units that sticky experiments use, and no other")
    func prepare() async {
        store.set("b")
        let experiments = rig.run(.weighted(1, 0, isSticky: true), .weighted(1, 0, id: "y"), over: store)
        await experiments.prepare(for: FeatureContext(units: ["userId": "u-1", "deviceId": "d", "zz": "z"]))
        await experiments.prepare(for: context)
        await experiments.prepare(for: FeatureContext())
        #expect(store.gate.calls == ["load u-1"])
        #expect(experiments.short() == "b sticky*")
    }

    @Test("a store that fails gives nobody a variant, is counted and logged once, and is asked again later")
    func outage() async {
        store.gate.fail(true)
        store.set("b")
        let experiments = rig.run(.weighted(1, 0, isSticky: true), over: store)
        for _ in 0..<3 {
            #expect(await experiments.loaded("x", for: context).short == "- notLoaded")
        }
        let calls = store.gate.calls.count
        #expect(experiments.counters.storeFailures == calls)
        #expect(rig.log.records.count == 1)
        #expect(rig.log.contains("experiments: the store of sticky assignments cannot be read: the store is down"))
        // Unasked it is left alone for a while.
        for _ in 0..<3 { #expect(experiments.short() == "- notLoaded") }
        #expect(store.gate.calls.count == calls)
        store.gate.fail(false)
        rig.time.advance(by: .seconds(5))
        #expect(experiments.short() == "- notLoaded")
        await experiments.prepare(for: context)
        #expect(experiments.short() == "b sticky*")
    }

    @Test("what the store does not keep is not sticky, counted, and kept when the unit comes again later")
    func lost() async {
        let experiments = rig.run(.weighted(0, 1, isSticky: true), over: store)
        await experiments.prepare(for: context)
        store.gate.fail(true)
        #expect(experiments.short() == "b assigned*")
        await experiments.settle()
        #expect(experiments.counters.assignmentsLost == 1)
        #expect(experiments.short() == "b assigned")
        #expect(experiments.counters.assignmentsLost == 2)
        rig.time.advance(by: .seconds(5))
        #expect(experiments.short() == "b assigned*")
        await experiments.settle()
        #expect(experiments.counters.assignmentsLost == 3)
        #expect(experiments.counters.storeFailures == 2)
        #expect(rig.log.records.count == 1)
        #expect(rig.log.contains("experiments: the store of sticky assignments cannot be written: the store is down"))
        store.gate.fail(false)
        rig.time.advance(by: .seconds(5))
        #expect(experiments.short() == "b assigned*")
        await experiments.settle()
        #expect(store.variant() == "b")
        #expect(experiments.counters.assignmentsStored == 1)
    }

    @Test("what comes while the store is busy goes to it together, each unit once")
    func batches() async {
        let experiments = rig.run(
            .weighted(0, 1, isSticky: true), .weighted(0, 1, id: "y", isSticky: true), over: store)
        for user in 0..<10 { await experiments.prepare(for: FeatureContext(userID: "u-\(user)")) }
        store.gate.hold()
        #expect(experiments.short("x", "u-0") == "b assigned*")
        await store.gate.waitForHeldCall()
        for user in 0..<10 {
            _ = experiments.short("x", "u-\(user)")
            _ = experiments.short("y", "u-\(user)")
        }
        store.gate.release()
        await experiments.settle()
        #expect(store.gate.calls.suffix(2) == ["keep 1", "keep 19"])
        #expect(experiments.counters.assignmentsStored == 20)
    }

    @Test("of more assignments than may wait the rest is lost and counted")
    func bound() async {
        let experiments = rig.run(.weighted(0, 1, isSticky: true), over: store) { $0.outboxLimit = 3 }
        for user in 0..<10 { await experiments.prepare(for: FeatureContext(userID: "u-\(user)")) }
        store.gate.hold()
        _ = experiments.short("x", "u-0")
        await store.gate.waitForHeldCall()
        let shorts = (1..<10).map { experiments.short("x", "u-\($0)") }
        #expect(shorts == Array(repeating: "b assigned*", count: 3) + Array(repeating: "b assigned", count: 6))
        #expect(experiments.counters.assignmentsLost == 6)
        store.gate.release()
        await experiments.settle()
        #expect(experiments.counters.assignmentsStored == 4)
    }

    @Test("a flush ends at its timeout where the store hangs")
    func flush() async {
        let experiments = rig.run(.weighted(0, 1, isSticky: true), over: store)
        #expect(await experiments.flush(timeout: .seconds(1)))
        await experiments.prepare(for: context)
        store.gate.hold()
        _ = experiments.short()
        await store.gate.waitForHeldCall()
        async let isDone = experiments.flush(timeout: .seconds(3))
        await rig.time.waitForSleep(in: .seconds(3)...(.seconds(3)))
        rig.time.advance(by: .seconds(3))
        #expect(await !isDone)
        store.gate.release()
        #expect(await experiments.flush(timeout: .seconds(60)))
    }

    @Test("what a store knows at once needs no loading")
    func atOnce() {
        let store = MemoryAssignments()
        store.set(rig.assignment("b"))
        let experiments = rig.run(.weighted(1, 0, isSticky: true), over: store)
        #expect(experiments.short() == "b sticky*")
        #expect(experiments.short("x", "u-2") == "a assigned*")
    }
}
