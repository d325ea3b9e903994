import Foundation
import TestSupport
import Testing
import TrackerConfig
import TrackerFeatures
import TrackerTesting

/// What an explanation says.
@Suite("Explanations of reads", .endsWhenItHangs)
struct FeatureExplanationTests {
    /// The outcome of the only rule for a context.
    private static func verdict(_ rule: String, for context: FeatureContext, more: String = "") throws -> String {
        let features = try Features(#"{"f":{"enabled":false,"rules":[{"id":"r","enabled":true,\#(rule)}]}\#(more)}"#)
        let explanation = features.explain("f", for: context)
        let step = try #require(explanation.steps.first { $0.rule != nil })
        return "\(step.verdict): \(step.text)"
    }

    @Test(
        "names the clause that fails, with the value that it saw",
        arguments: [
            (#"{"email":{"$regex":"x"}}"#, "email: missing"), (#"{"plan":"pro"}"#, "plan: 'free' is not 'pro'"),
            (#"{"plan":{"$ne":"free"}}"#, "plan: 'free' is, against $ne, 'free'"),
            (#"{"age":{"$gte":18}}"#, "age: 17 is not at least 18"),
            (#"{"age":{"$gt":10,"$lt":15}}"#, "age: 17 is not below 15"),
            (#"{"plan":{"$in":["pro","team"]}}"#, #"plan: 'free' is not one of ["pro","team"]"#),
            (#"{"address.city":"Bergen"}"#, "address.city: 'Oslo' is not 'Bergen'"),
            (
                #"{"$or":[{"plan":"pro"},{"$and":[{"age":17},{"email":"x"}]}]}"#,
                "$or: none of the 2 branches holds: plan: 'free' is not 'pro'"
            ),
            (#"{"$not":{"plan":"free"}}"#, #"$not: {"plan":"free"} holds"#),
            (#"{"$nor":[{"plan":"pro"},{"age":17}]}"#, #"$nor: {"age":17} holds"#),
            (#"{"age":17,"$and":[{"plan":"free"},{"plan":"pro"}]}"#, "plan: 'free' is not 'pro'"),
            (#"{"tags":{"$all":["b"]}}"#, #"tags: ["a"] does not satisfy $all ["b"]"#),
            (#"{"userId":"u-2"}"#, "userId: 'u-1' is not 'u-2'"),
            // The reason, if the operator alone would be untrue.
            (
                #"{"day":{"$after":"2024-06-01T00:00:00Z"}}"#,
                "day: '2024-06-02' has no offset or no time, so each machine could read another moment; "
                    + "expected '2026-12-01T00:00:00+01:00'"
            ),
            (#"{"tags":{"$before":"2024-06-01T00:00:00Z"}}"#, #"tags: ["a"] is not a moment"#),
            (#"{"text":{"$gt":"9"}}"#, "text: '10' is not above '9'; texts compare by characters"),
            (#"{"ip":{"$cidr":"10.0.0.0/8"}}"#, "ip: '10.0.0.1:8080' is not an address"),
            (#"{"age":{"$cidr":"10.0.0.0/8"}}"#, "age: 17 is not an address"),
            (#"{"cafe":"caf\u00e9"}"#, "cafe: 'cafe\u{301}' is not 'caf\u{e9}'; they differ in Unicode normalization"),
            (#"{"text":{"$in":[10,"x"]}}"#, #"text: '10' is not one of [10,"x"]; a text equals no number"#),
            (#"{"text":{"$eq":10}}"#, "text: '10' is not 10; a text equals no number"),
        ])
    func clauses(condition: String, text: String) throws {
        let context = FeatureContext(
            units: ["userId": "u-1"],
            attributes: [
                "plan": "free", "age": 17, "address": ["city": "Oslo"], "tags": ["a"], "day": "2024-06-02",
                "text": "10",
                "ip": "10.0.0.1:8080", "cafe": "cafe\u{301}",
            ])
        #expect(try Self.verdict(#""condition":\#(condition)"#, for: context) == "doesNotMatch: \(text)")
    }

    @Test("names the unit with its bucket and the range that it needs")
    func buckets() throws {
        let user = FeatureContext(userID: "u-1")
        for (rule, text) in [
            (#""coverage":0"#, "covered nothing"), (#""coverage":0.2"#, "covered 0 to 0.2"),
            (#""range":[0.5,0.75]"#, "covered 0.5 to below 0.75"),
        ] {
            #expect(try Self.verdict(rule, for: user) == "doesNotMatch: userId 'u-1' is at 0.2169, \(text)")
        }
        #expect(try Self.verdict(#""coverage":0.5"#, for: .init()) == "doesNotMatch: userId: missing")
        let long = FeatureContext(userID: String(repeating: "u", count: 2000))
        #expect(
            try Self.verdict(#""coverage":0.5"#, for: long)
                == "doesNotMatch: the id of the unit 'userId' has 2000 bytes, and one of more than 1024 is not used")
        #expect(try Self.verdict(#""coverage":0.5"#, for: user).hasPrefix("gives"))
        let filtered = try Self.verdict(#""filters":[{"seed":"s","ranges":[[0,0]]}]"#, for: user)
        #expect(filtered.hasSuffix("by the filter 's', covered nothing"))
    }

    @Test(
        "names what a context meets, of a rule that matches",
        arguments: [
            (#""condition":{"plan":"pro"}"#, "plan matches"),
            (#""condition":{"plan":"pro","email":"e"}"#, "plan and email match"),
            (#""condition":{"$or":[{"email":"e"},{"plan":{"$in":["pro"]}}]}"#, "the condition holds"),
            (
                #""condition":{"plan":"pro","email":"e","a":1,"b":{"$ne":1},"c":null}"#,
                "plan, email, a and 2 more match"
            ),
            (
                #""condition":{"plan":"pro"},"coverage":0.5"#,
                "plan matches; userId 'u-1' is at 0.2169, covered 0 to 0.5"
            ),
            (#""coverage":1"#, ""),
        ])
    func matches(parts: String, text: String) throws {
        let user = FeatureContext(units: ["userId": "u-1"], attributes: ["plan": "pro", "email": "e", "a": 1])
        let features = try Features(#"{"f":{"rules":[{"id":"r","enabled":true,\#(parts)}]}}"#)
        let rule = try #require(features.explain("f", for: user).steps.first { $0.rule != nil })
        #expect(rule.verdict == .gives)
        #expect(rule.text == text)
    }

    @Test("explains prerequisites and gates with the other feature, and says when something begins or ended")
    func others() throws {
        let other = #","o":{"enabled":false,"rules":[{"id":"s","condition":{"plan":"pro"},"enabled":true}]}"#
        let user = FeatureContext(userID: "u-1")
        for (rule, text) in [
            (#""prerequisites":{"feature":"o"}"#, "doesNotMatch: feature 'o': it is not enabled"),
            (#""prerequisites":{"feature":"o","gate":true}"#, "blocks: feature 'o', a gate: it is not enabled"),
            (#""prerequisites":{"feature":"f"}"#, "doesNotMatch: feature 'f': it waits for itself"),
            (#""start":"2090-01-01T01:00:00+01:00""#, "doesNotMatch: begins at 2090-01-01T00:00:00Z"),
            (#""end":"2020-01-01T00:00:00Z""#, "doesNotMatch: ended at 2020-01-01T00:00:00Z"),
        ] {
            #expect(try Self.verdict(rule, for: user, more: other) == text)
        }
        let features = try Features(
            #"{"f":{"rules":[{"id":"r","enabled":true,"prerequisites":{"feature":"o"}}]}\#(other)}"#)
        let lines = features.explain("f", for: user).description.split(separator: "\n").map(String.init)
        #expect(
            lines == [
                "f.enabled = unset (fallback), DEFAULT", "  override: no value", "  default: no value",
                "    rule r: no, feature 'o': it is not enabled",
                "  fallback: gives the caller's default",
            ])
    }

    @Test("names the variant that leaves the value as it is, what forces one, and when one was stored")
    func experiments() async throws {
        let assignments = MemoryAssignments()
        let shop = FeatureService()
        shop.publish(
            1, #"{"f":{"variables":{"v":{"value":1}}}}"#,
            experiments: """
                [{"id":"x","sticky":true,"variants":[{"name":"control","weight":1,"values":{"f":{"other":1}}},
                {"name":"b","weight":0,"values":{"f":{"v":2}}}]}]
                """)
        let setup = try await shop.start { $0.experiments.assignmentStore = assignments }
        func store(_ variant: String, for user: String) {
            let (unit, now) = (ExperimentUnit(name: "userId", id: user), shop.service.time.now)
            assignments.set(StickyAssignment(unit: unit, experiment: "x", variant: variant, date: now))
        }
        func step(_ user: String = "u-1") throws -> FeatureExplanation.Step {
            let explanation = setup.features.explain("f", variable: "v", for: FeatureContext(userID: user))
            return try #require(explanation.steps.first { $0.experiment != nil })
        }
        let drawn = try step()
        #expect((drawn.verdict, drawn.variant) == (.noValue, "control"))
        #expect(
            drawn.text.hasPrefix(
                "variant 'control', by the hash, and stored at the first exposure, userId 'u-1' is at 0."))
        let explanation = setup.features.explain("f", variable: "v", for: FeatureContext(userID: "u-1"))
        #expect(explanation.variants == ["x": "control"])
        store("b", for: "u-1")
        #expect(try step().text == "variant 'b', stored 2023-11-14T22:13:20Z")
        store("old", for: "u-2")
        #expect(
            try step("u-2").text
                == "variant 'control', drawn anew, because the stored 'old' is no longer a variant")
        try setup.features.overrides.force("b", of: "x")
        #expect(try (step().verdict, step().text) == (.gives, "variant 'b', forced by an override"))
        // Nothing was recorded or stored by all that.
        #expect(assignments.assignments.count == 2 && setup.experiments.counters.exposuresTracked == 0)
        await setup.shutdown(timeout: .zero)
    }

    @Test("shows no secret: neither a value, nor a rule's, nor what a prerequisite compares")
    func secrets() throws {
        var options = FeatureOptions()
        options.decrypt = { ciphertext, _ in .string(String(ciphertext.reversed())) }
        let features = try Features(
            """
            {"f":{"variables":{"key":{"value":"1-TERCES","encrypted":true}},
              "rules":[{"id":"r","condition":{"plan":"pro"},"values":{"key":"2-TERCES"}}]},
             "g":{"rules":[{"id":"s","prerequisites":{"feature":"f","condition":{"key":"SECRET-3"}},"enabled":true}]}}
            """, experiments: #"[{"id":"x","variants":[{"name":"a","values":{"f":{"key":"4-TERCES"}}}]}]"#,
            options: options)
        try features.overrides.set("SECRET-5", for: "f", variable: "key")
        let pro = FeatureContext(units: ["userId": "u"], attributes: ["plan": "pro"])
        for explanation in [features.explain("f", variable: "key", for: pro), features.explain("g", for: pro)] {
            let json = String(decoding: try JSONEncoder().encode(explanation), as: UTF8.self)
            #expect(!json.contains("SECRET") && !json.contains("TERCES"), "\(json)")
            #expect(!"\(explanation)".contains("SECRET") && !"\(explanation)".contains("TERCES"), "\(explanation)")
        }
        #expect(features.explain("f", variable: "key", for: pro).isSecret)
    }

    @Test("is bounded, whatever the document is, and ends as the read does")
    func bounds() throws {
        let rules = (0..<1200).map { #"{"id":"r\#($0)","condition":{"a":{"$regex":"[a-y]+\#($0)z"}},"enabled":true}"# }
        let features = try Features(#"{"f":{"enabled":false,"rules":[\#(rules.joined(separator: ","))]}}"#)
        let short = features.explain("f", for: FeatureContext(attributes: ["a": "x"]))
        #expect(short.steps.count <= 1010)
        #expect(short.error == nil && short.value == false)
        let long = FeatureContext(attributes: ["a": .string(String(repeating: "x", count: 30_000))])
        let explanation = features.explain("f", for: long)
        #expect((explanation.value, explanation.reason) == (false, .error))
        #expect(explanation.error == features.detail("f", for: long).error.map { "\($0)" })
        #expect("\(explanation)".utf8.count < 200_000)
    }

    @Test("counts and logs nothing")
    func quiet() throws {
        let log = MemoryLog()
        let features = Features(
            [FeatureDefinition(name: "f", variables: [VariableDefinition(name: "v", value: "text")])], log: log)
        #expect(features.explain("f", variable: "v", as: Int.self).error == "f.v: expected an integer, found a string")
        #expect(features.explain("gone").source == .fallback)
        #expect(features.explain("f", variable: "gone").source == .fallback)
        #expect(features.readFailures == 0 && features.unknownNames == 0 && log.records.isEmpty)
    }
}
