import DocumentImport
import DocumentTools
import TestSupport
import Testing
import TrackerConfig
import TrackerCore

@Suite("A payload of GrowthBook as a document", .endsWhenItHangs)
struct GrowthBookImportTests {
    /// The members of the document that the importer makes, and its notes.
    private static func imported(_ file: String) throws -> (document: JSONValue, notes: [String]) {
        let imported = try ImportedDocument(Array(file.utf8), from: .growthBook)
        let document = try JSONReader.read(imported.text).value
        return (document, imported.warnings.map { "\($0.place): \($0.reason)" })
    }

    /// What becomes of the rules of a feature `f`.
    private static func rules(_ rules: String) throws -> (rules: JSONValue?, experiments: JSONValue?, notes: [String]) {
        let (document, notes) = try imported(#"{"features":{"f":{"defaultValue":false,"rules":[\#(rules)]}}}"#)
        return (document["features"]?["f"]?["rules"], document["experiments"], notes)
    }

    @Test("features keep their values and rules, and saved groups become segments")
    func whole() throws {
        let (document, notes) = try Self.imported(
            """
            {"features": {
               "f": {"defaultValue": {"limit": 3}, "rules": [
                 {"id": "staff", "condition": {"email": {"$regex": "@example"}}, "force": {"limit": 9}},
                 {"condition": {}, "force": false, "coverage": 0.2, "hashAttribute": "userId", "seed": "s", "hashVersion": 2},
                 {"force": false, "hashAttribute": "userId", "coverage": 1},
                 {"force": false, "hashAttribute": "userId", "range": [0.1, 0.5], "namespace": ["n", 0, 0.5]}]},
               "g": {}},
             "savedGroups": {"beta": ["u-1", 7]}, "dateUpdated": "2026-11-22"}
            """)
        let plain: JSONValue = ["limit": 3]
        let raised: JSONValue = ["limit": 9]
        #expect(
            document["features"] == [
                "f": [
                    "enabled": true, "variables": ["value": ["value": plain], "limit": ["value": 3]],
                    "rules": [
                        [
                            "id": "staff", "condition": ["email": ["$regex": "@example"]], "enabled": true,
                            "values": ["value": raised, "limit": 9],
                        ],
                        [
                            "id": "rule-2", "unit": "userId", "seed": "s", "hashVersion": 2, "coverage": 0.2,
                            "enabled": false, "values": ["value": false],
                        ],
                        [
                            "id": "rule-3", "unit": "userId", "seed": "f", "hashVersion": 1, "range": [0, 1],
                            "enabled": false, "values": ["value": false],
                        ],
                        [
                            "id": "rule-4", "filters": [["seed": "__n", "hashVersion": 1, "ranges": [[0, 0.5]]]],
                            "unit": "userId", "seed": "f", "hashVersion": 1, "range": [0.1, 0.5], "enabled": false,
                            "values": ["value": false],
                        ],
                    ],
                ],
                "g": ["enabled": false, "variables": [:]],
            ])
        #expect(document["segments"] == ["beta": ["u-1", 7]])
        #expect(document["experiments"] == nil)
        #expect(document["configurationVersion"] == 1)
        #expect(notes.isEmpty)
    }

    @Test("a rule refers to its experiment, which has the shares, the targeting and the seed of GrowthBook's")
    func experiment() throws {
        let (rules, experiments, notes) = try Self.rules(
            """
            {"id": "r", "key": "e", "variations": [true, false], "weights": [0.3, 0.7], "coverage": 0.5, "seed": "s",
             "hashAttribute": "userId", "hashVersion": 2, "fallbackAttribute": "userId", "bucketVersion": 2,
             "minBucketVersion": 1, "condition": {"plan": "pro"},
             "filters": [{"seed": "t", "attribute": "userId", "ranges": [[0, 0.1]]}],
             "parentConditions": [{"id": "p", "condition": {"value": true}}], "meta": [{"key": "on"}, {"passthrough": true}]}
            """)
        #expect(rules == [["id": "r", "experiment": "e"]])
        #expect(
            experiments == [
                [
                    "id": "e", "seed": "s", "unit": "userId", "fallbackUnit": "userId", "hashVersion": 2,
                    "coverage": 0.5,
                    "sticky": true, "condition": ["plan": "pro"],
                    "prerequisites": [["feature": "p", "condition": ["value": true]]],
                    "filters": [["unit": "userId", "seed": "t", "hashVersion": 2, "ranges": [[0, 0.1]]]],
                    "bucketVersion": 2, "minBucketVersion": 1,
                    "variants": [
                        ["name": "on", "weight": 0.3, "values": ["f": ["value": true]], "enabled": ["f": true]],
                        [
                            "name": "1", "weight": 0.7, "values": ["f": ["value": false]], "enabled": ["f": false],
                            "passthrough": true,
                        ],
                    ],
                ]
            ])
        #expect(
            notes == [
                "features.f.rules[0]: sticky: a unit that the condition, filters or prerequisites leave out gets the default, "
                    + "and not its stored variant as in GrowthBook",
                "features.f.rules[0].meta: a holdout: units of its variants with passthrough continue with the next rule",
            ])
    }

    @Test("ranges are kept where weights and coverage would give others")
    func ranges() throws {
        let experiments = try Self.rules(
            #"{"hashAttribute":"userId","variations":[1,2],"ranges":[[0,0.1],[0.9,1]]}"#
        ).experiments
        #expect(experiments?.array?.first?["ranges"] == [[0, 0.1], [0.9, 1]])
        #expect(experiments?.array?.first?["coverage"] == nil)
        // GrowthBook uses these as they are, a document in relation to their sum.
        let rough = try Self.rules(#"{"hashAttribute":"userId","variations":[1,2],"weights":[0.5,0.49]}"#).experiments
        #expect(rough?.array?.first?["ranges"] == [[0, 0.5], [0.5, 0.99]])
        let exact = try Self.rules(#"{"hashAttribute":"userId","variations":[1,2,3],"weights":[0.7,0.1,0.2]}"#)
            .experiments
        #expect(exact?.array?.first?["ranges"] == nil)
    }

    @Test("rules of several features belong to one experiment if it has the same settings, else it has another id")
    func shared() throws {
        let (document, notes) = try Self.imported(
            """
            {"features": {
               "f": {"rules": [{"key": "e", "hashAttribute": "userId", "variations": [1, 2]}]},
               "g": {"rules": [{"key": "e", "hashAttribute": "userId", "variations": ["a", "b"]}]},
               "h": {"rules": [{"key": "e", "hashAttribute": "userId", "variations": [1, 2], "coverage": 0.5}]}}}
            """)
        func variant(_ name: JSONValue, _ values: JSONValue, _ enabled: JSONValue) -> JSONValue {
            ["name": name, "values": values, "enabled": enabled]
        }
        #expect(document["experiments"]?.array?.map { $0["id"] } == ["e", "e-2"])
        #expect(document["features"]?["g"]?["rules"] == [["id": "rule-1", "experiment": "e"]])
        #expect(document["features"]?["h"]?["rules"] == [["id": "rule-1", "experiment": "e-2"]])
        let first = document["experiments"]?.array?[0]
        #expect(first?["seed"] == nil)
        #expect(
            first?["variants"] == [
                variant("0", ["f": ["value": 1], "g": ["value": "a"]], ["f": true, "g": true]),
                variant("1", ["f": ["value": 2], "g": ["value": "b"]], ["f": true, "g": true]),
            ])
        // The hash stays the one of the key.
        #expect(document["experiments"]?.array?[1]["seed"] == "e")
        #expect(
            notes == [
                "features.h.rules[0].key: another rule has an experiment with the key 'e' and other settings or values; this "
                    + "one becomes 'e-2'"
            ])
    }

    @Test("rules of one key that contradict each other get experiments of their own, which other features share")
    func contradicting() throws {
        func rule(_ first: Int) -> String {
            #"{"key":"e","hashAttribute":"userId","seed":"s","variations":[\#(first),\#(first + 1)]}"#
        }
        let (document, notes) = try Self.imported(
            """
            {"features": {"f": {"rules": [\(rule(1)), \(rule(3))]},
                          "g": {"rules": [\(rule(5)), \(rule(7)), \(rule(5))]}}}
            """)
        let ids = document["features"]?["g"]?["rules"]?.array?.map { $0["experiment"] }
        #expect(ids == ["e", "e-2", "e"])
        let experiments = document["experiments"]?.array ?? []
        #expect(experiments.map { $0["id"] } == ["e", "e-2"])
        #expect(experiments.map { $0["seed"] } == ["s", "s"])
        let first = experiments.first?["variants"]?.array?.first
        #expect(first?["values"] == ["f": ["value": 1], "g": ["value": 5]])
        #expect(notes.count == 1)
    }

    @Test("a key that is the id of an earlier experiment gets another id")
    func takenID() throws {
        let rules = ["e", "e-2", "e"].enumerated().map { index, key in
            #"{"key":"\#(key)","hashAttribute":"userId","variations":[0,\#(index + 1)]}"#
        }
        let experiments = try Self.rules(rules.joined(separator: ",")).experiments?.array
        #expect(experiments?.map { $0["id"] } == ["e", "e-2", "e-3"])
    }

    @Test("the namespace of a forced rule without a share keeps the rule's unit")
    func namespaceUnit() throws {
        let rules = try Self.rules(#"{"force":1,"namespace":["n",0,0.5],"hashAttribute":"org"}"#).rules?.array
        #expect(rules?.first?["unit"] == nil)
        let filter: JSONValue = ["unit": "org", "seed": "__n", "hashVersion": 1, "ranges": [[0, 0.5]]]
        #expect(rules?.first?["filters"] == [filter])
    }

    @Test("a rule that matches no context is left out, but not its gate")
    func leftOut() throws {
        let (rules, experiments, notes) = try Self.rules(
            """
            {"force": 1, "coverage": "x"}, {"variations": [1]}, {"force": 1, "hashAttribute": "userId", "coverage": 1, "hashVersion": 9},
            {"id": "gate", "force": 1, "coverage": "x", "parentConditions": [{"id": "p", "condition": {"value": 1}, "gate": true}]}
            """)
        #expect(
            rules == [["id": "gate", "prerequisites": [["feature": "p", "condition": ["value": 1], "gate": true]]]])
        #expect(experiments == nil)
        let ends = ["rules[0]", "rules[1]", "rules[2]"].map {
            "features.f.\($0): the rule matches no context and is left out"
        }
        #expect(notes.filter { $0.hasSuffix("is left out") } == ends)
        #expect(
            notes.last
                == "features.f.rules[3].parentConditions: a gate: if it fails, the feature is not enabled and its "
                + "variables come from the next source, instead of being null")
    }

    @Test("what means something else in a document is told")
    func notes() throws {
        let (rules, _, notes) = try Self.rules(#"{"force":null},{"force":1,"coverage":0.5,"hashAttribute":"org"}"#)
        #expect(rules?.array?[0] == ["id": "rule-1", "enabled": false])
        #expect(
            notes == [
                "features.f.rules[0].force: a variable cannot be null; the rule only disables the feature",
                "unit: the unit 'org' comes from the context; set it in its units or attributes",
            ])
    }
}
