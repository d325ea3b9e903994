import TestSupport
import Testing
import TrackerCore

@testable import TrackerConfig
@testable import TrackerFeatures

/// Who takes part by an experiment's targeting, ranges and switches.
@Suite("The targeting of experiments")
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
            rig.forced.withLock { $0 = ["x": "a"] }
            #expect(experiments.short() == "a forced")
            rig.forced.withLock { $0 = [:] }
        }
    }

    @Test("a sticky experiment that is switched off keeps its assignments", .endsWhenItHangs)
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

    @Test("a condition that does not hold excludes the context, before the hash and after the unit")
    func condition() {
        let targeting = Targeting(condition: Condition(["plan": "pro"]))
        let experiments = rig.run(Experiment(id: "x", coverage: 0, targeting: targeting, variants: ab))
        #expect(short(experiments, FeatureContext()) == "- noUnit")
        #expect(short(experiments, FeatureContext(userID: "u-1")) == "- condition")
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
        let experiments = rig.run(experiment("x", 0, 0.5), experiment("y", 0.5, 1))
        let parts = (0..<1000).map { user in
            ["x", "y"].filter { experiments.short($0, "u-\(user)") == "b assigned" }
        }
        #expect(parts.allSatisfy { $0.count == 1 })
        #expect(400...600 ~= parts.count { $0 == ["x"] })
    }

    @Test("a number of any size is a unit's id")
    func numbers() throws {
        let digits = "123456789012345678901234567890"
        let number = try JSONReader.read(Array(digits.utf8)).value
        let experiments = rig.run(Experiment(id: "x", unit: "account", variants: ab))
        #expect(short(experiments, FeatureContext(attributes: ["account": number])) == "b assigned")
        #expect(FeatureContext(attributes: ["account": number]).unit("account")?.id == digits)
    }

    @Test("a prerequisite is asked with the context; without an answer it does not hold")
    func prerequisites() {
        let targeting = Targeting(prerequisites: [Prerequisite(feature: "p"), Prerequisite(feature: "q")])
        let experiment = Experiment(id: "x", targeting: targeting, variants: ab)
        #expect(rig.run(experiment).short() == "- prerequisite")
        let asked = Locked<[String]>([])
        let experiments = rig.run(experiment) { parts in
            parts.meets = { prerequisite, context, _, _ in
                asked.withLock { $0.append("\(prerequisite.feature) \(context.units["userId"] ?? "")") }
                return prerequisite.feature == "p" || context.units["userId"] == "u-1"
            }
        }
        #expect(experiments.short() == "b assigned")
        #expect(experiments.short("x", "u-2") == "- prerequisite")
        #expect(asked.withLock { $0 } == ["p u-1", "q u-1", "p u-2", "q u-2"])
    }

    @Test("filters come before the condition, and it comes before prerequisites")
    func order() {
        let condition = Condition(["plan": "pro"])
        let none = BucketFilter(seed: "", ranges: [])
        let prerequisites = [Prerequisite(feature: "p")]
        for (targeting, reason) in [
            (Targeting(condition: condition, prerequisites: prerequisites, filters: [none]), "notCovered"),
            (Targeting(condition: condition, prerequisites: prerequisites), "condition"),
            (Targeting(prerequisites: prerequisites), "prerequisite"),
        ] {
            #expect(rig.run(Experiment(id: "x", targeting: targeting, variants: ab)).short() == "- \(reason)")
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

    @Test("units of a blocked variant take part no more, and the others keep theirs", .endsWhenItHangs)
    func blocked() async {
        let variants = [ExperimentVariant(name: "a"), ExperimentVariant(name: "b")]
        for isSticky in [false, true] {
            let experiments = rig.run(Experiment(id: "x", isSticky: isSticky, variants: variants))
            let before = (0..<100).map {
                experiments.variant(of: "x", default: "-", for: .init(userID: "\($0)")).variant
            }
            #expect(Set(before) == ["a", "b"])
            let blocking = Experiment(id: "x", isSticky: isSticky, blockedVariants: ["b"], variants: variants)
            rig.use([blocking], in: experiments)
            for (user, variant) in before.enumerated() {
                let expected = variant == "b" ? "- blocked" : isSticky ? "a sticky*" : "a assigned"
                #expect(experiments.short("x", "\(user)") == expected)
            }
            // A newcomer whom the hash gives it is left out too, and nothing is stored.
            let others = (100..<200).map { experiments.short("x", "\($0)") }
            #expect(Set(others) == ["- blocked", isSticky ? "a assigned*" : "a assigned"])
            await experiments.settle()
        }
    }

    @Test("a forced variant goes to all units that the hash covers, and is neither exposed nor stored")
    func forcedVariant() async {
        let site = ExposureSite()
        for isSticky in [false, true] {
            let experiment = Experiment(
                id: "x", coverage: 0.5, isSticky: isSticky, forcedVariant: "a", variants: ab)
            let experiments = rig.run(experiment) { parts in
                parts.tracker = { site.registry.tracker($0) }
                parts.options.exposureNamespaces = ["a"]
            }
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
        let experiments = rig.run(Experiment(id: "x", variants: [holdout])) { parts in
            parts.tracker = { site.registry.tracker($0) }
            parts.options.exposureNamespaces = ["a"]
        }
        let evaluation = experiments.evaluation(of: "x", for: FeatureContext(userID: "u"), recordsExposure: true)
        #expect(evaluation.isPassthrough)
        #expect(evaluation.variant?.name == "h")
        #expect(await site.told().count == 1)
    }

    @Test("deciding records nothing; recording exposes and stores what was decided", .endsWhenItHangs)
    func recording() async throws {
        let site = ExposureSite()
        let experiments = rig.run(.weighted(0, 1, isSticky: true), .weighted(0, 1, id: "y")) { parts in
            parts.tracker = { site.registry.tracker($0) }
            parts.options.exposureNamespaces = ["a"]
        }
        for id in ["x", "y"] {
            let experiment = try #require(experiments.parts.table().experiment(id))
            func decision() -> Evaluation {
                ReadBudget.open { budget in
                    experiments.decision(
                        of: experiment, forced: nil, for: FeatureContext(userID: "u-1"), loadsUnits: true, at: nil,
                        budget
                    ) { _ in false }
                }
            }
            #expect(decision().variant?.name == "b")
            await experiments.settle()
            #expect(decision().reason == .assigned)
            #expect(decision().unit == ExperimentUnit(name: "userId", id: "u-1"))
            let recorded = experiments.record(decision(), of: experiment, version: 1)
            #expect(recorded.variant?.name == "b")
            #expect(recorded.isSticky == (id == "x"))
            #expect(decision().isFromStore == (id == "x"))
            await experiments.settle()
            #expect(experiments.counters.assignmentsStored == 1)
        }
        #expect(await site.told().count == 2)
    }

    @Test("a unit is an id of the units, else an attribute that is a text or a number")
    func unitOfAttributes() {
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

    @Test("a unit is found among few and among many", arguments: [1, 4, 5, 20])
    func units(count: Int) {
        let units = (0..<count).map { ("n\($0)", "u\($0)") }
        let context = FeatureContext(units: Dictionary(uniqueKeysWithValues: units))
        for (name, id) in units {
            #expect(context.unit(name)?.id == id)
            #expect(context.attribute(name) == .string(id))
        }
        #expect(context.unit("n\(count)") == nil)
        #expect(context.attribute("n\(count)") == nil)
    }

    @Test("a variant gives its values to few features and to many", arguments: [1, 8, 9, 20])
    func values(count: Int) {
        let values = (0..<count).map { ("f\($0)", ["v": .int($0)] as JSONObject) }
        let variant = ExperimentVariant(name: "a", values: Dictionary(uniqueKeysWithValues: values))
        let features = Features(experiments: [Experiment(id: "x", variants: [variant])])
        let context = FeatureContext(userID: "u-1")
        for number in 0..<count {
            #expect(features.value("f\(number)", variable: "v", default: -1, for: context) == number)
        }
        #expect(features.value("f\(count)", variable: "v", default: -1, for: context) == -1)
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

    @Test("the bucket of a unit is the fraction that the ranges are compared with")
    func bucket() throws {
        // GrowthBook's sticky bucket cases.
        let experiments = rig.run(Experiment(id: "feature-exp", variants: ab))
        let experiment = try #require(experiments.parts.table().experiment("feature-exp"))
        #expect(experiment.bucket(of: ExperimentUnit(name: "id", id: "i123")) == 0.9943)
        #expect(experiment.bucket(of: ExperimentUnit(name: "deviceId", id: "d123")) == 0.6468)
    }
}
