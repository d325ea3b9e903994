import DocumentTools
import TestSupport
import Testing
import TrackerConfig
import TrackerCore

/// What `validate` says of conditions and draws with which nothing is wrong.
@Suite("Advice about conditions and draws", .endsWhenItHangs)
struct AdviceTests {
    private func advice(_ more: String) throws -> [String] {
        let text = """
            {"$schema":"iglu:com.snowplowanalytics.mobile/remote_config/jsonschema/1-0-1",
            "configurationVersion":1,"configurationBundle":[],\(more)}
            """
        let validation = Validation(Array(text.utf8), named: "-")
        #expect(validation.errors.isEmpty)
        // A service says nothing of it.
        #expect(try Document(Array(text.utf8)).warnings.isEmpty)
        return validation.warnings.map(\.sentence)
    }

    /// Compares the advice about conditions, each of a rule and of an experiment, without the place of the condition.
    private func expect(_ expected: [(String, [String])]) throws {
        let conditions = expected.map(\.0).enumerated()
        let features = conditions.map { #""f\#($0)":{"rules":[{"id":"r","enabled":true,"condition":\#($1)}]}"# }
        let experiments = conditions.map { #"{"id":"e\#($0)","variants":[{"name":"a"}],"condition":\#($1)}"# }
        let advice = try advice(
            """
            "features":{\(features.joined(separator: ","))},"experiments":[\(experiments.joined(separator: ","))]
            """)
        for (index, (condition, sentences)) in expected.enumerated() {
            for place in ["features.f\(index).rules[0].condition", "experiments[\(index)].condition"] {
                let found = advice.filter { $0.hasPrefix("\(place).") }.map { String($0.dropFirst(place.count)) }
                #expect(found == sentences, "\(condition)")
            }
        }
        #expect(advice.count == expected.reduce(0) { $0 + 2 * $1.1.count })
    }

    @Test("a comparison that a missing attribute satisfies, and none that it does not satisfy")
    func missing() throws {
        let satisfied = [
            (#"{"age":{"$lt":18}}"#, ".age.$lt"), (#"{"a":{"$gt":-1}}"#, ".a.$gt"), (#"{"a":{"$gte":0}}"#, ".a.$gte"),
            (#"{"v":{"$vlt":"2.0.0"}}"#, ".v.$vlt"), (#"{"v":{"$vne":"2.0.0"}}"#, ".v.$vne"),
            (#"{"$or":[{"age":{"$lt":18}},{"a":1}]}"#, ".$or[0].age.$lt"),
            (#"{"$not":{"$nor":[{"age":{"$lt":18}}]}}"#, ".$not.$nor[0].age.$lt"),
        ]
        let others = [
            #"{"age":{"$gt":18}}"#, #"{"age":{"$lt":18,"$gt":3}}"#, #"{"age":{"$exists":true,"$lt":18}}"#,
            #"{"$and":[{"age":{"$exists":true}},{"age":{"$lt":18}}]}"#, #"{"v":{"$vgt":"2.0.0"}}"#,
            #"{"$not":{"age":{"$lt":18}}}"#, #"{"age":{"$type":"number","$lt":18}}"#, #"{"email":{"$regex":"."}}"#,
            #"{"plan":{"$ne":"free"}}"#, #"{"at":{"$before":"2026-12-01T00:00:00Z"}}"#,
            // Dates without a time are in order as texts.
            #"{"birthday":{"$exists":true,"$lt":"2008-01-01"}}"#,
        ]
        let advised = satisfied.map { condition, place -> (String, [String]) in
            let name = place.split(separator: ".").dropLast().last ?? ""
            let reason = "a context without '\(name)' matches too; add \"$exists\": true to require it"
            return (condition, ["\(place): \(reason)"])
        }
        try expect(advised + others.map { ($0, [String]()) })
    }

    @Test("a moment that is compared as a text")
    func dates() throws {
        let reason = "compares texts, not moments in time; use $before or $after"
        try expect([
            (#"{"at":{"$gt":"2026-12-01T00:00:00Z"}}"#, [".at.$gt: \(reason)"]),
            (#"{"at":{"$not":{"$gte":"2026-12-01 10:00"}}}"#, [".at.$not.$gte: \(reason)"]),
        ])
    }

    @Test("an experiment that is drawn as a rule or another experiment is; rules may share a seed")
    func draws() throws {
        // The members of two rules of a feature, and an experiment of its name.
        let rules = [
            ("equal", #","coverage":0.2"#), ("seed", #","coverage":0.2,"seed":"s""#),
            ("unit", #","coverage":0.2,"unit":"d""#), ("hash", #","coverage":0.2,"hashVersion":1"#),
            // Without a share nothing is drawn.
            ("whole", #","condition":{"a":1}"#),
        ]
        let features = rules.map { name, members in
            let rules = ["r", "s"].map { #"{"id":"\#($0)","enabled":true\#(members)}"# }
            return #""\#(name)":{"rules":[\#(rules.joined(separator: ","))]}"#
        }.joined(separator: ",")
        let members = rules.map { #""id":"\#($0.0)""# } + [#""id":"other","seed":"whole""#]
        let experiments = members.map { #"{\#($0),"variants":[{"name":"a"}]}"# }.joined(separator: ",")
        func sentence(_ index: Int, _ seed: String, _ other: String) -> String {
            "experiments[\(index)]: it selects units by the same seed '\(seed)' as \(other), so that one decides about the "
                + "other; give it a seed of its own"
        }
        #expect(
            try advice(#""features":{\#(features)},"experiments":[\#(experiments)]"#) == [
                sentence(0, "equal", "features.equal.rules[0]"), sentence(5, "whole", "experiments[4]"),
            ])
    }
}
