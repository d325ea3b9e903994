import Testing
import TrackerConfig
import TrackerCore

/// What a fleet of 100,000 units sees of shares.
@Suite("Shares of a simulated fleet")
struct FleetSimulationTests {
    private static let units = (0..<100_000).map { "user-\($0)" }

    private static func features(coverage: Double) -> Features {
        let names = ["a", "b"]
        return Features(
            names.map { name in
                let bucket = RuleBucket(seed: name, coverage: coverage)
                return FeatureDefinition(
                    name: name, isEnabled: false, rules: [FeatureRule(id: "ramp", bucket: bucket, isEnabled: true)])
            })
    }

    private static func enabled(_ feature: String, _ features: Features) -> Set<Int> {
        Set(units.indices.filter { features.isEnabled(feature, for: FeatureContext(userID: units[$0])) })
    }

    @Test("a rule's coverage is its share of the units, and a larger one keeps all units of a smaller one")
    func ramp() {
        var before: Set<Int> = []
        for coverage in [0, 0.01, 0.05, 0.1, 0.25, 0.5, 0.75, 1] {
            let now = Self.enabled("a", Self.features(coverage: coverage))
            #expect(abs(Double(now.count) / Double(Self.units.count) - coverage) < 0.005, "\(coverage)")
            #expect(before.isSubset(of: now), "\(coverage)")
            before = now
        }
        #expect(before.count == Self.units.count)
    }

    @Test("the shares of two features are independent of each other")
    func independence() {
        let features = Self.features(coverage: 0.5)
        let (a, b) = (Self.enabled("a", features), Self.enabled("b", features))
        let both = Double(a.intersection(b).count)
        let expected = Double(a.count) * Double(b.count) / Double(Self.units.count)
        // Four standard deviations of the number that chance gives.
        #expect(abs(both - expected) < 4 * (expected * 0.25).squareRoot())
    }

    @Test("experiments in ranges of one namespace that do not overlap share no unit, and cover the whole namespace")
    func namespaces() {
        let experiments = [("x", 0.0, 0.4), ("y", 0.4, 1.0)].map { id, from, to in
            Experiment(
                id: id, targeting: Targeting(filters: [.namespace("checkout", from, to)]),
                variants: [ExperimentVariant(name: "a"), ExperimentVariant(name: "b")])
        }
        let features = Features([], experiments: experiments)
        var counts = [0, 0]
        for unit in Self.units {
            let isIn = ["x", "y"].map {
                features.experiments.variant(of: $0, default: "", for: FeatureContext(userID: unit)).isInExperiment
            }
            #expect(isIn.filter(\.self).count == 1)
            for index in isIn.indices where isIn[index] { counts[index] += 1 }
        }
        #expect(abs(Double(counts[0]) / Double(Self.units.count) - 0.4) < 0.005)
    }

    @Test("the variants of an experiment match its weights, and a namespace does not change them")
    func weights() {
        let experiment = Experiment(
            id: "e", targeting: Targeting(filters: [.namespace("checkout", 0, 0.5)]),
            variants: [ExperimentVariant(name: "a", weight: 70), ExperimentVariant(name: "b", weight: 30)])
        let features = Features([], experiments: [experiment])
        var counts: [String: Double] = [:]
        for unit in Self.units {
            let given = features.experiments.variant(of: "e", default: "none", for: FeatureContext(userID: unit))
            counts[given.variant, default: 0] += 1
        }
        let members = counts["a", default: 0] + counts["b", default: 0]
        #expect(abs(members / Double(Self.units.count) - 0.5) < 0.005)
        #expect(abs(counts["a", default: 0] / members - 0.7) < 0.01)
    }
}
