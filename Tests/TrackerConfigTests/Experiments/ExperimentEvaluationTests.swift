import TestSupport
import Testing
import TrackerFeatures

/// Who is given which variant, and why.
@Suite("The evaluation of experiments", .endsWhenItHangs)
struct ExperimentEvaluationTests {
    private let rig = ExperimentRig()

    private func short(_ experiment: Experiment, _ context: FeatureContext) -> String {
        rig.run(experiment).variant(of: "x", default: "-", for: context).short
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

    @Test("a forced variant comes before everything but an unknown experiment; one that does not exist is ignored")
    func forced() {
        let experiments = rig.run(.weighted(1, 0, isSticky: true, countries: []))
        experiments.setCondition(for: "x") { _ in false }
        rig.force(["x": "b", "y": "b"], in: experiments)
        #expect(experiments.variant(of: "x", default: "-", for: FeatureContext()).short == "b forced")
        #expect(experiments.variant(of: "x", default: "-", for: FeatureContext()).isInExperiment)
        #expect(experiments.short("y") == "- unknown")
        rig.force(["x": "zz"], in: experiments)
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

    @Test(
        "countries are compared without case and blanks; absent is all, empty is nobody",
        arguments: [
            (nil, nil, true), (nil, "US", true), ([], "US", false), ([" ", ""], "US", false), ([], nil, false),
            (["US", "IL"], "IL", true), (["US", "IL"], "il", true), ([" us\t"], "US", true), (["US"], " us ", true),
            (["US", ""], "", false), (["US", "IL"], "DE", false), (["US"], nil, false), (["US"], "USA", false),
        ] as [([String]?, String?, Bool)])
    func countries(filter: [String]?, country: String?, isIncluded: Bool) {
        let context = FeatureContext(units: ["userId": "u"], country: country)
        #expect(short(.weighted(1, countries: filter), context) == (isIncluded ? "a assigned" : "- filtered"))
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
        let context = FeatureContext(units: ["userId": "u"], language: language)
        #expect(short(.weighted(1, languages: filter), context) == (isIncluded ? "a assigned" : "- filtered"))
    }

    @Test("a condition may itself evaluate, set conditions and read counters")
    func reentrance() {
        let experiments = rig.run(.weighted(0, 1), .weighted(0, 1, id: "y", isSticky: true))
        experiments.setCondition(for: "x") { [unowned experiments] context in
            experiments.setCondition(for: "z") { _ in true }
            _ = experiments.counters
            return experiments.variant(of: "y", default: "-", for: context).variant == "b"
        }
        #expect(experiments.short() == "b assigned")
    }

    @Test("what a condition holds ends outside the lock")
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

    @Test("of two experiments that override a variable the earlier decides, and the later where it gives nothing")
    func overriding() {
        let features = Features(experiments: [
            Experiment(
                id: "x", countries: ["US"], variants: [ExperimentVariant(name: "a", values: ["f": ["v": 1]])]),
            Experiment(id: "y", variants: [ExperimentVariant(name: "a", values: ["f": ["v": 2, "w": 2]])]),
        ])
        func read(_ variable: String, _ country: String) -> Int {
            let context = FeatureContext(units: ["userId": "u"], country: country)
            return features.value("f", variable: variable, default: 0, for: context)
        }
        #expect([read("v", "US"), read("v", "FR"), read("w", "US")] == [1, 2, 2])
    }

    @Test("threads that evaluate, adopt documents and set conditions at once agree")
    func threads() async {
        let list: [Experiment] = [.weighted(1, 1, isSticky: true), .weighted(1, 1, id: "y")]
        let experiments = rig.run(list[0], list[1]) { $0.memoryLimit = 40 }
        let expected = (0..<100).map {
            experiments.variant(of: "y", default: "", for: FeatureContext(userID: "u-\($0)"), recordsExposure: false)
                .variant
        }
        let wrong = Locked(0)
        await Threads.run(4) { [rig] thread in
            for user in 0..<100 {
                let context = FeatureContext(userID: "u-\(user)")
                let isRight =
                    experiments.variant(of: "y", default: "-", for: context).variant == expected[user]
                    && experiments.variant(of: "x", default: "-", for: context).isInExperiment
                if !isRight { wrong.withLock { $0 += 1 } }
                if user % 20 == thread { rig.use(list, in: experiments) }
                if user % 10 == thread { experiments.setCondition(for: "y") { _ in true } }
            }
        }
        #expect(wrong.withLock { $0 } == 0)
        await experiments.settle()
        #expect(experiments.counters.storeFailures == 0)
    }
}
