import TestSupport
import Testing
import TrackerFeatures

/// Who takes part by an experiment's targeting, ranges and switches.
@Suite("The targeting of experiments", .endsWhenItHangs)
struct ExperimentTargetingTests {
    private let rig = ExperimentRig()
    private let ab = [ExperimentVariant(name: "a", weight: 0), ExperimentVariant(name: "b", weight: 1)]

    private func short(_ experiments: Experiments, _ context: FeatureContext) -> String {
        experiments.variant(of: "x", default: "-", for: context).short
    }

    @Test("an experiment that is switched off or unusable gives no variant; an override forces one all the same")
    func closed() {
        for (experiment, reason) in [
            (Experiment(id: "x", isEnabled: false, variants: ab), "disabled"),
            (Experiment(id: "x", targeting: Targeting(), isUsable: false, variants: ab), "unusable"),
            (Experiment(id: "x", targeting: Targeting(), isEnabled: false, isUsable: false, variants: ab), "disabled"),
            (Experiment(id: "x", forcedVariant: "zz", variants: ab), "unusable"),
        ] {
            let experiments = rig.run(experiment)
            experiments.setCondition(for: "x") { _ in false }
            #expect(experiments.short() == "- \(reason)")
            rig.force(["x": "a"], in: experiments)
            #expect(experiments.short() == "a forced")
            rig.force([:], in: experiments)
        }
    }

    @Test("a sticky experiment that is switched off keeps its assignments")
    func disabledSticky() async {
        let first = rig.run(.weighted(0, 1, isSticky: true))
        #expect(first.short() == "b assigned*")
        await first.settle()
        rig.use([Experiment(id: "x", isSticky: true, isEnabled: false, variants: ab)], in: first)
        #expect(first.short() == "- disabled")
        await first.settle()
        let second = rig.run(.weighted(1, 0, isSticky: true))
        #expect(second.short() == "b sticky*")
    }

    @Test("a filter lets the units of its ranges in, by its own unit or the experiment's")
    func filters() {
        // GrowthBook's case "Filtered, included".
        let filters = [
            BucketFilter(seed: "seed", ranges: [0..<0.1, 0.2..<0.4]),
            BucketFilter(unit: "anonId", seed: "seed", ranges: [0.8..<1]),
        ]
        let experiments = rig.run(
            Experiment(id: "x", targeting: Targeting(filters: filters), variants: ab))
        let both = FeatureContext(units: ["userId": "1", "anonId": "fsdafsda"])
        #expect(short(experiments, both) == "b assigned")
        #expect(short(experiments, FeatureContext(userID: "1")) == "- notCovered")
        #expect(short(experiments, FeatureContext(units: ["userId": "2", "anonId": "fsdafsda"])) == "- notCovered")
        let unknown = BucketFilter(seed: "seed", hashVersion: nil, ranges: [0..<1])
        rig.use([Experiment(id: "x", targeting: Targeting(filters: [unknown]), variants: ab)], in: experiments)
        #expect(short(experiments, both) == "- notCovered")
    }

    @Test("a namespace shares the units between experiments: each takes part in one alone")
    func namespaces() {
        func experiment(_ id: String, _ from: Double, _ to: Double) -> Experiment {
            Experiment(id: id, targeting: Targeting(filters: [.namespace("ns", from, to)]), variants: ab)
        }
        // One that ends before it starts has no unit.
        let experiments = rig.run(experiment("x", 0, 0.5), experiment("y", 0.5, 1), experiment("z", 0.6, 0.2))
        let parts = (0..<1000).map { user in
            ["x", "y", "z"].filter { experiments.short($0, "u-\(user)") == "b assigned" }
        }
        #expect(parts.allSatisfy { $0.count == 1 })
        #expect(400...600 ~= parts.count { $0 == ["x"] })
    }

    @Test("a prerequisite is asked with the context; without an answer it does not hold")
    func prerequisites() throws {
        let targeting = Targeting(prerequisites: [Prerequisite(feature: "p"), Prerequisite(feature: "q")])
        let experiment = Experiment(id: "x", targeting: targeting, variants: ab)
        let experiments = rig.run(experiment)
        #expect(experiments.short() == "- prerequisite")
        let first = Targeting(condition: Condition(["userId": "u-1"]))
        let features = [
            FeatureDefinition(name: "p", isEnabled: true),
            FeatureDefinition(name: "q", rules: [FeatureRule(id: "r", targeting: first, isEnabled: true)]),
        ]
        rig.use([experiment], features, in: experiments)
        #expect(experiments.short() == "b assigned")
        #expect(experiments.short("x", "u-2") == "- prerequisite")
    }

    @Test("the unit is asked first, then filters, the condition, prerequisites and the hash")
    func order() {
        let condition = Condition(["plan": "pro"])
        let none = BucketFilter(seed: "", ranges: [])
        let prerequisites = [Prerequisite(feature: "p")]
        for (targeting, reason) in [
            (Targeting(condition: condition, prerequisites: prerequisites, filters: [none]), "notCovered"),
            (Targeting(condition: condition, prerequisites: prerequisites), "condition"),
            (Targeting(prerequisites: prerequisites), "prerequisite"),
        ] {
            let experiments = rig.run(Experiment(id: "x", coverage: 0, targeting: targeting, variants: ab))
            #expect(short(experiments, FeatureContext()) == "- noUnit")
            #expect(experiments.short() == "- \(reason)")
        }
    }

    @Test("explicit ranges may overlap, have gaps and stand in any order; the first that holds the fraction counts")
    func ranges() throws {
        func share(_ ranges: [Range<Double>]) -> [String: Int] {
            let experiments = rig.run(Experiment(id: "x", targeting: Targeting(), ranges: ranges, variants: ab))
            return (0..<1000).reduce(into: [:]) { $0[experiments.short("x", "u-\($1)"), default: 0] += 1 }
        }
        #expect(share([0..<1, 0..<1]) == ["a assigned": 1000])
        #expect(share([0.5..<1, 0..<0.5]).keys.sorted() == ["a assigned", "b assigned"])
        let gap = share([0.9..<1, 0..<0.1])
        #expect(try 60...140 ~= #require(gap["a assigned"]))
        #expect(try 700...900 ~= #require(gap["- notCovered"]))
        #expect(share([]) == ["- notCovered": 1000])
        // More ranges than variants.
        #expect(share([0..<0, 0..<0, 0..<1]) == ["- notCovered": 1000])
    }

    @Test("a forced variant goes to all units that the hash covers, and is neither exposed nor stored")
    func forcedVariant() async {
        let site = ExposureSite()
        for isSticky in [false, true] {
            let experiment = Experiment(
                id: "x", coverage: 0.5, isSticky: isSticky, forcedVariant: "a", variants: ab)
            let experiments = rig.run(experiment, configure: site.record)
            let shorts = (0..<200).map { experiments.short("x", "u-\($0)") }
            #expect(Set(shorts) == ["a forced", "- notCovered"])
            await experiments.settle()
            #expect(experiments.counters.assignmentsStored == 0)
            #expect(experiments.counters.exposuresTracked == 0)
        }
    }

    @Test("a variant that passes on to the next rule says so, and its units take part")
    func passthrough() async {
        let site = ExposureSite()
        let holdout = ExperimentVariant(name: "h", overrides: [:], isPassthrough: true)
        let experiments = rig.run(Experiment(id: "x", variants: [holdout]), configure: site.record)
        #expect(experiments.short("x", "u") == "h assigned")
        #expect(await site.told().count == 1)
    }

    @Test("a unit is an id of the units, else an attribute that is a text or a number of any size")
    func unitOfAttributes() throws {
        func id(_ context: FeatureContext) -> String? { context.unit("n")?.id }
        #expect(id(FeatureContext(units: ["n": "u"], attributes: ["n": "a"])) == "u")
        #expect(id(FeatureContext(units: ["n": ""], attributes: ["n": "a"])) == "a")
        for (value, text) in [
            ("a", "a"), ("", nil), (7, "7"), (0, "0"), (1.5, "1.5"), (.double(3), "3"), (.double(.nan), nil),
            (true, nil), (nil, nil), (["a"], nil), (["a": 1], nil),
        ] as [(JSONValue, String?)] {
            #expect(id(FeatureContext(attributes: ["n": value])) == text)
        }
        let experiments = rig.run(.weighted(0, 1))
        #expect(short(experiments, FeatureContext(attributes: ["userId": 42])) == "b assigned")
    }

    @Test("units and a variant's values are found among few and among many", arguments: [1, 5, 20])
    func many(count: Int) {
        let units = (0..<count).map { ("n\($0)", "u\($0)") }
        let context = FeatureContext(units: Dictionary(uniqueKeysWithValues: units))
        for (name, id) in units {
            #expect(context.unit(name)?.id == id)
            #expect(context.attribute(name) == .string(id))
        }
        #expect(context.unit("n\(count)") == nil)
        let values = (0..<count).map { ("f\($0)", ["v": .int($0)] as JSONObject) }
        let variant = ExperimentVariant(name: "a", values: Dictionary(uniqueKeysWithValues: values))
        let features = Features(experiments: [Experiment(id: "x", unit: "n0", variants: [variant])])
        let read = (0...count).map { features.value("f\($0)", variable: "v", default: -1, for: context) }
        #expect(read == Array(0..<count) + [-1])
        #expect(features.value("f0", variable: "w", default: -1, for: context) == -1)
    }

    @Test("a condition sees attributes, then units, then country and language")
    func attributes() {
        let context = FeatureContext(
            units: ["userId": "u", "plan": "unit"], country: "US", language: "en",
            attributes: ["plan": "pro", "no": nil])
        #expect(context.attribute("plan") == "pro")
        #expect(context.attribute("no") == JSONValue.null)
        #expect(context.attribute("userId") == "u")
        #expect(context.attribute("country") == "US")
        #expect(context.attribute("language") == "en")
        #expect(context.attribute("other") == nil)
        #expect(FeatureContext(attributes: ["country": "IL"]).attribute("country") == "IL")
        #expect(FeatureContext().attribute("country") == nil)
    }
}
