import Testing
import TrackerConfig
import TrackerCore

@testable import DocumentTools

/// What `validate` says of conditions and draws with which nothing is wrong.
@Suite("Advice about conditions and draws")
struct AdviceTests {
    private static func advice(_ more: String) throws -> [String] {
        let text = """
            {"$schema":"iglu:com.snowplowanalytics.mobile/remote_config/jsonschema/1-0-1",
            "configurationVersion":1,"configurationBundle":[],\(more)}
            """
        let validation = try Validation(Array(text.utf8), named: "-")
        #expect(validation.errors.isEmpty)
        let findings = validation.warnings.filter { $0.judge == .advice }
        #expect(findings.count == validation.warnings.count, "\(validation.warnings.map(\.sentence))")
        // A service says nothing of it.
        #expect(try Document(Array(text.utf8)).warnings.isEmpty)
        return findings.map(\.sentence)
    }

    /// The advice about the condition of a rule and of an experiment, without the place of the condition.
    private static func advice(condition: String) throws -> [String] {
        let rule = try advice(#""features":{"f":{"rules":[{"id":"r","enabled":true,"condition":\#(condition)}]}}"#)
        let experiment = try advice(
            #""experiments":[{"id":"e","variants":[{"name":"a"}],"condition":\#(condition)}]"#)
        let prefixes = ("features.f.rules[0].condition", "experiments[0].condition")
        #expect(rule.allSatisfy { $0.hasPrefix(prefixes.0) } && experiment.allSatisfy { $0.hasPrefix(prefixes.1) })
        let sentences = rule.map { String($0.dropFirst(prefixes.0.count)) }
        #expect(sentences == experiment.map { String($0.dropFirst(prefixes.1.count)) })
        return sentences
    }

    @Test(
        "a comparison that a missing attribute satisfies",
        arguments: [
            (#"{"age":{"$lt":18}}"#, ".age.$lt"), (#"{"age":{"$lte":0}}"#, ".age.$lte"),
            (#"{"a":{"$gt":-1}}"#, ".a.$gt"),
            (#"{"a":{"$gte":0}}"#, ".a.$gte"), (#"{"v":{"$vlt":"2.0.0"}}"#, ".v.$vlt"),
            (#"{"v":{"$vne":"2.0.0"}}"#, ".v.$vne"), (#"{"$or":[{"age":{"$lt":18}},{"a":1}]}"#, ".$or[0].age.$lt"),
            (#"{"$not":{"$nor":[{"age":{"$lt":18}}]}}"#, ".$not.$nor[0].age.$lt"),
        ])
    func missing(condition: String, place: String) throws {
        let name = place.split(separator: ".").dropLast().last ?? ""
        #expect(
            try Self.advice(condition: condition) == [
                "\(place): a context without '\(name)' matches too; add \"$exists\": true to require it"
            ])
    }

    @Test(
        "what a missing attribute does not satisfy needs no advice",
        arguments: [
            #"{"age":{"$gt":18}}"#, #"{"age":{"$lt":18,"$gt":3}}"#, #"{"age":{"$exists":true,"$lt":18}}"#,
            #"{"$and":[{"age":{"$exists":true}},{"age":{"$lt":18}}]}"#, #"{"v":{"$vgt":"2.0.0"}}"#,
            #"{"$not":{"age":{"$lt":18}}}"#, #"{"age":{"$type":"number","$lt":18}}"#, #"{"email":{"$regex":"."}}"#,
            #"{"plan":{"$ne":"free"}}"#, #"{"$now":{"$lt":5}}"#, #"{"at":{"$before":"2026-12-01T00:00:00Z"}}"#,
            // Dates without a time are in order as texts.
            #"{"birthday":{"$exists":true,"$lt":"2008-01-01"}}"#,
        ])
    func present(condition: String) throws {
        #expect(try Self.advice(condition: condition).isEmpty)
    }

    @Test(
        "a moment that is compared as a text",
        arguments: [#""2026-12-01T00:00:00Z""#, #""2026-12-01 10:00""#])
    func dates(operand: String) throws {
        let reason = "compares texts, not moments in time; use $before or $after"
        #expect(try Self.advice(condition: #"{"at":{"$gt":\#(operand)}}"#) == [".at.$gt: \(reason)"])
        #expect(
            try Self.advice(condition: #"{"at":{"$not":{"$gte":\#(operand)}}}"#) == [".at.$not.$gte: \(reason)"])
    }

    @Test(
        "syntax of other regular expressions",
        arguments: [
            (#"^[[:alpha:]_]+$"#, "'[:alpha:]' is not a character class here, only its letters; write ranges as a-z"),
            (#"\b{start}x"#, #"'\b{' is not a word boundary here; write \b"#),
            (#"\Ax"#, #"'\A' is the letter A here; write ^"#), (#"x\z"#, #"'\z' is the letter z here; write $"#),
            (#"[a-z&&[^b]]"#, "'&&' in brackets is not an intersection here, only the character &"),
        ])
    func patterns(pattern: String, reason: String) throws {
        let text = JSONValue.string(pattern)
        for name in ["$regex", "$regexi", "$notRegex"] {
            #expect(try Self.advice(condition: #"{"a":{"\#(name)":\#(text)}}"#) == [".a.\(name): \(reason)"])
        }
    }

    @Test("what means the same elsewhere", arguments: [#"^[a-z:]+\bx\.$"#, #"[&]&&"#, #"\[:alpha:\]"#, #"[:alpha:]"#])
    func samePatterns(pattern: String) throws {
        #expect(try Self.advice(condition: #"{"a":{"$regex":\#(JSONValue.string(pattern))}}"#).isEmpty)
    }

    private static let equal =
        "experiments[0]: it selects units by the same seed 'f' as features.f.rules[0], so that one decides about "
        + "the other; give it a seed of its own"

    @Test(
        "an experiment that is drawn as a rule or another experiment is",
        arguments: [
            (#"{"id":"r","coverage":0.2,"enabled":true}"#, #"{"id":"f","variants":[{"name":"a"}]}"#, [equal]),
            (#"{"id":"r","coverage":0.2,"seed":"s","enabled":true}"#, #"{"id":"f","variants":[{"name":"a"}]}"#, []),
            (#"{"id":"r","coverage":0.2,"unit":"d","enabled":true}"#, #"{"id":"f","variants":[{"name":"a"}]}"#, []),
            (
                #"{"id":"r","coverage":0.2,"hashVersion":1,"enabled":true}"#, #"{"id":"f","variants":[{"name":"a"}]}"#,
                []
            ),
            // Without a share nothing is drawn.
            (#"{"id":"r","enabled":true}"#, #"{"id":"f","variants":[{"name":"a"}]}"#, []),
            (
                #"{"id":"r","enabled":true}"#,
                #"{"id":"f","variants":[{"name":"a"}]},{"id":"g","seed":"f","variants":[{"name":"a"}]}"#,
                [
                    "experiments[1]: it selects units by the same seed 'f' as experiments[0], so that one decides "
                        + "about the other; give it a seed of its own"
                ]
            ),
        ])
    func draws(rule: String, experiments: String, expected: [String]) throws {
        #expect(
            try Self.advice(#""features":{"f":{"rules":[\#(rule)]}},"experiments":[\#(experiments)]"#) == expected)
    }

    @Test("rules may share a seed, to select the same units first")
    func rules() throws {
        let rules = ["r", "s"].map { #"{"id":"\#($0)","coverage":0.2,"seed":"s","enabled":true}"# }
        #expect(
            try Self.advice(
                #""features":{"f":{"rules":[\#(rules[0])]},"g":{"rules":[\#(rules.joined(separator: ","))]}}"#
            ).count == 0)
    }

    @Test("a service says in place of advice what it cannot use")
    func unusable() throws {
        let text = """
            {"$schema":"iglu:com.snowplowanalytics.mobile/remote_config/jsonschema/1-0-1",
            "configurationVersion":1,"configurationBundle":[],"features":{"f":{"enabled":true,"end":"soon","rules":[
            {"id":"r","start":"2026-12-01","enabled":true,"condition":{"a":{"$lt":1}}}]}}}
            """
        let validation = try Validation(Array(text.utf8), named: "-")
        #expect(
            validation.warnings.map(\.sentence) == [
                "features.f.end: expected a moment with an offset, as '2026-12-01T00:00:00+01:00', found 'soon'; the feature "
                    + "gives no values",
                "features.f.rules[0].start: '2026-12-01' has no offset or no time, so each machine could read another moment; "
                    + "expected '2026-12-01T00:00:00+01:00'; the rule matches no context",
            ])
        #expect(validation.errors.isEmpty)
    }
}
