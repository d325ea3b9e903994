import Dispatch
import TestSupport
import Testing
import TrackerConfig
import TrackerFeatures
import TrackerTesting

/// What features are for a context.
@Suite("Rules of features", .endsWhenItHangs)
struct FeatureRuleTests {
    private static func document(_ features: String, more: String = "") throws -> Document {
        try Document(Array(DocumentText.document(1, more: ",\"features\":\(features)\(more)").utf8))
    }

    private static func user(_ id: String, _ attributes: JSONObject = [:]) -> FeatureContext {
        FeatureContext(units: ["userId": id], attributes: attributes)
    }

    @Test("rules are tried in order, for whether the feature is enabled and for each variable by itself")
    func order() throws {
        let features = try Features(
            """
            {"f": {"enabled": false, "variables": {"limit": {"value": 1}, "color": {"value": "red"}}, "rules": [
              {"id": "pro", "condition": {"plan": "pro"}, "values": {"limit": 9}},
              {"id": "all", "enabled": true, "values": {"limit": 5}}]}}
            """)
        let pro = features.detail("f", variable: "limit", default: 0, for: Self.user("u", ["plan": "pro"]))
        #expect((pro.value, pro.reason, pro.rule) == (9, .targetingMatch, "pro"))
        let other = features.detail("f", variable: "limit", default: 0, for: Self.user("u"))
        #expect((other.value, other.rule) == (5, "all"))
        // The first rule leaves that to the next.
        let enabled = features.detail("f", for: Self.user("u", ["plan": "pro"]))
        #expect((enabled.value, enabled.rule) == (true, "all"))
        let color = features.detail("f", variable: "color", default: "", for: Self.user("u", ["plan": "pro"]))
        #expect((color.value, color.reason, color.rule) == ("red", .static, nil))
        // A rule that asks nothing of the context matches without one.
        #expect(features.isEnabled("f"))
        #expect(features.value("f", variable: "limit", default: 0) == 5)
    }

    @Test("a read takes the context of the request, in each form of reading")
    func requestContext() throws {
        let features = try Features(
            """
            {"f": {"enabled": false, "variables": {"limit": {"value": 1}},
              "rules": [{"id": "pro", "condition": {"plan": "pro"}, "enabled": true, "values": {"limit": 9}}]}}
            """)
        let limit = Variable(features, "f", variable: "limit", default: 0)
        let context = TrackingContext(evaluation: Self.user("u", ["plan": "pro"]))
        for _ in 1...2 {
            #expect(limit.value == 1)
            #expect(!features.isEnabled("f"))
            withTrackingContext(context) { () throws(Never) in
                #expect(limit.value == 9)
                #expect(features.isEnabled("f"))
                #expect(features.snapshot.isEnabled("f"))
                #expect(features.value("f", variable: "limit", default: 0) == 9)
                #expect(features.values(of: "f") == FeatureValues(isEnabled: true, variables: ["limit": 9]))
            }
            #expect(limit.value(for: Self.user("u", ["plan": "pro"])) == 9)
        }
    }

    @Test("overrides and providers come before rules, rules before experiments, and these before plain values")
    func precedence() throws {
        let provider = FeaturePriorityTests.Provider("p", [])
        var options = FeatureOptions()
        options.providers = [provider]
        let features = try Features(
            """
            {"f": {"variables": {"v": {"value": 1}}, "rules": [{"id": "r", "condition": {"plan": "pro"}, "values": {"v": 2}}]}}
            """, experiments: #"[{"id":"e","variants":[{"name":"a","values":{"f":{"v":3}}}]}]"#, options: options)
        func value(_ plan: String) -> Int {
            features.value("f", variable: "v", default: 0, for: Self.user("u", ["plan": .string(plan)]))
        }
        #expect((value("pro"), value("free")) == (2, 3))
        #expect(features.value("f", variable: "v", default: 0) == 1)
        provider.say(FeaturePriorityTests.feature(nil, ["v": 4]))
        features.reload()
        #expect((value("pro"), value("free")) == (4, 4))
        try features.overrides.set(5, for: "f", variable: "v")
        #expect((value("pro"), value("free")) == (5, 5))
    }

    @Test("an experiment that a rule names is evaluated in the rule's place, and only where the rule matches")
    func experimentInRule() throws {
        let features = try Features(
            """
            {"f": {"enabled": false, "variables": {"v": {"value": 1}}, "rules": [
              {"id": "x", "condition": {"plan": "pro"}, "experiment": "e"}, {"id": "all", "values": {"v": 2}}]}}
            """,
            experiments: #"[{"id":"e","variants":[{"name":"a","enabled":{"f":true},"values":{"f":{"v":3}}}]}]"#)
        let pro = features.detail("f", variable: "v", default: 0, for: Self.user("u", ["plan": "pro"]))
        #expect((pro.value, pro.reason, pro.rule, pro.variant) == (3, .split, "x", "a"))
        #expect(features.value("f", variable: "v", default: 0, for: Self.user("u")) == 2)
        #expect(features.isEnabled("f", for: Self.user("u", ["plan": "pro"])))
        #expect(!features.isEnabled("f", for: Self.user("u")))
    }

    @Test(
        "a value of the wrong type falls through to the next source; it is counted, and logged once for each document")
    func mismatch() throws {
        let log = MemoryLog()
        let features = try Features(
            """
            {"f": {"variables": {"v": {"value": 1}}, "rules": [{"id": "r", "values": {"v": "five"}}]}}
            """, log: log)
        for _ in 1...3 {
            let detail = features.detail("f", variable: "v", default: 77, for: Self.user("u"))
            #expect((detail.value, detail.reason, detail.error?.code) == (1, .error, .wrongType))
        }
        #expect(features.readFailures == 3)
        #expect(log.records.filter { $0.message.contains("f.v: expected an integer") }.count == 1)
        // Read as what it is, it is the rule's.
        #expect(features.value("f", variable: "v", default: "", for: Self.user("u")) == "five")
    }

    @Test("a whole feature with a value that the type refuses is an error, whatever other sources have")
    func wholeMismatch() throws {
        struct Whole: Decodable { let v: Int }
        let features = try Features(
            #"{"f":{"variables":{"v":{"value":1}},"rules":[{"id":"r","condition":{"plan":"pro"},"values":{"v":"five"}}]}}"#
        )
        #expect(try features.feature("f", as: Whole.self, for: Self.user("u")).v == 1)
        let error = #expect(throws: FeatureError.self) {
            try features.feature("f", as: Whole.self, for: Self.user("u", ["plan": "pro"]))
        }
        #expect((error?.code, error?.place) == (.wrongType, "f.v"))
    }

    @Test("a prerequisite is met by another feature's state for the same context; a gate turns the feature off")
    func prerequisites() throws {
        let features = try Features(
            """
            {"parent": {"enabled": false, "variables": {"level": {"value": 1}},
                "rules": [{"id": "pro", "condition": {"plan": "pro"}, "enabled": true, "values": {"level": 3}}]},
             "child": {"enabled": false, "rules": [
                {"id": "c", "prerequisites": [{"feature": "parent", "condition": {"level": {"$gte": 3}}}], "enabled": true}]},
             "gated": {"enabled": true, "variables": {"v": {"value": 1}}, "rules": [
                {"id": "g", "prerequisites": {"feature": "parent", "gate": true}}, {"id": "on", "enabled": true}]}}
            """)
        let (pro, free) = (Self.user("u", ["plan": "pro"]), Self.user("u"))
        #expect(features.isEnabled("child", for: pro))
        #expect(!features.isEnabled("child", for: free))
        #expect(features.isEnabled("gated", for: pro))
        let gated = features.detail("gated", for: free)
        #expect((gated.value, gated.reason, gated.rule) == (false, .disabled, "g"))
        #expect(features.value("gated", variable: "v", default: 0, for: pro) == 1)
        #expect(features.value("gated", variable: "v", default: 0, for: free) == 0)
    }

    @Test(
        "a rule that this version cannot use matches no context, and the rest of the document is applied",
        arguments: [
            (#""unknown":1"#, "unknown: an unknown key"),
            (#""condition":1"#, "condition: expected an object, found a number"),
            (#""condition":{"a":{"$regx":"b"}}"#, "condition.a.$regx: unknown operator '$regx'"),
            (#""condition":{"$not":{"a":{"$regx":"b"}}}"#, "condition.$not.a.$regx: unknown operator '$regx'"),
            (
                #""condition":{"userId":{"$notInGroup":"nobody"}}"#,
                "condition.userId.$notInGroup: there is no segment 'nobody'"
            ),
            (#""hashVersion":3"#, "hashVersion: 3 is none of 1, 2"),
            (#""coverage":"half""#, "coverage: expected a number, found a string"),
            (
                #""prerequisites":[{"feature":"other"}]"#,
                "prerequisites[0].feature: the document has no feature 'other'"
            ),
            (#""experiment":"other""#, "experiment: the document has no experiment 'other'"),
            (#""namespace":["n",0.5,0.2]"#, "namespace[1]: expected a range within 0 to 1, found 0.5 to 0.2"),
            (#""filters":[{"seed":"s"}]"#, "filters[0]: required key 'ranges' is missing"),
        ])
    func failsClosed(member: String, sentence: String) throws {
        let document = try Self.document(
            #"{"f":{"enabled":false,"rules":[{"id":"r","enabled":true,\#(member)}]},"g":{"enabled":true}}"#)
        #expect(
            document.warnings.map { "\($0.place): \($0.reason)" } == [
                "features.f.rules[0].\(sentence); the rule matches no context"
            ])
        let features = Features(document.features)
        #expect(!features.isEnabled("f", for: Self.user("u-1")))
        #expect(features.isEnabled("g"))
    }

    @Test("two namespaces are independent of each other, and parts of one share no unit")
    func namespaces() throws {
        let parts = [("pricing1", 0, 0.1), ("pricing2", 0, 0.1), ("pricing1", 0.1, 1)]
        let rules = parts.map {
            #"{"id":"\#($0.0)\#($0.1)","namespace":["\#($0.0)",\#($0.1),\#($0.2)],"enabled":true}"#
        }
        let features = rules.enumerated().map { #""f\#($0)":{"enabled":false,"rules":[\#($1)]}"# }
        let read = Features(try Self.document("{\(features.joined(separator: ","))}").features)
        let inside = (0..<3).map { part in
            Set((0..<20_000).filter { read.isEnabled("f\(part)", for: Self.user("user\($0)@example.com")) })
        }
        #expect(1800...2200 ~= inside[0].count)
        #expect(140...260 ~= inside[0].intersection(inside[1]).count)
        #expect(inside[0].isDisjoint(with: inside[2]) && inside[0].count + inside[2].count == 20_000)
    }

    @Test(
        "a share that the hash cannot tell apart is a warning with the hash's step",
        arguments: [
            (#""coverage":0.00001"#, "coverage", "0.0001", "0.0001"),
            (#""coverage":0.0001"#, "coverage", "0.0001", "0.0002"),
            (#""hashVersion":1,"coverage":0.0004"#, "coverage", "0.001", "0.001"),
            (#""range":[0.50001,0.50004]"#, "range", "0.0001", "none"),
            (#""filters":[{"seed":"s","ranges":[[0,0.5],[0.6,0.60001]]}]"#, "filters[0].ranges[1]", "0.0001", "0.0001"),
            (
                #""filters":[{"seed":"s","ranges":[[0.6,0.6001]],"hashVersion":1}]"#, "filters[0].ranges[0]", "0.001",
                "0.001"
            ),
            (#""namespace":["n",0.1,0.10001]"#, "namespace", "0.0001", "0.0001"),
        ])
    func smallShare(member: String, place: String, step: String, served: String) throws {
        let document = try Self.document(#"{"f":{"enabled":false,"rules":[{"id":"r","enabled":true,\#(member)}]}}"#)
        #expect(
            document.warnings.map { "\($0.place): \($0.reason)" } == [
                "features.f.rules[0].\(place): the hash has steps of \(step), so \(served) of the units match"
            ])
    }

    @Test(
        "a share of as many steps as it says is no warning",
        arguments: [
            #""coverage":0"#, #""coverage":0.002"#, #""range":[0.5,0.5001]"#, #""range":[0.5,0.5]"#,
            #""namespace":["n",0,0.0001]"#,
        ])
    func exactShare(member: String) throws {
        let rule = #"{"id":"r","enabled":true,\#(member)}"#
        #expect(try Self.document(#"{"f":{"enabled":false,"rules":[\#(rule)]}}"#).warnings == [])
    }

    @Test("a document that requires what this version does not have is refused before anything else of it is judged")
    func requirement() throws {
        #expect(try Self.document("{}", more: #","requires":["rules"]"#).warnings.isEmpty)
        let error = try #require(throws: ConfigurationError.self) {
            try Self.document("42", more: #","requires":["rules","telepathy"]"#)
        }
        #expect(error.code == .unmetRequirement)
        #expect(error.version == 1)
        #expect(error.reason.contains("'telepathy'"))
    }

    @Test("evaluations by rules are counted by reason, and reads of plain values are noted")
    func usage() throws {
        let features = try Features(
            """
            {"ruled": {"enabled": false, "rules": [{"id": "pro", "condition": {"plan": "pro"}, "enabled": true}]},
             "plain": {"enabled": true}, "stale": {"enabled": true}}
            """)
        for plan in ["pro", "pro", "free"] {
            _ = features.isEnabled("ruled", for: Self.user("u", ["plan": .string(plan)]))
        }
        _ = features.isEnabled("plain")
        _ = features.explain("stale", variable: "v")
        let usage = features.usage
        #expect(usage.map(\.feature) == ["plain", "ruled", "stale"])
        #expect(usage.map { $0.lastEvaluation != nil } == [true, true, false])
        #expect(usage[1].evaluations == [.targetingMatch: 2, .default: 1])
    }

    @Test("what listeners look at is no evaluation")
    func usageOfListeners() throws {
        let features = try Features(
            """
            {"ruled": {"enabled": false, "rules": [{"id": "pro", "condition": {"plan": "pro"}, "enabled": true}]},
             "plain": {"enabled": true, "variables": {"v": {"value": 1}}}}
            """)
        features.onChange { _ in }
        features.onChange(of: "plain", variable: "v", as: Int.self) { _ in }
        try features.overrides.set(2, for: "plain", variable: "v")
        #expect(features.usage.map(\.feature) == ["plain", "ruled"])
        #expect(features.usage.allSatisfy { $0.lastEvaluation == nil && $0.evaluations.isEmpty })
    }

    @Test("a read of a plain value is noted although its source has other values since")
    func usageOfReplaced() {
        let provider = FeaturePriorityTests.Provider("p", FeaturePriorityTests.feature(true, ["x": 1]))
        var options = FeatureOptions()
        options.providers = [provider]
        let features = Features([FeatureDefinition(name: "stale", isEnabled: true)], options: options)
        #expect(features.value("f", variable: "x", default: 0) == 1)
        provider.say(FeaturePriorityTests.feature(true, ["x": 2]))
        features.reload()
        let usage = features.usage
        #expect(usage.map(\.feature) == ["f", "stale"])
        #expect(usage.map { $0.lastEvaluation != nil } == [true, false])
    }

    @Test("reads of a feature without rules that fail or find nothing are counted too")
    func counted() throws {
        let features = try Features(#"{"f":{"variables":{"v":{"value":"text"}}}}"#)
        #expect(features.value("f", variable: "v", default: 7) == 7)
        #expect(features.value("f", variable: "w", default: 7) == 7)
        #expect(features.usage.first?.evaluations == [.error: 1, .default: 1])
    }

    @Test("names that no source has are counted by all threads, with one line of the log")
    func missesOfThreads() throws {
        let log = MemoryLog()
        let features = try Features(#"{"f":{"variables":{"v":{"value":"text"}}}}"#, log: log)
        DispatchQueue.concurrentPerform(iterations: 8) { _ in
            for _ in 0..<1000 {
                _ = features.isEnabled("gone")
                _ = features.value("f", variable: "v", default: 7)
            }
        }
        #expect((features.unknownNames, features.readFailures) == (8000, 8000))
        #expect(log.records.map(\.message).filter { $0.contains("gone") || $0.contains("f.v") }.count == 2)
    }
}
