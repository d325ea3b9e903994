import FoundationEssentials
import TestSupport
import Testing
import TrackerFeatures
import TrackerTesting

/// Fallback units and bucket versions of sticky experiments.
@Suite("Sticky buckets", .endsWhenItHangs)
struct StickyBucketTests {
    private let rig = ExperimentRig()
    private let store = SharedAssignments()

    private func experiment(
        _ weights: Double..., fallback: String? = nil, version: Int = 0, minVersion: Int = 0,
        targeting: Targeting = Targeting(), keeps: Bool = false
    ) -> Experiment {
        Experiment(
            id: "x", isSticky: true, targeting: targeting, fallbackUnit: fallback, bucketVersion: version,
            minBucketVersion: minVersion, keepsVariantOutsideTargeting: keeps,
            variants: zip("abc", weights).map { ExperimentVariant(name: "\($0)", weight: $1) })
    }

    private func short(_ experiments: Experiments, _ units: [String: String]) -> String {
        experiments.variant(of: "x", default: "-", for: FeatureContext(units: units)).short
    }

    private func stored(_ key: String, _ user: String = "u-1") throws -> String? {
        try rig.open().variant(of: key, for: ExperimentUnit(name: "userId", id: user))
    }

    @Test("the fallback unit is used without the unit; its variant is kept and stored when the unit is known")
    func fallback() async throws {
        let first = rig.run(experiment(0, 1, fallback: "deviceId"))
        #expect(short(first, ["deviceId": "d"]) == "b assigned*")
        await first.settle()
        // The weights would give another variant now.
        let second = rig.run(experiment(1, 0, fallback: "deviceId"))
        #expect(short(second, ["deviceId": "d", "userId": "u-1"]) == "b sticky*")
        await second.settle()
        #expect(try stored("x") == "b")
        #expect(short(second, ["userId": "u-1"]) == "b sticky*")
        #expect(short(second, ["userId": "u-2"]) == "a assigned*")
        // What the unit has itself comes first.
        #expect(short(second, ["deviceId": "d", "userId": "u-2"]) == "a sticky*")
        #expect(short(second, [:]) == "- noUnit")
        rig.use([.weighted(0, 1)], in: second)
        #expect(short(second, ["deviceId": "d"]) == "- noUnit")
    }

    @Test("an assignment that is taken over from the fallback unit keeps its date")
    func fallbackDate() async throws {
        let experiments = rig.run(experiment(0, 1, fallback: "deviceId"), over: store)
        store.set("b", for: "d", unit: "deviceId", date: Date(timeIntervalSince1970: 1_600_000_000))
        let context = FeatureContext(units: ["deviceId": "d", "userId": "u-1"])
        #expect(short(experiments, context.units) == "- notLoaded")
        await experiments.prepare(for: context)
        #expect(Set(store.gate.calls) == ["load d", "load u-1"])
        #expect(short(experiments, context.units) == "b sticky*")
        await experiments.settle()
        #expect(store.assignment()?.date == Date(timeIntervalSince1970: 1_600_000_000))
    }

    @Test("who waits for a shared store waits for the unit and its fallback")
    func awaitedFallback() async {
        let experiments = rig.run(experiment(1, 0, fallback: "deviceId"), over: store)
        store.set("b", for: "d", unit: "deviceId")
        let context = FeatureContext(units: ["deviceId": "d", "userId": "u-1"])
        #expect(await experiments.loaded("x", for: context).short == "b sticky*")
    }

    @Test("a new bucket version draws units anew, under a key of its own; going back finds the old ones")
    func bucketVersion() async throws {
        let experiments = rig.run(experiment(0, 1))
        #expect(experiments.short() == "b assigned*")
        await experiments.settle()
        rig.use([experiment(1, 0, version: 2)], in: experiments)
        #expect(experiments.short() == "a assigned*")
        #expect(experiments.short() == "a sticky*")
        await experiments.settle()
        #expect(try stored("x") == "b")
        #expect(try stored("x__2") == "a")
        let restarted = rig.run(experiment(0, 1, version: 2))
        #expect(restarted.short() == "a sticky*")
        rig.use([experiment(1, 0)], in: restarted)
        #expect(restarted.short() == "b sticky*")
        await restarted.settle()
        #expect(try stored("x__2") == "a")
    }

    @Test("units of a version below the lowest take part no more, with the fallback's too")
    func minBucketVersion() async throws {
        let experiments = rig.run(experiment(0, 1, version: 1))
        #expect(experiments.short() == "b assigned*")
        await experiments.settle()
        let next = rig.run(experiment(0, 1, version: 3, minVersion: 3))
        for newcomer in ["b assigned*", "b sticky*"] {
            #expect(next.short() == "- blocked")
            #expect(next.short("x", "new") == newcomer)
        }
        await next.settle()
        let equal = rig.run(experiment(0, 1, version: 1, minVersion: 1))
        #expect(equal.short() == "b sticky*")
        let device = rig.run(
            Experiment(
                id: "x", unit: "accountId", isSticky: true, fallbackUnit: "userId", bucketVersion: 3,
                minBucketVersion: 3, variants: [ExperimentVariant(name: "b")]))
        #expect(short(device, ["accountId": "acc", "userId": "u-1"]) == "- blocked")
        #expect(short(device, ["accountId": "acc", "userId": "u-9"]) == "b assigned*")
    }

    @Test("a document may name millions of versions")
    func manyVersions() {
        let experiments = rig.run(experiment(0, 1, version: .max, minVersion: .max))
        #expect(experiments.short() == "b assigned*")
        #expect(experiments.short() == "b sticky*")
    }

    @Test("of GrowthBook's experiments, what is stored comes before the targeting; of others after it")
    func keepsVariantOutsideTargeting() async {
        let out = Targeting(filters: [BucketFilter(seed: "", ranges: [])])
        let experiments = rig.run(experiment(0, 1))
        #expect(experiments.short() == "b assigned*")
        rig.use([experiment(0, 1, targeting: out, keeps: true)], in: experiments)
        #expect(experiments.short() == "b sticky*")
        #expect(experiments.short("x", "u-2") == "- notCovered")
        rig.use([experiment(0, 1, targeting: out)], in: experiments)
        #expect(experiments.short() == "- notCovered")
        rig.use([experiment(1, 0)], in: experiments)
        #expect(experiments.short() == "b sticky*")
    }
}
