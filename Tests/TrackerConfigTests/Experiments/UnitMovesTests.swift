import DocumentTools
import TestSupport
import Testing
import TrackerConfig
import TrackerTesting

/// How many units get another variant when an experiment changes.
@Suite("Units that move to another variant", .endsWhenItHangs)
struct UnitMovesTests {
    private func experiment(
        _ weights: [Double?], coverage: Double = 1, seed: String = "s", unit: String = "userId",
        hash: HashVersion? = .v2, isSticky: Bool = false, countries: [String]? = nil, names: [String]? = nil
    ) -> Experiment {
        let names = names ?? weights.indices.map { "v\($0)" }
        return Experiment(
            id: "e", unit: unit, seed: seed, hashVersion: hash, coverage: coverage, isSticky: isSticky,
            countries: countries, targeting: Targeting(),
            variants: zip(names, weights).map { ExperimentVariant(name: $0, weight: $1) })
    }

    private func variant(_ id: String, _ experiment: Experiment) -> String? {
        experiment.variantIndex(for: id).map { experiment.variants[$0].name }
    }

    /// What the hash itself does to many ids.
    private func counted(_ old: Experiment, _ new: Experiment) -> Double {
        let moved = (0..<5000).filter { variant("unit-\($0)", old) != variant("unit-\($0)", new) }.count
        return Double(moved) / 5000
    }

    @Test("shares that are known are met to the bucket")
    func known() {
        let half = experiment([50, 50])
        let cases: [(Experiment, Double)] = [
            (half, 0), (experiment([1, 1]), 0), (experiment([nil, nil]), 0), (experiment([60, 40]), 0.1),
            (experiment([0, 1]), 0.5), (experiment([50, 50], coverage: 0), 1),
            (experiment([50, 50], coverage: 0.5), 0.5),
            (experiment([50, 50], names: ["v1", "v0"]), 1), (experiment([50, 50], names: ["v0", "x"]), 0.5),
        ]
        for (other, share) in cases {
            #expect(UnitMoves(from: half, to: other).share == share)
            #expect(UnitMoves(from: other, to: half).share == share)
            #expect(UnitMoves(from: half, to: other).method == .exact)
        }
    }

    @Test("of the same hash, every bucket is counted as it is by brute force", arguments: HashVersion.allCases)
    func exact(hash: HashVersion) {
        var random = SeededRandom(seed: Search.seed(7))
        let buckets = hash == .v1 ? 1000 : 10_000
        func any() -> Experiment {
            let weights = (0..<Int.random(in: 1...4, using: &random)).map { _ in
                Double(Int.random(in: 1...50, using: &random))
            }
            return experiment(weights, coverage: Double(Int.random(in: 0...20, using: &random)) / 20, hash: hash)
        }
        func name(_ bucket: Int, _ experiment: Experiment) -> String? {
            let total = experiment.variants.reduce(0) { $0 + ($1.weight ?? 0) }
            var start = 0.0
            for variant in experiment.variants {
                let share = (variant.weight ?? 0) / total
                let fraction = Double(bucket) / Double(buckets)
                if fraction >= start, fraction < start + experiment.coverage * share { return variant.name }
                start += share
            }
            return nil
        }
        for _ in 0..<Search.count(2) {
            let (old, new) = (any(), any())
            let moved = (0..<buckets).filter { name($0, old) != name($0, new) }.count
            let moves = UnitMoves(from: old, to: new)
            #expect(moves.share == Double(moved) / Double(buckets))
            #expect(moves.method == .exact)
        }
        let (old, new) = (experiment([70, 30], hash: hash), experiment([20, 30, 50], coverage: 0.9, hash: hash))
        #expect(abs(UnitMoves(from: old, to: new).share - counted(old, new)) < 0.03)
    }

    @Test("of another seed or hash, 5,000 hashed ids agree within three points")
    func independent() {
        let old = experiment([70, 30])
        let others = [
            experiment([70, 30], seed: "t"), experiment([50, 30, 20], coverage: 0.8, seed: "another"),
            experiment([70, 30], hash: .v1), experiment([1, 1], seed: "x", names: ["v1", "new"]),
        ]
        for new in others {
            let moves = UnitMoves(from: old, to: new)
            #expect(moves.method == .independent)
            #expect(abs(moves.share - counted(old, new)) < 0.03)
        }
    }

    @Test("another unit is independent too; an unknown hash gives no unit a variant")
    func others() {
        let old = experiment([70, 30])
        let moves = UnitMoves(from: old, to: experiment([70, 30], unit: "deviceId"))
        #expect(moves.method == .independent)
        #expect(abs(moves.share - (1 - 0.7 * 0.7 - 0.3 * 0.3)) < 1e-9)
        let unknown = experiment([70, 30], hash: nil)
        #expect(UnitMoves(from: old, to: unknown).share == 1)
        #expect(UnitMoves(from: unknown, to: unknown).share == 0)
        #expect(UnitMoves(from: experiment([1], coverage: 0.5), to: unknown).share == 0.5)
    }

    @Test("stickiness and filters are told")
    func told() {
        let (sticky, loose) = (experiment([1, 1], isSticky: true), experiment([1, 1]))
        #expect(UnitMoves(from: sticky, to: sticky).keepsAssigned)
        #expect(!UnitMoves(from: loose, to: sticky).keepsAssigned)
        #expect(!UnitMoves(from: sticky, to: loose).keepsAssigned)
        #expect(UnitMoves(from: loose, to: loose).stickiness == .none)
        #expect(UnitMoves(from: sticky, to: sticky).stickiness == .kept)
        #expect(UnitMoves(from: sticky, to: loose).stickiness == .ended)
        #expect(UnitMoves(from: loose, to: sticky).stickiness == .begun)
        #expect(!UnitMoves(from: loose, to: sticky).isAudienceOther)
        #expect(UnitMoves(from: loose, to: experiment([1, 1], countries: [])).isAudienceOther)
    }
}
