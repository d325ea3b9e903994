import TestSupport
import Testing
import TrackerFeatures

/// That units get the variants that GrowthBook's hash gives them.
@Suite("Bucketing", .endsWhenItHangs)
struct BucketingTests {
    @Test(
        "hashes are those that GrowthBook publishes; texts beyond ASCII are hashed by UTF-16 code units",
        arguments: [
            ("", "a", .v1, 0.22), ("", "b", .v1, 0.077), ("b", "a", .v1, 0.946), ("ef", "d", .v1, 0.652),
            ("asdf", "8952klfjas09ujk", .v1, 0.549), ("", "123", .v1, 0.011), ("", "___)((*\":&", .v1, 0.563),
            ("seed", "a", .v2, 0.0505), ("seed", "b", .v2, 0.2696), ("foo", "ab", .v2, 0.2575),
            ("foo", "def", .v2, 0.2019), ("89123klj", "8952klfjas09ujkasdf", .v2, 0.124),
            ("90850943850283058242805", "123", .v2, 0.7516), ("()**(%$##$%#$#", "___)((*\":&", .v2, 0.0128),
            ("", "", .v1, 0.261), ("", "", .v2, 0.2305), ("s", "u8408", .v2, 0.0578),
            ("seed", "é", .v2, 0.8663), ("seed", "é", .v1, 0.137), ("é", "u-1", .v2, 0.9946), ("s", "€€€", .v2, 0.2864),
            ("😀", "жук", .v2, 0.5679), ("😀", "жук", .v1, 0.345),
            ("seed", "user-é-and-more-than-16", .v2, 0.4207), ("naïve", "user-é", .v1, 0.391),
        ] as [(String, String, HashVersion, Double)])
    func hashes(seed: String, value: String, version: HashVersion, fraction: Double) {
        #expect(Bucketing.fraction(of: value, seed: seed, version: version) == fraction)
    }

    @Test(
        "each variant's range begins where the weights before it end, and coverage cuts its end",
        arguments: [
            ([nil, nil], 1, [0..<0.5, 0.5..<1]), ([nil, nil], 0.5, [0..<0.25, 0.5..<0.75]),
            ([70, 30], 1, [0..<0.7, 0.7..<1]), ([0.7, 0.3], 0, [0..<0, 0.7..<0.7]), ([0, 1], 1, [0..<0, 0..<1]),
            ([1, nil, 3], 1, [0..<0.25, 0.25..<0.25, 0.25..<1]), ([5], 1, [0..<1]), ([0, 0], 1, [0..<0, 0..<0]),
            ([1e308, 1e308], 1, [0..<0.5, 0.5..<1]),
            ([.leastNonzeroMagnitude, .leastNonzeroMagnitude], 1, [0..<0.5, 0.5..<1]), ([], 1, []),
        ] as [([Double?], Double, [Range<Double>])])
    func ranges(weights: [Double?], coverage: Double, ranges: [Range<Double>]) {
        #expect(Bucketing.ranges(weights: weights, coverage: coverage) == ranges)
    }

    @Test("weights count in relation to their sum, also if it is nearly 1; a sum that rounding keeps from 1 is 1")
    func relation() {
        for weights in [[0.33, 0.33, 0.33], [0.505, 0.505], [0.5, 0.49], [0.995], [1, 0.01], [0.1, 0.1]] {
            let widths = Bucketing.ranges(weights: weights, coverage: 1).map { $0.upperBound - $0.lowerBound }
            let sum = weights.reduce(0, +)
            #expect(zip(widths, weights).allSatisfy { ($0 - $1 / sum).magnitude < 1e-12 }, "\(weights)")
        }
        let ranges: [Range<Double>] = [0..<0.7, 0.7..<0.7 + 0.1, 0.7 + 0.1..<0.7 + 0.1 + 0.2]
        #expect(Bucketing.ranges(weights: [0.7, 0.1, 0.2], coverage: 1) == ranges)
    }

    @Test(
        "a weight or a coverage that is no share is kept within its bounds, and never ends the process",
        arguments: [-1, 7, .nan, .infinity, -.infinity, .greatestFiniteMagnitude, -0.0] as [Double])
    func unusableShares(number: Double) {
        func experiment(_ weights: [Double], coverage: Double = 1) -> Experiment {
            let variants = weights.enumerated().map { ExperimentVariant(name: "\($0)", weight: $1) }
            return Experiment(id: "x", coverage: coverage, variants: variants)
        }
        for weights in [[number], [number, 2], [1, number, 0], [number, number, .infinity], [number, .nan]] {
            for coverage in [1, number] {
                let ranges = experiment(weights, coverage: coverage).ranges
                #expect(ranges.count == weights.count)
                #expect(ranges.allSatisfy { 0 <= $0.lowerBound && $0.upperBound <= 1.000_001 })
            }
        }
        let counts = (0..<1000).count { experiment([1, 1], coverage: number).variantIndex(for: "u-\($0)") != nil }
        #expect(counts == (number >= 1 ? 1000 : 0))
        let bucket = RuleBucket(seed: "s", coverage: number)
        #expect((0..<100).allSatisfy { bucket.contains("u-\($0)") == (number >= 1) })
    }

    @Test("with full coverage no fraction is without a variant, whatever the weights")
    func noGaps() {
        for weights in [[1, 1, 1], [0.1, 0.2, 0.7], [1, 2, 3, 5, 7, 11, 13], Array(repeating: 0.3, count: 97)] {
            let ranges = Bucketing.ranges(weights: weights, coverage: 1)
            // The highest fraction is 0.9999.
            #expect(ranges.first?.lowerBound == 0 && ranges.last?.contains(0.9999) == true)
            #expect(zip(ranges, ranges.dropFirst()).allSatisfy { $0.upperBound == $1.lowerBound })
        }
    }

    @Test("the variant is the one whose range has the fraction, its end excluded")
    func variantIndex() {
        let ranges: [Range<Double>] = [0..<0.25, 0.5..<0.75]
        let fractions = [0, 0.2499, 0.25, 0.4999, 0.5, 0.7499, 0.75, 0.9999]
        #expect(fractions.map { Bucketing.variantIndex($0, in: ranges) } == [0, 0, nil, nil, 1, 1, nil, nil])
    }

    @Test("the shares of 10,000 units are the weights within 1.5 points", arguments: HashVersion.allCases)
    func shares(version: HashVersion) {
        let variants = [ExperimentVariant(name: "a", weight: 70), ExperimentVariant(name: "b", weight: 30)]
        let experiment = Experiment(id: "checkout_01", hashVersion: version, targeting: Targeting(), variants: variants)
        let first = (0..<10_000).count { experiment.variantIndex(for: "user-\($0)") == 0 }
        #expect(abs(Double(first) / 10_000 - 0.7) < 0.015)
    }

    @Test("a unit's variant follows from the experiment's seed, hash and ranges")
    func variantOfUnit() {
        let variants = [ExperimentVariant(name: "a"), ExperimentVariant(name: "b")]
        // GrowthBook's cases: 0.0505 and 0.7516 by version 2, 0.946 by version 1.
        let bySeed = Experiment(id: "x", seed: "seed", variants: variants)
        #expect(bySeed.variantIndex(for: "a") == 0)
        #expect(Experiment(id: "90850943850283058242805", variants: variants).variantIndex(for: "123") == 1)
        #expect(
            Experiment(id: "b", hashVersion: .v1, targeting: Targeting(), variants: variants).variantIndex(for: "a")
                == 1)
        #expect(Experiment(id: "x", seed: "seed", coverage: 0.1, variants: variants).variantIndex(for: "a") == nil)
        #expect(
            Experiment(id: "x", seed: "seed", hashVersion: nil, targeting: Targeting(), variants: variants)
                .variantIndex(for: "a") == nil)
    }
}
