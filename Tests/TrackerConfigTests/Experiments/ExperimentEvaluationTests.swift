import DocumentImport
import DocumentTools
import TestSupport
import Testing
import TrackerCore

@testable import TrackerConfig
@testable import TrackerFeatures

/// Who is given which variant, and why.
@Suite("The evaluation of experiments")
struct ExperimentEvaluationTests {
    private let rig = ExperimentRig()

    @Test("weights 0 and 1 always give the second variant")
    func certain() {
        let experiments = rig.run(.weighted(0, 1))
        for user in 0..<1000 { #expect(experiments.short("x", "user-\(user)") == "b assigned") }
    }

    @Test("an unknown experiment gives the caller's default verbatim", arguments: ["control", "", " Ä\u{0}😀 "])
    func unknown(name: String) {
        let experiments = rig.run(.weighted(1, 1))
        let assignment = experiments.variant(of: "y", default: name, for: FeatureContext(userID: "u"))
        #expect(Array(assignment.variant.utf8) == Array(name.utf8))
        #expect(assignment.reason == .unknown)
        #expect(assignment.values.isEmpty && !assignment.isInExperiment && !assignment.isSticky)
        #expect(assignment.experiment == "y")
    }

    @Test("a variant comes with what it overrides")
    func values() {
        let experiments = rig.run(.weighted(0, 1))
        let assignment = experiments.variant(of: "x", default: "-", for: FeatureContext(userID: "u"))
        #expect(assignment.values == ["f": ["v": "b"]])
        #expect(assignment.isInExperiment)
    }

    @Test("variants of 100,000 units match the weights within 0.5 points", arguments: [0.5, 0.7, 0.9, 0.01])
    func shares(weight: Double) {
        let experiments = rig.run(.weighted(weight, 1 - weight))
        let first = (0..<100_000).count { user in
            let context = FeatureContext(userID: "user-\(user)")
            return experiments.variant(of: "x", default: "-", for: context).variant == "a"
        }
        #expect(abs(Double(first) / 100_000 - weight) < 0.005)
    }

    @Test("the same unit has the same variant in every process")
    func agreement() {
        let (one, two) = (rig.run(.weighted(1, 1)), rig.run(.weighted(1, 1)))
        for user in 0..<1000 { #expect(one.short("x", "user-\(user)") == two.short("x", "user-\(user)")) }
    }

    @Test("a forced variant comes before everything but an unknown experiment; one that does not exist is ignored")
    func forced() {
        let experiments = rig.run(.weighted(1, 0, isSticky: true, countries: []))
        experiments.setCondition(for: "x") { _ in false }
        rig.forced.withLock { $0 = ["x": "b", "y": "b"] }
        #expect(experiments.variant(of: "x", default: "-", for: FeatureContext()).short == "b forced")
        #expect(experiments.variant(of: "x", default: "-", for: FeatureContext()).isInExperiment)
        #expect(experiments.short("y") == "- unknown")
        rig.forced.withLock { $0 = ["x": "zz"] }
        #expect(experiments.short() == "- condition")
    }

    @Test("the condition is asked before the filters, they before the unit, and it before the hash")
    func order() {
        let experiments = rig.run(.weighted(1, 1, coverage: 0, countries: ["US"]))
        experiments.setCondition(for: "x") { $0.attributes["isIn"] == true }
        var context = FeatureContext(country: "IL")
        func reason() -> NamedCode<ExperimentAssignment> {
            experiments.variant(of: "x", default: "-", for: context).reason
        }
        #expect(reason() == .condition)
        context.attributes["isIn"] = true
        #expect(reason() == .filtered)
        context.country = "US"
        #expect(reason() == .noUnit)
        context.units["userId"] = ""
        #expect(reason() == .noUnit)
        context.units["userId"] = "u"
        #expect(reason() == .notCovered)
        experiments.setCondition(for: "x", nil)
        context.attributes = [:]
        #expect(reason() == .notCovered)
    }

    @Test("the unit is the one that the experiment names")
    func unit() {
        let experiment = Experiment(id: "x", unit: "deviceId", variants: [ExperimentVariant(name: "a")])
        let experiments = rig.run(experiment)
        #expect(experiments.short() == "- noUnit")
        let context = FeatureContext(units: ["deviceId": "d"])
        #expect(experiments.variant(of: "x", default: "-", for: context).short == "a assigned")
    }

    @Test("an unknown hash gives nobody a variant")
    func unknownHash() {
        let experiments = rig.run(
            Experiment(id: "x", hashVersion: nil, targeting: Targeting(), variants: [ExperimentVariant(name: "a")]))
        #expect(experiments.short() == "- notCovered")
    }

    @Test(
        "countries are compared without case and blanks; absent is all, empty is nobody",
        arguments: [
            (nil, nil, true), (nil, "US", true), ([], "US", false), ([" ", ""], "US", false), ([], nil, false),
            (["US", "IL"], "IL", true), (["US", "IL"], "il", true), ([" us\t"], "US", true), (["US"], " us ", true),
            (["US", ""], "", false), (["US", "IL"], "DE", false), (["US"], nil, false), (["US"], "USA", false),
        ] as [([String]?, String?, Bool)])
    func countries(filter: [String]?, country: String?, isIncluded: Bool) {
        let experiments = rig.run(.weighted(1, countries: filter))
        let context = FeatureContext(units: ["userId": "u"], country: country)
        #expect(
            experiments.variant(of: "x", default: "-", for: context).short == (isIncluded ? "a assigned" : "- filtered")
        )
    }

    @Test(
        "languages match by their subtags, without case and blanks",
        arguments: [
            (nil, nil, true), ([], "en", false), ([" "], "en", false), (["en"], nil, false), (["en"], "", false),
            (["en"], "en", true), (["en"], "en-UK", true), (["en"], "en_UK", true), (["EN"], "en-uk", true),
            ([" en "], " EN-us", true), (["en"], "eng", false), (["en"], "de", false), (["en-US"], "en", false),
            (["en_US"], "en-US-x-a", true), (["en-US"], "en-USA", false), (["en", "he"], "he", true),
            (["*"], "he", true), (["*"], nil, false), (["zh-Hant"], "zh_Hant_TW", true),
        ] as [([String]?, String?, Bool)])
    func languages(filter: [String]?, language: String?, isIncluded: Bool) {
        let experiments = rig.run(.weighted(1, languages: filter))
        let context = FeatureContext(units: ["userId": "u"], language: language)
        #expect(
            experiments.variant(of: "x", default: "-", for: context).short == (isIncluded ? "a assigned" : "- filtered")
        )
    }

    @Test("the countries `US, IL` of an imported file let IL in", arguments: ["US,IL", "US, IL", " us ,, il "])
    func imported(countries: String) throws {
        let file = #"{"x":{"Settings":{"is_sticky":false,"supported_countries":"\#(countries)"},"Variants":{"a":1}}}"#
        let experiments = rig.start()
        rig.use(try Imported(file, from: .rolloutManager).document.experiments, in: experiments)
        for (country, short) in [("IL", "a assigned"), ("US", "a assigned"), ("DE", "- filtered")] {
            let context = FeatureContext(units: ["userId": "u"], country: country)
            #expect(experiments.variant(of: "x", default: "-", for: context).short == short)
        }
    }

    @Test("a condition may itself evaluate, set conditions and read counters", .endsWhenItHangs)
    func reentrance() {
        let experiments = rig.run(.weighted(0, 1), .weighted(0, 1, id: "y", isSticky: true))
        experiments.setCondition(for: "x") { [unowned experiments] context in
            experiments.setCondition(for: "z") { _ in true }
            _ = experiments.counters
            return experiments.variant(of: "y", default: "-", for: context).variant == "b"
        }
        #expect(experiments.short() == "b assigned")
    }

    @Test("what a condition holds ends outside the lock", .endsWhenItHangs)
    func endOfCondition() {
        final class Held: Sendable {
            let experiments: Experiments
            init(_ experiments: Experiments) { self.experiments = experiments }
            deinit { experiments.setCondition(for: "y", nil) }
        }
        let experiments = rig.run(.weighted(0, 1))
        let held = Held(experiments)
        experiments.setCondition(for: "x") { _ in withExtendedLifetime(held) { false } }
        experiments.setCondition(for: "x", nil)
        #expect(experiments.short() == "b assigned")
    }

    @Test("of the experiments that override a variable the earliest comes first, each once")
    func overriding() {
        let control = ExperimentVariant(name: "control")
        let table = ExperimentTable(
            version: 1,
            experiments: [
                Experiment(id: "none", variants: [control]), .weighted(1, 1, 1, id: "x"), .weighted(1, 1, id: "y"),
            ])
        #expect(table.overriding(VariableKey("f", "v")).map(\.id) == ["x", "y"])
        #expect(table.overriding(VariableKey("f", "w")).isEmpty)
        #expect(table.overriding(VariableKey("fv", "")).isEmpty)
        #expect(table.sticky.isEmpty)
    }

    @Test("threads that evaluate, adopt documents and set conditions at once agree", .endsWhenItHangs)
    func threads() async {
        let experiments = rig.run(.weighted(1, 1, isSticky: true), .weighted(1, 1, id: "y")) { $0.memoryLimit = 200 }
        let expected = (0..<500).map {
            experiments.variant(of: "y", default: "", for: FeatureContext(userID: "u-\($0)"), recordsExposure: false)
                .variant
        }
        await withTaskGroup(of: Void.self) { group in
            for task in 0..<8 {
                group.addTask { [rig] in
                    for user in 0..<500 {
                        let context = FeatureContext(userID: "u-\(user)")
                        #expect(experiments.variant(of: "y", default: "-", for: context).variant == expected[user])
                        #expect(experiments.variant(of: "x", default: "-", for: context).isInExperiment)
                        if user % 100 == task {
                            rig.use([.weighted(1, 1, isSticky: true), .weighted(1, 1, id: "y")], in: experiments)
                        }
                        if user % 50 == task { experiments.setCondition(for: "y") { _ in true } }
                    }
                }
            }
        }
        await experiments.settle()
        #expect(experiments.counters.storeFailures == 0)
    }
}
