import TrackerConfig
import TrackerCore

extension BadDocuments {
    /// What of rules, segments, experiments and requirements rejects a document; most of it only makes a rule unusable.
    static let rules: [BadDocument] = lists + shares + nesting

    private static func document(_ parts: String) -> String { DocumentText.document(1, more: ",\(parts)") }

    private static let lists: [BadDocument] =
        ["true", "1", "\"x\"", "{}"].flatMap { value in
            [
                BadDocument(
                    "rules: \(value)", document(#""features":{"f":{"rules":\#(value)}}"#), .wrongType,
                    at: "features.f.rules"),
                BadDocument(
                    "a segment: \(value)", document(#""segments":{"s":\#(value)}"#), .wrongType, at: "segments.s"),
                BadDocument("requires: \(value)", document(#""requires":\#(value)"#), .wrongType, at: "requires"),
            ]
        }
        + ["true", "1", "\"x\"", "[]"].map {
            BadDocument("segments: \($0)", document(#""segments":\#($0)"#), .wrongType, at: "segments")
        }
        + ["null", "true", "1", "[]", "{}"].map {
            BadDocument("a requirement: \($0)", document(#""requires":[\#($0)]"#), .wrongType, at: "requires[0]")
        }

    /// A percentage would let in all.
    private static let shares: [BadDocument] = ["1.0000001", "50", "1e30", "100.0"].flatMap { share in
        [
            BadDocument(
                "a rule's coverage \(share)",
                document(#""features":{"f":{"rules":[{"id":"a"},{"if":1,"coverage":\#(share)}]}}"#), .outOfRange,
                at: "features.f.rules[1].coverage"),
            BadDocument(
                "an experiment's coverage \(share)",
                document(#""experiments":[{"id":"e","coverage":\#(share),"variants":[{"name":"a"}]}]"#), .outOfRange,
                at: "experiments[0].coverage"),
        ]
    }

    /// Conditions that are no JSON, or nested too deeply.
    private static let nesting: [BadDocument] =
        ["{\"$not\":", "{\"$and\":[", "{\"a\":{\"$elemMatch\":"].map { level in
            let levels = String(repeating: level, count: 50_000)
            return BadDocument(
                "\(level) in a condition", document(#""features":{"f":{"rules":[{"condition":\#(levels)}]}}"#))
        }
        + ["features", "segments", "experiments", "requires"].map {
            BadDocument("\($0) twice", document(#""\#($0)":null,"\#($0)":null"#))
        }
        + [
            BadDocument(
                "a key of a rule twice", document(#""features":{"f":{"rules":[{"enabled":true,"enabled":false}]}}"#)),
            BadDocument(
                "an operator twice", document(#""features":{"f":{"rules":[{"condition":{"a":{"$gt":1,"$gt":2}}}]}}"#)),
            BadDocument(
                "half of a surrogate pair in an expression",
                document(#""features":{"f":{"rules":[{"condition":{"a":{"$regex":"\ud800"}}}]}}"#)),
        ]
}
