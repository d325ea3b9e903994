import Foundation
import TestSupport
import Testing
import TrackerCore
import TrackerTesting

@testable import TrackerConfig
@testable import TrackerFeatures

/// What a unit sees when an experiment changes, row by row, within a process and over a restart.
@Suite("Stickiness", .endsWhenItHangs)
struct StickinessTests {
    private let rig = ExperimentRig()

    /// What u-1 sees of each state of the experiments in turn: in one process, or each in a process of its own.
    private func seen(_ restarts: Bool, _ states: [[Experiment]]) async -> [String] {
        var seen: [String] = []
        var experiments = rig.start()
        for (index, state) in states.enumerated() {
            if restarts { experiments = rig.start() }
            rig.use(state, version: index + 1, in: experiments)
            seen.append(experiments.short())
            await experiments.settle()
        }
        return seen
    }

    @Test("a stored variant is given with the reason sticky, and survives a restart")
    func restart() async {
        let first = rig.run(.weighted(0, 1, isSticky: true))
        #expect(first.short() == "b assigned*")
        #expect(first.short() == "b sticky*")
        await first.settle()
        #expect(first.counters.assignmentsStored == 1)
        let second = rig.run(.weighted(1, 0, isSticky: true))
        #expect(second.short() == "b sticky*")
        #expect(second.short("x", "u-2") == "a assigned*")
    }

    @Test("weights changed, sticky: who has a variant keeps it, others follow the weights", arguments: [false, true])
    func weightsSticky(restarts: Bool) async {
        let states: [[Experiment]] = [[.weighted(0, 1, isSticky: true)], [.weighted(1, 0, isSticky: true)]]
        #expect(await seen(restarts, states) == ["b assigned*", "b sticky*"])
        let after = rig.run(.weighted(1, 0, isSticky: true))
        #expect(after.short("x", "new") == "a assigned*")
    }

    @Test("weights changed, not sticky: the same hash decides", arguments: [false, true])
    func weightsNotSticky(restarts: Bool) async {
        #expect(await seen(restarts, [[.weighted(0, 1)], [.weighted(1, 0)]]) == ["b assigned", "a assigned"])
    }

    @Test("sticky, then not: the hash decides again", arguments: [false, true])
    func noLongerSticky(restarts: Bool) async {
        let states: [[Experiment]] = [[.weighted(0, 1, isSticky: true)], [.weighted(1, 0)]]
        #expect(await seen(restarts, states) == ["b assigned*", "a assigned"])
    }

    @Test("not sticky, then sticky: what the unit has now is kept from then on", arguments: [false, true])
    func becomesSticky(restarts: Bool) async {
        let states: [[Experiment]] = [
            [.weighted(0, 1)], [.weighted(0, 1, isSticky: true)], [.weighted(1, 0, isSticky: true)],
        ]
        #expect(await seen(restarts, states) == ["b assigned", "b assigned*", "b sticky*"])
    }

    @Test("sticky, not sticky, sticky: what the unit has at the last moment is kept", arguments: [false, true])
    func stickyAgain(restarts: Bool) async {
        let states: [[Experiment]] = [
            [.weighted(0, 1, isSticky: true)], [.weighted(1, 0)], [.weighted(1, 0, isSticky: true)],
            [.weighted(0, 1, isSticky: true)],
        ]
        #expect(await seen(restarts, states) == ["b assigned*", "a assigned", "a assigned*", "a sticky*"])
    }

    @Test("the sticky variant is removed: drawn again, and the new one is kept", arguments: [false, true])
    func variantRemoved(restarts: Bool) async {
        let without = Experiment(
            id: "x", isSticky: true,
            variants: [ExperimentVariant(name: "c", weight: 1), ExperimentVariant(name: "a", weight: 0)])
        let more = Experiment(
            id: "x", isSticky: true,
            variants: [ExperimentVariant(name: "a", weight: 1), ExperimentVariant(name: "c", weight: 0)])
        let states = [[.weighted(0, 1, isSticky: true)], [without], [more]]
        #expect(await seen(restarts, states) == ["b assigned*", "c assigned*", "c sticky*"])
    }

    @Test("the experiment is deleted: the default, and what was stored is forgotten", arguments: [false, true])
    func deleted(restarts: Bool) async {
        let states: [[Experiment]] = [
            [.weighted(0, 1, isSticky: true)], [.weighted(1, 1, id: "y")], [.weighted(1, 0, isSticky: true)],
        ]
        #expect(await seen(restarts, states) == ["b assigned*", "- unknown", "a assigned*"])
    }

    @Test("a document that was not fetched forgets nothing", arguments: [false, true])
    func notFetched(isSticky: Bool) async {
        let experiments = rig.run(.weighted(0, 1, isSticky: true))
        #expect(experiments.short() == "b assigned*")
        rig.use(isSticky ? [] : [.weighted(1, 0)], isFetched: false, in: experiments)
        #expect(experiments.short() == (isSticky ? "- unknown" : "a assigned"))
        rig.use([.weighted(1, 0, isSticky: true)], in: experiments)
        #expect(experiments.short() == "b sticky*")
        await experiments.settle()
        let other = rig.run(.weighted(1, 0, isSticky: true), isFetched: false)
        #expect(other.short() == "b sticky*")
    }

    @Test("filtered out: the default; the stored variant is kept and comes back", arguments: [false, true])
    func filteredOut(restarts: Bool) async {
        let states: [[Experiment]] = [
            [.weighted(0, 1, isSticky: true)], [.weighted(1, 0, isSticky: true, countries: ["US"])],
            [.weighted(1, 0, isSticky: true)],
        ]
        #expect(await seen(restarts, states) == ["b assigned*", "- filtered", "b sticky*"])
    }

    @Test("coverage taken away: who has a variant keeps it, others get none")
    func coverage() async {
        let experiments = rig.run(.weighted(0, 1, isSticky: true))
        #expect(experiments.short() == "b assigned*")
        rig.use([.weighted(0, 1, isSticky: true, coverage: 0)], in: experiments)
        #expect(experiments.short() == "b sticky*")
        #expect(experiments.short("x", "u-2") == "- notCovered")
    }

    @Test("a forced variant is not stored, and neither is what is only explained")
    func notStored() async {
        let experiments = rig.run(.weighted(0, 1, isSticky: true))
        rig.forced.withLock { $0 = ["x": "a"] }
        #expect(experiments.short() == "a forced")
        rig.forced.withLock { $0 = [:] }
        #expect(
            experiments.variant(of: "x", default: "", for: FeatureContext(userID: "u-1"), recordsExposure: false)
                .short == "b assigned")
        await experiments.settle()
        #expect(experiments.counters.assignmentsStored == 0)
        #expect(rig.run(.weighted(1, 0, isSticky: true)).short() == "a assigned*")
    }

    @Test("each unit, and each kind of unit, has its own variant")
    func units() async {
        let device = Experiment(
            id: "x", unit: "deviceId", isSticky: true,
            variants: [ExperimentVariant(name: "a"), ExperimentVariant(name: "b")])
        let experiments = rig.run(.weighted(0, 1, isSticky: true))
        #expect(experiments.short("x", "id") == "b assigned*")
        await experiments.settle()
        rig.use([device], in: experiments)
        let context = FeatureContext(units: ["deviceId": "id"])
        #expect(experiments.variant(of: "x", default: "-", for: context).reason == .assigned)
    }

    @Test("a unit that memory has forgotten is found on the disk")
    func eviction() async {
        let experiments = rig.run(.weighted(0, 1, isSticky: true)) { $0.memoryLimit = 10 }
        for user in 0..<100 { #expect(experiments.short("x", "u-\(user)") == "b assigned*") }
        rig.use([.weighted(1, 0, isSticky: true)], in: experiments)
        for user in 0..<100 { #expect(experiments.short("x", "u-\(user)") == "b sticky*") }
        await experiments.settle()
        for user in 0..<100 { #expect(experiments.short("x", "u-\(user)") == "b sticky*") }
    }

    @Test("without a sticky experiment no file is made")
    func noFile() async {
        let experiments = rig.run(.weighted(0, 1))
        #expect(experiments.short() == "b assigned")
        await experiments.settle()
        #expect(rig.directory.names == [])
    }

    @Test("without a directory sticky experiments behave as if they were not, with a warning")
    func noDirectory() {
        let experiments = rig.start { $0.storePath = nil }
        let warnings = rig.use([.weighted(0, 1, isSticky: true)], in: experiments)
        #expect(warnings.first?.hasPrefix("experiments: no directory is known") == true)
        #expect(experiments.short() == "b assigned")
        #expect(experiments.short() == "b assigned")
    }

    @Test("a forked child neither evaluates nor touches the parent's file", .mayBlock)
    func forked() async {
        await #expect(processExitsWith: .success) {
            let rig = ExperimentRig()
            let experiments = rig.run(.weighted(0, 1, isSticky: true))
            #expect(experiments.short() == "b assigned*")
            await experiments.settle()
            let context = FeatureContext(userID: "u-1")
            let child = ForkedChild.start()
            if child == 0 {
                let assignment = experiments.variant(of: "x", default: "-", for: context)
                ForkedChild.end(assignment.reason == .notLoaded && assignment.variant == "-")
            }
            #expect(ForkedChild.wasRight(child))
            #expect(experiments.short() == "b sticky*")
            withExtendedLifetime(rig) {}
        }
    }
}
