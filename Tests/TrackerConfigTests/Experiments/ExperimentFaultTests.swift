import TestSupport
import Testing
import TrackerConfig
import TrackerCore

/// What is wrong with a document's `experiments`, and the sentence that says so.
@Suite("Faults of a document's experiments", .endsWhenItHangs)
struct ExperimentFaultTests {
    typealias Row = (experiments: String, code: NamedCode<ConfigurationError>, sentence: String)

    private static func variants(_ variants: String) -> String { #"[{"id":"x","variants":\#(variants)}]"# }

    /// An experiment whose second variant has these members.
    private static func variant(_ members: String) -> String { variants(#"[{"name":"b"},{\#(members)}]"#) }

    private static let faults: [Row] = [
        ("{}", .wrongType, "experiments: expected a list, found an object (line 2, column 15)"),
        ("[null]", .wrongType, "experiments[0]: expected an object, found null (line 2, column 16)"),
        (#"[{"id":1,"variants":[{"name":"a"}]}]"#, .wrongType, "experiments[0].id: expected a string, found a number"),
        (#"[{"id":null,"variants":[{"name":"a"}]}]"#, .wrongType, "experiments[0].id: expected a string, found null"),
        (variants("{}"), .wrongType, "experiments[0].variants: expected a list, found an object"),
        (variants("null"), .wrongType, "experiments[0].variants: expected a list, found null"),
        (variants("[1]"), .wrongType, "experiments[0].variants[0]: expected an object, found a number"),
        (
            variants(#"[{"name":"a","weight":"1"}]"#), .wrongType,
            "experiments[0].variants[0].weight: expected a number, found a string (line 2, column 59)"
        ),
        (variant(#""name":1"#), .wrongType, "experiments[0].variants[1].name: expected a string, found a number"),
        (variant(#""name":null"#), .wrongType, "experiments[0].variants[1].name: expected a string, found null"),
        (
            variant(#""name":"a","weight":true"#), .wrongType,
            "experiments[0].variants[1].weight: expected a number, found a boolean"
        ),
        (
            variant(#""name":"a","values":[]"#), .wrongType,
            "experiments[0].variants[1].values: expected an object, found a list"
        ),
        (
            variant(#""name":"a","values":{"f":1}"#), .wrongType,
            "experiments[0].variants[1].values.f: expected an object, found a number"
        ),
        (#"[{"variants":[{"name":"a"}]}]"#, .missingValue, "experiments[0]: required key 'id' is missing"),
        (#"[{"id":"x"}]"#, .missingValue, "experiments[0]: required key 'variants' is missing"),
        (variant(#""weight":1"#), .missingValue, "experiments[0].variants[1]: required key 'name' is missing"),
        (variants("[]"), .outOfRange, "experiments[0].variants: expected at least one, found none (line 2, column 37)"),
        (
            #"[{"id":"x","variants":[{"name":"a"}]},{"id":"x","variants":[{"name":"a"}]}]"#, .duplicateName,
            "experiments[1].id: 'x' is the id of experiments[0] too"
        ),
        (
            variants(#"[{"name":"b"},{"name":"a"},{"name":"b"}]"#), .duplicateName,
            "experiments[0].variants[2].name: 'b' is the name of experiments[0].variants[0] too"
        ),
        (
            variant(#""name":"a","weight":-0.001"#), .outOfRange,
            "experiments[0].variants[1].weight: expected 0 or more, found -"
        ),
        (
            variant(#""name":"a","weight":-99999999999999999999"#), .outOfRange,
            "experiments[0].variants[1].weight: expected 0 or more, found -"
        ),
        (
            variants(#"[{"name":"a","weight":0}]"#), .outOfRange,
            "experiments[0].variants: all weights are zero (line 2, column 37)"
        ),
        (
            variants(#"[{"name":"a","weight":-0.0},{"name":"b","weight":null}]"#), .outOfRange,
            "experiments[0].variants: all weights are zero (line 2, column 37)"
        ),
        (
            #"[{"id":"x","coverage":50,"variants":[{"name":"a"}]}]"#, .outOfRange,
            "experiments[0].coverage: 50 is above 1; coverage is a share, so 0.5 is half"
        ),
    ]

    @Test("an experiment that cannot be read rejects the document, with its place", arguments: faults)
    func fault(row: Row) throws {
        let error = try ExperimentText.fault(row.experiments)
        #expect(error.description.hasPrefix(row.sentence), "\(error)")
        #expect(error.code == row.code)
        #expect(error.version == 1)
    }

    @Test(
        "an optional key of an experiment that has a wrong type is a warning, and the experiment gives no unit a variant",
        arguments: [
            ("\"unit\":1", "unit: expected a string, found a number"),
            ("\"seed\":[]", "seed: expected a string, found a list"),
            ("\"hashVersion\":\"2\"", "hashVersion: expected a number, found a string"),
            ("\"coverage\":true", "coverage: expected a number, found a boolean"),
            ("\"sticky\":1", "sticky: expected a boolean, found a number"),
            ("\"countries\":\"US, IL\"", "countries: expected a list, found a string"),
            ("\"countries\":[\"US\",null]", "countries[1]: expected a string, found null"),
            ("\"languages\":[1]", "languages[0]: expected a string, found a number"),
        ])
    func failsClosed(member: String, sentence: String) throws {
        let (experiment, warnings) = try ExperimentText.one(member)
        #expect(!experiment.isUsable)
        let expected = "experiments[0].\(sentence); the experiment gives no unit a variant"
        #expect(warnings.map { "\($0.place): \($0.reason)" } == [expected])
    }

    @Test("hashVersion 2.0 is 2, as JSON Schema has it")
    func wholeHashVersion() throws {
        let (experiment, warnings) = try ExperimentText.one("\"hashVersion\":2.0")
        #expect(experiment.hashVersion == .v2)
        #expect(experiment.isUsable && warnings.isEmpty)
    }
}
