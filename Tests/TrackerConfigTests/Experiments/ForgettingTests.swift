import FoundationEssentials
import TestSupport
import Testing
import TrackerConfig
import TrackerCore
import TrackerTesting

@testable import TrackerFeatures

/// A unit whose assignments are removed, as when a person asks for it.
@Suite("Forgetting a unit", .endsWhenItHangs)
struct ForgettingTests {
    private let rig = ExperimentRig()
    private let store = SharedAssignments()
    private let unit = ExperimentUnit(name: "userId", id: "u-1")
    private let context = FeatureContext(userID: "u-1")

    @Test("a forgotten unit is drawn anew, in this process and after a restart; others keep theirs")
    func disk() async throws {
        let experiments = rig.run(.weighted(0, 1, isSticky: true), .weighted(0, 1, id: "y", isSticky: true))
        for user in ["u-1", "u-2"] { for id in ["x", "y"] { #expect(experiments.short(id, user) == "b assigned*") } }
        await experiments.settle()
        rig.use([.weighted(1, 0, isSticky: true), .weighted(1, 0, id: "y", isSticky: true)], in: experiments)
        #expect(try await experiments.forget(unit) == 2)
        #expect(try await experiments.forget(unit) == 0)
        #expect(experiments.short() == "a assigned*")
        #expect(experiments.short("x", "u-2") == "b sticky*")
        await experiments.settle()
        #expect(try await experiments.forget(unit) == 1)
        let restarted = rig.run(.weighted(0, 1, isSticky: true), .weighted(0, 1, id: "y", isSticky: true))
        #expect(restarted.short() == "b assigned*")
        #expect(restarted.short("y", "u-2") == "b sticky*")
        await restarted.settle()
    }

    @Test("what waits for the store and what is on its way is forgotten too, and each is counted once")
    func outbox() async throws {
        let experiments = rig.run(
            .weighted(0, 1, isSticky: true), .weighted(0, 1, id: "y", isSticky: true), over: store)
        await experiments.prepare(for: context)
        store.gate.hold()
        #expect(experiments.short() == "b assigned*")
        await store.gate.waitForHeldCall()
        #expect(experiments.short("y") == "b assigned*")
        async let count = experiments.forget(unit)
        try await waitUntil("the unit is being forgotten") {
            experiments.sticky.state.withLock { $0.forgetting[unit] != nil }
        }
        // What was given before is over at once.
        rig.use(
            [.weighted(1, 0, isSticky: true), .weighted(1, 0, id: "y", isSticky: true)],
            in: experiments)
        #expect(experiments.short("y") == "a assigned*")
        store.gate.release()
        #expect(try await count == 2)
        await experiments.settle()
        #expect(store.gate.calls == ["load u-1", "keep 1", "forget u-1", "keep 1"])
        #expect(store.variant() == nil)
        #expect(store.variant(of: "y") == "a")
    }

    @Test("a load that is on its way does not bring a unit back")
    func load() async throws {
        store.set("b")
        let experiments = rig.run(.weighted(1, 0, isSticky: true), over: store)
        store.gate.hold()
        #expect(experiments.short() == "- notLoaded")
        await store.gate.waitForHeldCall()
        async let count = experiments.forget(unit)
        await store.gate.wait(forCalls: 2)
        // The load has read before the unit is forgotten, and ends at the same time.
        store.gate.release()
        #expect(try await count == 1)
        #expect(await experiments.loaded("x", for: context).short == "a assigned*")
        await experiments.settle()
        #expect(store.variant() == "a")
    }

    @Test("a store that fails gives its error to the caller, and a later call succeeds")
    func failure() async throws {
        store.set("b")
        let experiments = rig.run(.weighted(1, 0, isSticky: true), over: store)
        await experiments.prepare(for: context)
        store.gate.fail(true)
        await #expect(throws: CallGate.Outage.self) { try await experiments.forget(unit) }
        #expect(experiments.counters.storeFailures == 1)
        #expect(rig.log.contains("cannot be written: the store is down"))
        store.gate.fail(false)
        rig.time.advance(by: .seconds(5))
        // It is stored as before.
        await experiments.prepare(for: context)
        #expect(experiments.short() == "b sticky*")
        #expect(try await experiments.forget(unit) == 1)
        #expect(experiments.short() == "- notLoaded")
        await experiments.prepare(for: context)
        #expect(experiments.short() == "a assigned*")
    }

    @Test("of calls at one time, each ends, and what there was is counted once")
    func crowd() async throws {
        let experiments = rig.run(.weighted(0, 1, isSticky: true))
        #expect(experiments.short() == "b assigned*")
        await experiments.settle()
        let counts = try await withThrowingTaskGroup(of: Int.self) { group in
            for _ in 0..<5 { group.addTask { [unit] in try await experiments.forget(unit) } }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(counts.count == 5)
        #expect(counts.reduce(0, +) == 1)
    }

    @Test("another process uses what it remembers for five minutes, and then reads the file again")
    func otherProcess() async throws {
        let (one, two) = (rig.run(.weighted(0, 1, isSticky: true)), rig.run(.weighted(0, 1, isSticky: true)))
        #expect(one.short() == "b assigned*")
        await one.settle()
        #expect(two.short() == "b sticky*")
        #expect(try await one.forget(unit) == 1)
        rig.use([.weighted(1, 0, isSticky: true)], in: two)
        rig.time.advance(by: .seconds(299))
        #expect(two.short() == "b sticky*")
        rig.time.advance(by: .seconds(1))
        #expect(two.short() == "a assigned*")
        await two.settle()
        #expect(one.short() == "a sticky*")
    }

    @Test("a process asks a shared store again after five minutes, in the background")
    func otherProcessOfFleet() async throws {
        store.set("b")
        let experiments = rig.run(.weighted(1, 0, isSticky: true), over: store)
        await experiments.prepare(for: context)
        rig.time.advance(by: .seconds(299))
        #expect(experiments.short() == "b sticky*")
        #expect(try await store.forget(unit) == 1)
        rig.time.advance(by: .seconds(1))
        store.gate.hold()
        #expect(experiments.short() == "b sticky*")
        await store.gate.waitForHeldCall()
        store.gate.release()
        await experiments.prepare(for: context)
        #expect(experiments.short() == "a assigned*")
        #expect(store.gate.calls.filter { $0 == "load u-1" }.count == 2)
        await experiments.settle()
    }

    @Test("what an outage leaves in memory is used although it is old")
    func oldDuringOutage() async {
        store.set("b")
        let experiments = rig.run(.weighted(1, 0, isSticky: true), over: store)
        await experiments.prepare(for: context)
        store.gate.fail(true)
        for _ in 0..<3 {
            rig.time.advance(by: .seconds(400))
            #expect(experiments.short() == "b sticky*")
        }
    }

    @Test("without a sticky experiment, what earlier documents stored is removed; without a file there is nothing")
    func closed() async throws {
        let none = rig.run(.weighted(0, 1))
        #expect(try await none.forget(unit) == 0)
        #expect(rig.directory.names == [])
        let sticky = rig.run(.weighted(0, 1, isSticky: true))
        #expect(sticky.short() == "b assigned*")
        await sticky.settle()
        let later = rig.run(.weighted(0, 1))
        #expect(try await later.forget(unit) == 1)
    }

    @Test("ids that differ in Unicode normalization alone are different units, in memory and on disk")
    func exactIDs() async throws {
        let (composed, decomposed) = ("caf\u{E9}", "cafe\u{301}")
        let first = rig.run(.weighted(0, 1, isSticky: true))
        #expect(first.short("x", composed) == "b assigned*")
        await first.settle()
        rig.use([.weighted(1, 0, isSticky: true)], in: first)
        #expect(first.short("x", decomposed) == "a assigned*")
        #expect(first.short("x", composed) == "b sticky*")
        await first.settle()
        let second = rig.run(.weighted(0, 0, 1, isSticky: true))
        #expect(second.short("x", decomposed) == "a sticky*")
        #expect(second.short("x", composed) == "b sticky*")
        #expect(try await second.forget(ExperimentUnit(name: "userId", id: composed)) == 1)
        #expect(second.short("x", decomposed) == "a sticky*")
        #expect(second.short("x", composed) == "c assigned*")
    }

    @Test(
        "threads that read and forget units while weights change leave memory and store in agreement",
        arguments: [false, true])
    func threads(isShared: Bool) async throws {
        let experiments = rig.start { parts in
            parts.memoryLimit = 30
            if isShared { parts.options.assignmentStore = store }
        }
        let (a, b) = (Experiment.weighted(1, 0, isSticky: true), Experiment.weighted(0, 1, isSticky: true))
        rig.use([a], in: experiments)
        let erasures = Locked<[Task<Int, any Error>]>([])
        await Threads.run(4) { [rig] thread in
            for step in 0..<500 {
                let user = (step * 7 + thread * 13) % 40
                _ = experiments.short("x", "u-\(user)")
                if step % 10 == 3 {
                    let task = Task { try await experiments.forget(ExperimentUnit(name: "userId", id: "u-\(user)")) }
                    erasures.withLock { $0.append(task) }
                }
                if step % 50 == 25 { rig.use([step % 100 == 25 ? b : a], in: experiments) }
            }
        }
        for task in erasures.withLock({ $0 }) { _ = try await task.value }
        await experiments.settle()
        let other = isShared ? rig.run(b, over: store) : rig.run(b)
        for user in 0..<40 {
            let context = FeatureContext(userID: "u-\(user)")
            let variant = await experiments.loaded("x", for: context)
            await experiments.settle()
            #expect(await other.loaded("x", for: context).variant == variant.variant, "\(user)")
        }
        #expect(experiments.counters.storeFailures == 0)
        #expect(experiments.counters.assignmentsLost == 0)
    }
}
