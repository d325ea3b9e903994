import DocumentTools
import TestSupport
import Testing
import TrackerConfig
import TrackerTesting

/// How many units get something else when rules change.
@Suite("Units for which rules decide otherwise", .endsWhenItHangs)
struct RuleMovesTests {
    private static let pro = Condition(["plan": "pro"])
    private static let beta = Condition(["beta": true])

    private func ramp(
        _ coverage: Double, seed: String = "f", unit: String = "userId", id: String = "ramp",
        condition: Condition? = nil, prerequisites: [Prerequisite] = [], values: JSONObject = [:]
    ) -> FeatureRule {
        FeatureRule(
            id: id, targeting: Targeting(condition: condition, prerequisites: prerequisites),
            bucket: RuleBucket(unit: unit, seed: seed, coverage: coverage), isEnabled: values.isEmpty ? true : nil,
            values: values)
    }

    private func feature(_ rules: [FeatureRule], enabled: Bool? = false, v: JSONValue? = nil) -> FeatureDefinition {
        FeatureDefinition(
            name: "f", isEnabled: enabled, variables: v.map { [VariableDefinition(name: "v", value: $0)] } ?? [],
            rules: rules)
    }

    private func moves(
        _ old: FeatureDefinition, _ new: FeatureDefinition, others: [FeatureDefinition] = [],
        changed: [FeatureDefinition]? = nil, experiments: [Experiment] = [], default: [FeatureDefinition] = []
    ) -> RuleMoves {
        RuleMoves(
            from: old, to: new,
            in: RuleSurroundings(
                from: [old] + others, to: [new] + (changed ?? others), experiments: (experiments, experiments),
                default: `default`))
    }

    /// What a service that reads both documents sees.
    private func counted(_ old: FeatureDefinition, _ new: FeatureDefinition, _ attributes: JSONObject = [:]) -> Double {
        let (before, after) = (Features([old]), Features([new]))
        let moved = (0..<1000).filter { number in
            let context = FeatureContext(units: ["userId": "unit-\(number)"], attributes: attributes)
            return before.values(of: "f", for: context) != after.values(of: "f", for: context)
        }
        return Double(moved.count) / 1000
    }

    @Test("a ramp that grows moves the buckets between both coverages, to the bucket")
    func ramps() {
        // The bound itself belongs to a coverage, so that 0.2 has 2,001 of 10,000 buckets.
        let cases: [(Double, Double, Double)] = [
            (0.2, 0.5, 0.3), (0.5, 0.2, 0.3), (0.2, 0.2, 0), (0, 0.5, 0.5001), (0.25, 1, 0.7499),
        ]
        for (from, to, share) in cases {
            let found = moves(feature([ramp(from)]), feature([ramp(to)]))
            #expect(found.share == share, "\(from) to \(to)")
            #expect(found.method == .exact && found.matchingShares == nil && found.obstacle == nil)
        }
    }

    @Test("the share agrees with what services read, whatever the rules")
    func agrees() {
        var random = SeededRandom(seed: Search.seed(3))
        func any() -> FeatureDefinition {
            let rules = (0..<Int.random(in: 0...4, using: &random)).map { index in
                let bounds = [Double.random(in: 0...1, using: &random), .random(in: 0...1, using: &random)].sorted()
                return FeatureRule(
                    id: "\(index)",
                    bucket: Bool.random(using: &random)
                        ? RuleBucket(seed: "f", range: bounds[0]..<bounds[1]) : nil,
                    isEnabled: [true, false, nil].randomElement(using: &random)!,
                    values: Bool.random(using: &random) ? ["v": .int(.random(in: 1...3, using: &random))] : [:],
                    isUsable: Int.random(in: 0...4, using: &random) > 0)
            }
            return feature(rules, enabled: Bool.random(using: &random), v: .int(.random(in: 1...3, using: &random)))
        }
        for _ in 0..<Search.count(3) {
            let (old, new) = (any(), any())
            let found = moves(old, new)
            #expect(found.method == .exact)
            // 1,000 hashed ids deviate from 10,000 buckets.
            #expect(abs(found.share! - counted(old, new)) < 0.07)
        }
    }

    @Test("values, their plain values and the order count; a rule that gives what is there anyway does not")
    func values() {
        let two = ramp(0.3, values: ["v": 2])
        #expect(moves(feature([two], v: 1), feature([], v: 1)).share == 0.3001)
        #expect(moves(feature([two], v: 2), feature([], v: 2)).share == 0)
        #expect(moves(feature([two], v: 1), feature([two], v: 5)).share == 0.6999)
        let three = FeatureRule(id: "three", values: ["v": 3])
        #expect(moves(feature([two, three], v: 1), feature([three, two], v: 1)).share == 0.3001)
        // Readers of the variable ignore a value of another type.
        let text = ramp(0.3, values: ["v": "two"])
        #expect(moves(feature([text], v: 1), feature([], v: 1)).share == 0)
        // What the documents do not say comes from the default.
        let below = feature([], enabled: nil, v: 2)
        #expect(moves(feature([two]), feature([]), default: [below]).share == 0)
    }

    @Test("of a condition the share of those that match is told apart from that of the others")
    func conditions() {
        let one = moves(
            feature([ramp(0.2, condition: Self.pro)]), feature([ramp(0.5, condition: Self.pro)]))
        #expect((one.share, one.matchingShares, one.method) == (0, 0.3...0.3, .exact))
        let both = moves(
            feature([FeatureRule(id: "b", targeting: Targeting(condition: Self.beta), isEnabled: true), ramp(0.2)]),
            feature([FeatureRule(id: "b", targeting: Targeting(condition: Self.beta), isEnabled: true), ramp(0.5)]))
        #expect((both.share, both.matchingShares) == (0.3, 0...0))
        let other = moves(
            feature([ramp(0.2, condition: Self.pro)]), feature([ramp(0.2, condition: Self.beta)]))
        #expect((other.share, other.matchingShares) == (0, 0...0.2001))
    }

    @Test("several seeds or units are taken as independent")
    func independent() {
        let seeds = moves(feature([ramp(0.2)]), feature([ramp(0.2, seed: "g")]))
        #expect(seeds.method == .independent)
        #expect(abs(seeds.share! - 0.32) < 0.001)
        #expect(abs(counted(feature([ramp(0.2)]), feature([ramp(0.2, seed: "g")])) - seeds.share!) < 0.07)
        #expect(moves(feature([ramp(0.2)]), feature([ramp(0.2, unit: "deviceId")])).method == .independent)
        let filter = BucketFilter.namespace("n", 0, 0.5)
        let filtered = FeatureRule(id: "r", targeting: Targeting(filters: [filter]), isEnabled: true)
        let half = moves(feature([]), feature([filtered]))
        #expect((half.share, half.method) == (0.5, .exact))
    }

    @Test("prerequisites are cases too, unless their features change; a gate turns all off")
    func prerequisites() {
        let base = FeatureDefinition(name: "base", isEnabled: true)
        let needs = Prerequisite(feature: "base")
        let (old, new) = (feature([ramp(0.2, prerequisites: [needs])]), feature([ramp(0.5, prerequisites: [needs])]))
        let found = moves(old, new, others: [base])
        #expect((found.share, found.matchingShares) == (0, 0.3...0.3))
        let other = moves(old, new, others: [base], changed: [FeatureDefinition(name: "base", isEnabled: false)])
        #expect((other.share, other.method, other.obstacle) == (nil, .unknown, .prerequisites))
        let gate = FeatureRule(
            id: "g", targeting: Targeting(prerequisites: [Prerequisite(feature: "base", isGate: true)]))
        let gated = moves(feature([], enabled: true, v: 1), feature([gate], enabled: true, v: 1), others: [base])
        #expect((gated.share, gated.matchingShares) == (1, 0...0))
    }

    @Test("what cannot be known has no number")
    func unknown() {
        let experiment = Experiment(id: "e", variants: [ExperimentVariant(name: "a", values: ["f": ["v": 2]])])
        let (old, new) = (feature([ramp(0.2)], v: 1), feature([ramp(0.5)], v: 1))
        #expect(moves(old, new, experiments: [experiment]).obstacle == .experiments)
        let rule = FeatureRule(id: "r", experiment: Experiment(id: "x", variants: [ExperimentVariant(name: "a")]))
        #expect(moves(old, feature([rule])).obstacle == .experiments)
        #expect(moves(old, new, default: [feature([ramp(0.1)])]).obstacle == .default)
        let many = (0..<7).map { index in
            ramp(0.5, id: "\(index)", condition: Condition(["a": .int(index)]))
        }
        let found = moves(old, feature(many))
        #expect((found.obstacle, found.share, found.matchingShares, found.method) == (.size, nil, nil, .unknown))
        let seeds = (0..<20).map { ramp(0.5, seed: "\($0)", id: "\($0)") }
        #expect(moves(old, feature(seeds)).obstacle == .size)
    }

    @Test("a long chain of features with two prerequisites each is walked once", arguments: [true, false])
    func chain(isChanged: Bool) {
        func chain(_ isEnabled: Bool) -> [FeatureDefinition] {
            let features = (0..<2000).map { index in
                let next = Prerequisite(feature: "c\(index + 1)")
                let rule = FeatureRule(id: "r", targeting: Targeting(prerequisites: [next, next]), isEnabled: true)
                return FeatureDefinition(name: "c\(index)", rules: [rule])
            }
            return features + [FeatureDefinition(name: "c2000", isEnabled: isEnabled)]
        }
        let needs = [Prerequisite(feature: "c0")]
        let found = moves(
            feature([ramp(0.2, prerequisites: needs)]), feature([ramp(0.5, prerequisites: needs)]),
            others: chain(true), changed: chain(!isChanged))
        let obstacle: RuleMoves.Obstacle? = isChanged ? .prerequisites : nil
        #expect(found.obstacle == obstacle)
    }

    @Test("a feature is not stable if one of several prerequisites of its prerequisites changes")
    func diamond() {
        func base(_ isEnabled: Bool) -> [FeatureDefinition] {
            let rule = FeatureRule(
                id: "r",
                targeting: Targeting(prerequisites: [Prerequisite(feature: "same"), Prerequisite(feature: "last")]),
                isEnabled: true)
            return [
                FeatureDefinition(name: "top", rules: [rule]), FeatureDefinition(name: "same", isEnabled: true),
                FeatureDefinition(name: "last", isEnabled: isEnabled),
            ]
        }
        func found(_ name: String) -> RuleMoves {
            let needs = [Prerequisite(feature: name)]
            return moves(
                feature([ramp(0.2, prerequisites: needs)]), feature([ramp(0.5, prerequisites: needs)]),
                others: base(true), changed: base(false))
        }
        #expect(found("top").obstacle == .prerequisites)
        #expect(found("last").obstacle == .prerequisites)
        #expect(found("same").obstacle == nil)
        #expect(found("missing").obstacle == nil)
    }

    @Test("a seed whose ranges leave no unit out makes no cells, and too many ranges are not tried")
    func manyShares() {
        func found(_ filters: Int, _ ranges: [Range<Double>]) -> RuleMoves {
            let filters = (0..<filters).map { BucketFilter(seed: "\($0)", ranges: [0..<1]) }
            let targeting = Targeting(filters: filters + [BucketFilter(seed: "s", ranges: ranges)])
            return moves(feature([]), feature([FeatureRule(id: "r", targeting: targeting, isEnabled: true)]))
        }
        let some = found(100, [0..<0.5])
        #expect((some.share, some.method) == (0.5, .independent))
        #expect(found(1, [0..<0]).share == 0)
        let steps = (0..<5000).map { Double($0) / 5000 }.map { $0..<$0 + 0.000_1 }
        #expect(found(0, steps).obstacle == .size)
        #expect(found(5000, steps).obstacle == .size)
    }
}
