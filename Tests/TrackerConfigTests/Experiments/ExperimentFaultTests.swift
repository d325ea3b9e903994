import Testing
import TrackerConfig
import TrackerCore

/// What is wrong with a document's `experiments`, and the sentence that says so.
@Suite("Faults of a document's experiments")
struct ExperimentFaultTests {
    @Test(
        "an experiment without a usable id or variants is a fault with its place",
        arguments: [
            ("\"id\":1", "id: expected a string, found a number"), ("\"id\":null", "id: expected a string, found null"),
            ("\"variants\":{}", "variants: expected a list, found an object"),
            ("\"variants\":null", "variants: expected a list, found null"),
            ("\"variants\":[1]", "variants[0]: expected an object, found a number"),
        ])
    func experimentType(member: String, sentence: String) throws {
        let others = [#""id":"x""#, #""variants":[{"name":"a"}]"#].filter { $0.prefix(4) != member.prefix(4) }
        let error = try ExperimentText.fault("[{\((others + [member]).joined(separator: ","))}]")
        #expect("\(error.place): \(error.reason)" == "experiments[0].\(sentence)")
        #expect(error.code == .wrongType)
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

    @Test(
        "a wrong type of a variant's key is a fault with its place",
        arguments: [
            ("\"name\":1", "name: expected a string, found a number"),
            ("\"name\":null", "name: expected a string, found null"),
            ("\"name\":\"a\",\"weight\":\"1\"", "weight: expected a number, found a string"),
            ("\"name\":\"a\",\"weight\":true", "weight: expected a number, found a boolean"),
            ("\"name\":\"a\",\"values\":[]", "values: expected an object, found a list"),
            ("\"name\":\"a\",\"values\":{\"f\":1}", "values.f: expected an object, found a number"),
        ])
    func variantType(members: String, sentence: String) throws {
        let error = try ExperimentText.fault(#"[{"id":"x","variants":[{"name":"b"},{\#(members)}]}]"#)
        #expect("\(error.place): \(error.reason)" == "experiments[0].variants[1].\(sentence)")
        #expect(error.code == .wrongType)
    }

    @Test(
        "the whole sentence has the position",
        arguments: [
            ("{}", "experiments: expected a list, found an object (line 2, column 15)"),
            ("[null]", "experiments[0]: expected an object, found null (line 2, column 16)"),
            (
                #"[{"id":"x","variants":[{"name":"a","weight":"1"}]}]"#,
                "experiments[0].variants[0].weight: expected a number, found a string (line 2, column 59)"
            ),
        ])
    func sentence(experiments: String, sentence: String) throws {
        #expect(try ExperimentText.fault(experiments).description == sentence)
    }

    @Test(
        "a required key that is missing is a fault",
        arguments: [
            (#"{"variants":[{"name":"a"}]}"#, "experiments[0]", "required key 'id' is missing"),
            (#"{"id":"x"}"#, "experiments[0]", "required key 'variants' is missing"),
            (#"{"id":"x","variants":[{"weight":1}]}"#, "experiments[0].variants[0]", "required key 'name' is missing"),
        ])
    func missing(experiment: String, place: String, reason: String) throws {
        let error = try ExperimentText.fault("[\(experiment)]")
        #expect(error.place == place)
        #expect(error.reason == reason)
        #expect(error.code == .missingValue)
    }

    @Test("an experiment without variants is a fault")
    func noVariants() throws {
        let error = try ExperimentText.fault(#"[{"id":"x","variants":[]}]"#)
        #expect(error.description == "experiments[0].variants: expected at least one, found none (line 2, column 37)")
        #expect(error.code == .outOfRange)
    }

    @Test("two experiments with one id are a fault that names both")
    func duplicateID() throws {
        func experiment(_ id: String) -> String { #"{"id":"\#(id)","variants":[{"name":"a"}]}"# }
        let error = try ExperimentText.fault("[\(experiment("x")),\(experiment("y")),\(experiment("x"))]")
        #expect(error.place == "experiments[2].id")
        #expect(error.reason == "'x' is the id of experiments[0] too")
        #expect(error.code == .duplicateName)
    }

    @Test("two variants with one name are a fault that names both, but not in two experiments")
    func duplicateVariant() throws {
        let error = try ExperimentText.fault(#"[{"id":"x","variants":[{"name":"b"},{"name":"a"},{"name":"b"}]}]"#)
        #expect(error.place == "experiments[0].variants[2].name")
        #expect(error.reason == "'b' is the name of experiments[0].variants[0] too")
        #expect(error.code == .duplicateName)
        let apart = #"[{"id":"x","variants":[{"name":"a"}]},{"id":"y","variants":[{"name":"a"}]}]"#
        #expect(try ExperimentText.document(apart).experiments.count == 2)
    }

    @Test("a negative weight is a fault", arguments: ["-1", "-0.001", "-1e308", "-99999999999999999999"])
    func negativeWeight(weight: String) throws {
        let error = try ExperimentText.fault(#"[{"id":"x","variants":[{"name":"a","weight":\#(weight)}]}]"#)
        #expect(error.place == "experiments[0].variants[0].weight")
        #expect(error.reason.hasPrefix("expected 0 or more, found -"))
        #expect(error.code == .outOfRange)
    }

    @Test(
        "weights that are all zero are a fault",
        arguments: [
            #"{"name":"a","weight":0}"#, #"{"name":"a","weight":0},{"name":"b","weight":0.0}"#,
            #"{"name":"a","weight":0},{"name":"b"}"#, #"{"name":"a","weight":-0.0},{"name":"b","weight":null}"#,
        ])
    func zeroWeights(variants: String) throws {
        let error = try ExperimentText.fault(#"[{"id":"x","variants":[\#(variants)]}]"#)
        #expect(error.description == "experiments[0].variants: all weights are zero (line 2, column 37)")
        #expect(error.code == .outOfRange)
    }
}
