import TestSupport
import Testing
import TrackerConfig
import TrackerFeatures

/// What a document's `experiments` become.
@Suite("The experiments of a document", .endsWhenItHangs)
struct ExperimentDecodingTests {
    @Test("every key of an experiment is read")
    func whole() throws {
        let document = try ExperimentText.document(
            """
            [{"id": "checkout_01", "unit": "networkUserId", "seed": "s", "hashVersion": 1, "coverage": 0.5,
              "sticky": true, "countries": ["US", "IL"], "languages": ["en"], "variants": [
                {"name": "control", "weight": 70},
                {"name": "fast", "weight": 30, "values": {"checkout": {"retryLimit": 5, "hosts": ["a", null]}}}]}]
            """)
        let fast: JSONObject = ["retryLimit": 5, "hosts": ["a", nil]]
        let experiment = Experiment(
            id: "checkout_01", unit: "networkUserId", seed: "s", hashVersion: .v1, coverage: 0.5, isSticky: true,
            countries: ["US", "IL"], languages: ["en"], targeting: Targeting(),
            variants: [
                ExperimentVariant(name: "control", weight: 70),
                ExperimentVariant(name: "fast", weight: 30, values: ["checkout": fast]),
            ])
        #expect(document.experiments == [experiment])
        #expect(Set(document.warnings.map(\.reason)) == ["the document has no feature 'checkout'"])
    }

    @Test(
        "what is absent or null has its default",
        arguments: [
            "",
            #""unit":null,"seed":null,"hashVersion":null,"coverage":null,"sticky":null,"countries":null,"languages":null"#,
        ])
    func defaults(members: String) throws {
        let (experiment, warnings) = try ExperimentText.one(members)
        #expect(experiment.unit == "userId")
        #expect(experiment.seed == "x")
        #expect(experiment.hashVersion == .v2)
        #expect(experiment.coverage == 1)
        #expect(experiment.isSticky == false)
        #expect(experiment.countries == nil)
        #expect(experiment.languages == nil)
        #expect(experiment.variants == [ExperimentVariant(name: "a"), ExperimentVariant(name: "b")])
        #expect(warnings.isEmpty)
    }

    @Test("no experiments, null and an empty list are none; an empty filter is not an absent one")
    func absent() throws {
        #expect(try ExperimentText.document("null").experiments.isEmpty)
        #expect(try ExperimentText.document("[]").experiments.isEmpty)
        #expect(try Document(Array(DocumentText.document(1).utf8)).experiments.isEmpty)
        let (experiment, _) = try ExperimentText.one(#""countries":[],"languages":[],"seed":"""#)
        #expect(experiment.countries == [])
        #expect(experiment.languages == [])
        #expect(experiment.seed == "")
    }

    @Test("a variant's weight, values and variables may be null, which is absence")
    func nullInVariant() throws {
        let variants = #"[{"name":"a","weight":null,"values":null},{"name":"b","values":{"f":null,"g":{"v":null}}}]"#
        let document = try ExperimentText.variants(variants)
        let read = [ExperimentVariant(name: "a"), ExperimentVariant(name: "b", values: ["g": [:]])]
        #expect(document.experiments[0].variants == read)
        #expect(document.warnings.isEmpty)
    }

    @Test("a coverage below 0 becomes 0, with a warning", arguments: ["-0.01", "-99999999999999999999"])
    func lowCoverage(number: String) throws {
        let (experiment, warnings) = try ExperimentText.one("\"coverage\":\(number)")
        #expect(experiment.coverage == 0)
        #expect(warnings.map(\.place) == ["experiments[0].coverage"])
        #expect(warnings.first?.reason.hasSuffix("is below 0; 0 is used") == true)
    }

    @Test("an unknown hash is a warning, and gives no unit a variant", arguments: ["0", "3", "99999999999999999999"])
    func unknownHash(number: String) throws {
        let (experiment, warnings) = try ExperimentText.one("\"hashVersion\":\(number)")
        #expect(experiment.hashVersion == nil)
        #expect(!experiment.isUsable)
        #expect(experiment.variants.count == 2)
        #expect(experiment.variantIndex(for: "u") == nil)
        #expect(warnings.map(\.place) == ["experiments[0].hashVersion"])
        #expect(
            warnings.first?.reason.hasSuffix("is none of 1, 2; the experiment gives no unit a variant") == true)
    }

    @Test("a variant without a weight beside others that have one counts as 0, with a warning")
    func missingWeight() throws {
        let document = try ExperimentText.variants(#"[{"name":"a","weight":1},{"name":"b"},{"name":"c","weight":1}]"#)
        #expect(document.experiments[0].ranges == [0..<0.5, 0.5..<0.5, 0.5..<1])
        #expect(
            document.warnings.map(\.description) == [
                "experiments[0].variants[1].weight: missing where others have one; 0 is used (line 2, column 62)"
            ])
    }

    @Test("weights of any size are shares", arguments: ["99999999999999999999", "1e308", "1e-320", "1", "0.5"])
    func weights(number: String) throws {
        let variants = #"[{"name":"a","weight":\#(number)},{"name":"b","weight":\#(number)},{"name":"c","weight":0}]"#
        let document = try ExperimentText.variants(variants)
        #expect(document.experiments[0].ranges == [0..<0.5, 0.5..<1, 1..<1])
        #expect(document.warnings == [])
    }

    @Test("an unknown key is a warning with its place, and the experiment gives no unit a variant")
    func unknownKeys() throws {
        let document = try ExperimentText.document(#"[{"id":"x","isSticky":1,"variants":[{"name":"a","wait":2}]}]"#)
        #expect(document.experiments.map(\.isUsable) == [false])
        #expect(
            document.warnings.map(\.description) == [
                "experiments[0].isSticky: an unknown key; the experiment gives no unit a variant (line 2, column 26)",
                "experiments[0].variants[0].wait: an unknown key; the experiment gives no unit a variant (line 2, column 63)",
            ])
    }

    @Test(
        "two experiments that override one variable are a warning, once for each variable; the variants of one are not")
    func overlap() throws {
        func experiment(_ id: String, _ values: String...) -> String {
            let variants = values.enumerated().map { "{\"name\":\"\($0)\",\"values\":\($1)}" }
            return "{\"id\":\"\(id)\",\"variants\":[\(variants.joined(separator: ","))]}"
        }
        let experiments = [
            experiment("a", #"{"f":{"v":1}}"#, #"{"f":{"v":2}}"#), experiment("b", #"{"g":{"v":1},"f":{"w":1}}"#),
            experiment("c", #"{"f":{"v":3,"w":3}}"#, #"{"f":{"v":4}}"#),
        ]
        let document = try ExperimentText.document("[\(experiments.joined(separator: ","))]")
        #expect(
            document.warnings.filter { !$0.reason.hasPrefix("the document has no") }
                .map { "\($0.place): \($0.reason)" } == [
                    "experiments[2].variants[0].values.f.v: the experiment 'a' overrides this variable too, and wins for units in both",
                    "experiments[2].variants[0].values.f.w: the experiment 'b' overrides this variable too, and wins for units in both",
                ])
        #expect(document.experiments.map(\.id) == ["a", "b", "c"])
    }

    @Test(
        "no warning of one variable in two experiments that may share no unit",
        arguments: [
            (#""namespace":["n",0,0.5]"#, #""namespace":["n",0.5,1]"#),
            (#""countries":["US"]"#, #""countries":["DE"]"#),
            (#""languages":["en"]"#, #""condition":{"plan":"pro"}"#), (#""enabled":false"#, ""),
            ("", #""enabled":false"#),
            (#""start":"2026-01-01T00:00:00Z""#, #""end":"2026-01-01T00:00:00Z""#), (#""surprise":1"#, ""),
            (#""seed":"s","ranges":[[0,0.5]]"#, #""seed":"s","ranges":[[0.5,1]]"#), ("", #""force":"a""#),
        ])
    func apart(first: String, second: String) throws {
        func experiment(_ id: String, _ members: String) -> String {
            let members = members.isEmpty ? "" : ",\(members)"
            return #"{"id":"\#(id)","variants":[{"name":"a","values":{"f":{"v":1}}}]\#(members)}"#
        }
        let document = try ExperimentText.document("[\(experiment("a", first)),\(experiment("b", second))]")
        #expect(!document.warnings.contains { $0.reason.contains("this variable too") })
    }

    @Test("no warning of one variable in two experiments if rules of the feature say which units each is for")
    func apartByRules() throws {
        let experiments = ["a", "b", "c"].map {
            #"{"id":"\#($0)","variants":[{"name":"a","values":{"f":{"v":1},"g":{"v":1}}}]}"#
        }
        let rules = ["a", "b"].map { #"{"id":"\#($0)","condition":{"plan":"\#($0)"},"experiment":"\#($0)"}"# }
        let features = #""f":{"variables":{"v":{"value":0}},"rules":[\#(rules.joined(separator: ","))]}"#
        let text = DocumentText.document(
            1,
            more: """
                ,"features":{\(features),"g":{"variables":{"v":{"value":0}}}},"experiments":[\(experiments.joined(separator: ","))]
                """)
        #expect(
            try Document(Array(text.utf8)).warnings.map { "\($0.place): \($0.reason)" } == [
                "experiments[1].variants[0].values.g.v: the experiment 'a' overrides this variable too, and wins for units in both",
                "experiments[2].variants[0].values.g.v: the experiment 'a' overrides this variable too, and wins for units in both",
            ])
    }

    @Test(
        "a share that the hash cannot tell apart is a warning with the hash's step",
        arguments: [
            (#""coverage":0.00001"#, "0.0001", "0.0001"), (#""coverage":0.00001,"hashVersion":1"#, "0.001", "0.001"),
            (#""ranges":[[0,0.00004],[0.50001,0.50004]]"#, "0.0001", "none"),
        ])
    func smallShares(members: String, step: String, second: String) throws {
        let (_, warnings) = try ExperimentText.one(members)
        #expect(
            warnings.map { "\($0.place): \($0.reason)" } == [
                "experiments[0].variants[0]: the hash has steps of \(step), so \(step) of the units get the variant",
                "experiments[0].variants[1]: the hash has steps of \(step), so \(second) of the units get the variant",
            ])
        let weights = try ExperimentText.variants(#"[{"name":"a","weight":99999},{"name":"b","weight":1}]"#).warnings
        #expect(weights.map(\.place) == ["experiments[0].variants[1]"])
        let usual = #""ranges":[[0,0],[0.5,0.5001]]"#
        #expect(try ExperimentText.one(usual).warnings == [])
        #expect(try ExperimentText.one(#""coverage":0.0002"#).warnings == [])
        #expect(try ExperimentText.one(#""coverage":0"#).warnings == [])
    }
}
