import Foundation
import TestSupport
import Testing
import TrackerTesting

@testable import TrackerFeatures

/// What a unit sees when an experiment changes, row by row, within a process and over a restart.
@Suite("Stickiness", .endsWhenItHangs)
struct StickinessTests {
    private let rig = ExperimentRig()

    /// What happens to an experiment, its states in turn, and what a unit sees of each.
    typealias Row = (change: String, states: [[Experiment]], seen: [String])

    private static let a = Experiment.weighted(1, 0, isSticky: true)
    private static let b = Experiment.weighted(0, 1, isSticky: true)
    private static let filtered = Experiment.weighted(1, 0, isSticky: true, countries: ["US"])

    /// A sticky experiment in which the first of the variants has all the weight.
    private static func only(_ first: String, _ second: String) -> Experiment {
        let variants = [ExperimentVariant(name: first, weight: 1), ExperimentVariant(name: second, weight: 0)]
        return Experiment(id: "x", isSticky: true, variants: variants)
    }

    private static let rows: [Row] = [
        ("weights changed, sticky: who has a variant keeps it", [[b], [a]], ["b assigned*", "b sticky*"]),
        (
            "weights changed, not sticky: the same hash decides", [[.weighted(0, 1)], [.weighted(1, 0)]],
            ["b assigned", "a assigned"]
        ),
        (
            "not sticky, then sticky: what the unit has now is kept", [[.weighted(0, 1)], [b], [a]],
            ["b assigned", "b assigned*", "b sticky*"]
        ),
        (
            "sticky, not, sticky: the hash decides, and then what was stored",
            [[b], [.weighted(1, 0)], [a]], ["b assigned*", "a assigned", "b sticky*"]
        ),
        (
            "the sticky variant is removed: drawn again, and the new one is kept",
            [[b], [only("c", "a")], [only("a", "c")]], ["b assigned*", "c assigned*", "c sticky*"]
        ),
        (
            "the experiment is deleted: the default, and what was stored comes back with it",
            [[b], [.weighted(1, 1, id: "y")], [a]], ["b assigned*", "- unknown", "b sticky*"]
        ),
        (
            "filtered out: the default; the stored variant is kept and comes back", [[b], [filtered], [a]],
            ["b assigned*", "- filtered", "b sticky*"]
        ),
    ]

    @Test("a change of an experiment, within a process and over a restart", arguments: rows, [false, true])
    func change(row: Row, restarts: Bool) async {
        var seen: [String] = []
        var experiments = rig.start()
        for (index, state) in row.states.enumerated() {
            if restarts { experiments = rig.start() }
            rig.use(state, version: index + 1, in: experiments)
            seen.append(experiments.short())
            await experiments.settle()
        }
        #expect(seen == row.seen)
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
        rig.force(["x": "a"], in: experiments)
        #expect(experiments.short() == "a forced")
        rig.force([:], in: experiments)
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

    /// A value that calls a closure while it is decoded.
    private struct Interruption: Decodable {
        @TaskLocal static var call: @Sendable () -> Void = {}

        init(from decoder: any Decoder) { Self.call() }
    }

    @Test("a read does not return the value of a variant if the unit got another one in the meantime")
    func lostRace() {
        func variants(_ a: Double, _ b: Double) -> Experiment {
            let variants = [
                ExperimentVariant(name: "a", weight: a, values: ["f": ["v": "of a"]]),
                ExperimentVariant(name: "b", weight: b),
            ]
            return Experiment(id: "x", isSticky: true, fallbackUnit: "deviceId", variants: variants)
        }
        let experiments = rig.run(variants(0, 1))
        _ = experiments.variant(of: "x", default: "-", for: FeatureContext(units: ["deviceId": "d"]))
        rig.use([variants(1, 0)], in: experiments)
        let snapshot = FeatureSnapshot(experiments.features, experiments, experiments.features.layers, at: nil)
        let detail = Interruption.$call.withValue({
            let both = FeatureContext(units: ["userId": "u-1", "deviceId": "d"])
            #expect(experiments.variant(of: "x", default: "-", for: both).short == "b sticky*")
        }) {
            snapshot.detail("f", variable: "v", default: Interruption?.none, for: FeatureContext(userID: "u-1"))
        }
        #expect(detail.value == nil && detail.reason == .default)
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
    }
}
