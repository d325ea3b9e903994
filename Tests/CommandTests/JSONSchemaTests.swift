import Testing
import TrackerConfig
import TrackerCore

@testable import DocumentTools
@testable import tracker_config

@Suite("The checker of JSON Schemas")
struct JSONSchemaTests {
    private func schema(_ text: String) throws -> JSONSchema {
        try JSONSchema(JSONReader.read(Array(text.utf8)))
    }

    private func faults(_ schema: String, _ text: String) throws -> [String] {
        try self.schema(schema).faults(of: JSONReader.read(Array(text.utf8))).map {
            "\($0.place)@\($0.offset): \($0.reason)"
        }
    }

    @Test("the project's own schema can be used, every keyword of it")
    func own() throws {
        _ = try DocumentSchema.schema()
    }

    @Test(
        "the project's own schema lists the words that the SDK reads",
        arguments: [
            ("networkConfiguration.properties.method", HTTPMethod.allCases.map(\.rawValue)),
            ("trackerConfiguration.properties.devicePlatform", DevicePlatform.allCases.map(\.rawValue)),
            ("trackerConfiguration.properties.logLevel", LogLevel.allCases.map(\.rawValue)),
            ("trackerConfiguration.properties.sampling.properties.by", Sampling.Key.allCases.map(\.rawValue)),
            (
                "emitterConfiguration.properties.bufferOption",
                BufferOption.allCases.map(\.rawValue) + BufferOption.synonyms.keys
            ),
        ])
    func words(path: String, words: [String]) throws {
        let path = "properties.configurationBundle.items.properties.\(path)".split(separator: ".").map(String.init)
        let schema = try JSONReader.read(PackageResources.document_json).approximateValue
        let rule = path.reduce(schema as JSONValue?) { $0?[$1] }
        let description = try #require(rule?["description"]?.string)
        let list = try #require(description.firstMatch(of: /One of ([^;]+);/)).output.1
        #expect(Set(list.replacing(" or ", with: ", ").split(separator: ", ").map(String.init)) == Set(words))
    }

    @Test(
        "a keyword that is not known is refused with its place, at every depth",
        arguments: [
            (#"{"oneOf":[]}"#, "oneOf"),
            (#"{"properties":{"a":{"maxItems":1}}}"#, "properties.a.maxItems"),
            (#"{"items":{"additionalProperties":{"format":"uri"}}}"#, "items.additionalProperties.format"),
        ])
    func unknown(text: String, place: String) throws {
        let error = try #require(throws: JSONSchemaError.self) { try schema(text) }
        #expect(error.place == place)
        #expect(error.reason.contains("does not know"))
    }

    @Test(
        "a keyword with a value that it cannot have is refused",
        arguments: [
            #"{"type":"text"}"#, #"{"type":[]}"#, #"{"type":["string",1]}"#, #"{"required":"a"}"#, #"{"required":[1]}"#,
            #"{"properties":[]}"#, #"{"items":[]}"#, #"{"additionalProperties":false}"#, #"{"pattern":"("}"#,
            #"{"minLength":"1"}"#, #"{"minimum":5,"maximum":4}"#, "[]",
        ])
    func wrong(text: String) {
        #expect(throws: JSONSchemaError.self) { try schema(text) }
    }

    @Test("types are told apart; a number with a fraction or an exponent is no integer")
    func kinds() throws {
        let values = ["null", "true", "1", "1.0", "1e3", "\"a\"", "[]", "{}"]
        let kinds: [(name: String, fitting: Set<String>)] = [
            ("null", ["null"]), ("boolean", ["true"]), ("integer", ["1"]), ("number", ["1", "1.0", "1e3"]),
            ("string", ["\"a\""]), ("array", ["[]"]), ("object", ["{}"]),
        ]
        for kind in kinds {
            for value in values {
                let isFitting = try faults(#"{"type":"\#(kind.name)"}"#, value).isEmpty
                #expect(isFitting == kind.fitting.contains(value), "\(kind.name) of \(value)")
            }
        }
        #expect(try faults(#"{"type":["integer","null"]}"#, "1.5") == ["@0: expected an integer or null, found 1.5"])
    }

    @Test(
        "each rule is kept at its bounds and broken beyond them, and asks nothing of other types",
        arguments: [
            (#"{"minLength":2,"maxLength":3}"#, [#""ab""#, #""äöü""#, "1", "[]"], [#""a""#, #""abcd""#]),
            (#"{"minimum":-1,"maximum":2}"#, ["-1", "2.0", "\"a\""], ["-2", "2.1", "1e30"]),
            (#"{"minItems":1}"#, ["[1]", "{}"], ["[]"]),
            (
                #"{"pattern":"^(https?|iglu):[0-9]+$"}"#, [#""https:12""#, "1"],
                [#""ftp:1""#, #""http:1x""#, #""http:١""#]
            ),
            (#"{"required":["a"]}"#, [#"{"a":null}"#, "[]", "1"], ["{}", #"{"b":1}"#]),
            (#"{"enum":[0,null,"a"]}"#, ["0", "0.0", "null", #""a""#], ["1", "false", #""b""#]),
            (#"{"anyOf":[{"type":"null"},{"minimum":5}]}"#, ["null", "5", "true"], ["4"]),
            (#"{"not":{"items":{"enum":[0]}}}"#, ["[1]", "[0,1]"], ["[0,0]", "[]", "1"]),
            (#"{"items":{"type":"string"}}"#, ["[]", #"["a"]"#, "{}"], ["[1]"]),
            (
                #"{"properties":{"a":{"type":"null"}},"additionalProperties":{"type":"boolean"}}"#,
                [#"{"a":null,"b":true}"#, "{}"], [#"{"a":true}"#, #"{"b":null}"#]
            ),
        ])
    func rules(schema: String, good: [String], bad: [String]) throws {
        for value in good { #expect(try faults(schema, value) == [], "\(value)") }
        for value in bad { #expect(try faults(schema, value).count == 1, "\(value)") }
    }

    @Test("all faults are listed, each with its place and where it stands")
    func places() throws {
        let schema = """
            {"properties":{"list":{"items":{"required":["id"],"properties":{"id":{"type":"string"}}}},"n":{"minimum":0}}}
            """
        #expect(
            try faults(schema, #"{"list":[{"id":1},{},{"id":"x"}],"n":-1}"#) == [
                "list[0].id@15: expected a string, found a number", "list[1].id@18: required key 'id' is missing",
                "n@37: expected at least 0, found -1",
            ])
    }

    @Test("a default may lack its endpoint, a document may not")
    func purposes() throws {
        let text = """
            {"$schema":"iglu:com.snowplowanalytics.mobile/remote_config/jsonschema/1-0-0","configurationVersion":1,\
            "configurationBundle":[{"namespace":"a","networkConfiguration":{}},\
            {"namespace":"b","networkConfiguration":{"endpoint":null}},\
            {"namespace":"c","networkConfiguration":{"endpoint":1}}]}
            """
        let node = try JSONReader.read(Array(text.utf8))
        #expect(try DocumentSchema.faults(of: node, purpose: .remote).count == 3)
        #expect(
            try DocumentSchema.faults(of: node, purpose: .default).map(\.place) == [
                "configurationBundle[2].networkConfiguration.endpoint"
            ])
    }

    private func validation(_ parts: String) throws -> Validation {
        let text = """
            {"$schema":"iglu:com.snowplowanalytics.mobile/remote_config/jsonschema/1-0-0","configurationVersion":1,\
            "configurationBundle":[],\(parts)}
            """
        return try Validation(Array(text.utf8), named: "x")
    }

    @Test(
        "what fails closed is a warning of the decoder, and the schema does not report it a second time",
        arguments: [
            #""features":{"f":{"rules":[{"id":"r","if":1}]}}"#, #""features":{"f":{"rules":[1]}}"#,
            #""features":{"f":{"rules":[{"id":"r","enabled":"yes","coverage":"half","hashVersion":3}]}}"#,
            #""features":{"f":{"rules":[{"id":"r","filters":[{},{"seed":1,"ranges":[[0,2]]}]}]}}"#,
            #""features":{"f":{"rules":[{"id":"r","namespace":["n",0,3]}]}}"#,
            #""experiments":[{"id":"e","unit":1,"if":2,"variants":[{"name":"a","enabled":1,"x":2}]}]"#,
        ])
    func failsClosed(parts: String) throws {
        let validation = try validation(parts)
        #expect(validation.errors.isEmpty)
        #expect(!validation.warnings.isEmpty)
        #expect(validation.warnings.allSatisfy { $0.judge == .decoder })
    }

    @Test("a rule that the decoder's limit of warnings leaves out is a warning of the schema, and no error")
    func manyUnusableRules() throws {
        let rules = (0..<150).map { #"{"id":"\#($0)","enabled":"yes"}"# }.joined(separator: ",")
        let validation = try validation(#""features":{"f":{"rules":[\#(rules)]}}"#)
        #expect(validation.errors.isEmpty && validation.document != nil)
        #expect(validation.warnings.contains { $0.judge == .schema && $0.place == "features.f.rules[149].enabled" })
    }

    @Test(
        "what rejects a document is an error of both, told once",
        arguments: [
            (#""features":{"f":{"rules":[{"id":"r","coverage":50}]}}"#, "features.f.rules[0].coverage"),
            (#""features":{"f":{"rules":{}}}"#, "features.f.rules"), (#""segments":{"s":"u-1"}"#, "segments.s"),
            (#""requires":"rules""#, "requires"),
            (#""experiments":[{"id":1,"variants":[{"name":"a"}]}]"#, "experiments[0].id"),
        ])
    func rejected(parts: String, place: String) throws {
        #expect(try validation(parts).errors.map(\.place) == [place])
    }
}
