import TestSupport
import Testing
import TrackerFeatures

/// What a fleet of 5,000 units sees of shares.
@Suite("Shares of a simulated fleet", .endsWhenItHangs)
struct FleetSimulationTests {
    private static let units = (0..<5000).map { "user-\($0)" }

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
        for coverage in [0, 0.05, 0.25, 1] {
            let now = Self.enabled("a", Self.features(coverage: coverage))
            #expect(abs(Double(now.count) / Double(Self.units.count) - coverage) < 0.025, "\(coverage)")
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
}
