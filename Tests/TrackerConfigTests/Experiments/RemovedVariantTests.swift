import TestSupport
import Testing
import TrackerFeatures
import TrackerTesting

/// What becomes of the units whose stored variant is removed.
@Suite("The units of a removed variant", .endsWhenItHangs)
struct RemovedVariantTests {
    private let rig = ExperimentRig()

    private func experiment(
        _ weights: [(String, Double)], coverage: Double = 1, keepsOutside: Bool = false,
        version: Int = 0
    ) -> Experiment {
        Experiment(
            id: "x", coverage: coverage, isSticky: true, targeting: Targeting(), bucketVersion: version,
            keepsVariantOutsideTargeting: keepsOutside,
            variants: weights.map { ExperimentVariant(name: $0.0, weight: $0.1) })
    }

    private func variants(_ experiments: Experiments, _ users: Range<Int>) -> [String] {
        users.map { experiments.variant(of: "x", default: "-", for: FeatureContext(userID: "user-\($0)")).variant }
    }

    /// Where the units of `c` go, as shares of them, when it is removed.
    private func moves(to new: Experiment, from old: Experiment, _ count: Int = 2000) async -> [String: Double] {
        let experiments = rig.run(old)
        let before = variants(experiments, 0..<count)
        await experiments.settle()
        rig.use([new], version: 2, in: experiments)
        let after = variants(experiments, 0..<count)
        await experiments.settle()
        // Another process agrees, and the new answer is kept.
        #expect(variants(rig.run(new), 0..<count) == after)
        let names = Set(new.variants.map(\.name))
        for (old, new) in zip(before, after) where names.contains(old) { #expect(new == old) }
        let moved = zip(before, after).filter { $0.0 == "c" }.map(\.1)
        return Dictionary(grouping: moved) { $0 }.mapValues { Double($0.count) / Double(moved.count) }
    }

    private let three = [("a", 1.0), ("b", 1.0), ("c", 1.0)]

    @Test("of three equal variants, half of a removed one's units go to each other variant")
    func even() async {
        let shares = await moves(to: experiment([("a", 1), ("b", 1)]), from: experiment(three))
        #expect(Set(shares.keys) == ["a", "b"])
        #expect(abs((shares["a"] ?? 0) - 0.5) < 0.08)
    }

    @Test("they follow the weights, and a new variant takes its part")
    func weights() async {
        let shares = await moves(to: experiment([("a", 1), ("d", 2), ("b", 1)]), from: experiment(three))
        #expect(abs((shares["a"] ?? 0) - 0.25) < 0.08)
        #expect(abs((shares["b"] ?? 0) - 0.25) < 0.08)
        #expect(abs((shares["d"] ?? 0) - 0.5) < 0.08)
    }

    @Test("a unit that takes part goes on to do so, also below full coverage")
    func coverage() async {
        let shares = await moves(
            to: experiment([("a", 1), ("b", 1)], coverage: 0.2), from: experiment(three, coverage: 0.5))
        #expect(Set(shares.keys) == ["a", "b"])
        #expect(abs((shares["a"] ?? 0) - 0.5) < 0.12)
    }

    @Test("without any share left they get none")
    func none() async {
        #expect(await moves(to: experiment([("a", 1)], coverage: 0), from: experiment(three), 200) == ["-": 1])
    }

    @Test("another bucketVersion draws all units with the usual hash")
    func drawnAnew() async {
        let new = experiment([("a", 1), ("b", 1)], version: 1)
        let experiments = rig.run(experiment(three))
        _ = variants(experiments, 0..<200)
        await experiments.settle()
        rig.use([new], version: 2, in: experiments)
        let expected = (0..<200).map { new.variantIndex(for: "user-\($0)").map { new.variants[$0].name } ?? "-" }
        #expect(variants(experiments, 0..<200) == expected)
    }

    @Test("GrowthBook's experiments draw them with the usual hash, as its SDKs do")
    func growthBook() async {
        let new = experiment([("a", 1), ("b", 1)], keepsOutside: true)
        let experiments = rig.run(experiment(three, keepsOutside: true))
        let before = variants(experiments, 0..<200)
        await experiments.settle()
        rig.use([new], version: 2, in: experiments)
        let after = variants(experiments, 0..<200)
        for (user, (old, now)) in zip(before, after).enumerated() where old == "c" {
            #expect(now == new.variantIndex(for: "user-\(user)").map { new.variants[$0].name })
        }
    }
}
