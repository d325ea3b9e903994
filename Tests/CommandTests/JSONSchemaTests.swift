import TestSupport
import Testing
import TrackerConfig
import TrackerCore

@testable import DocumentTools
@testable import tracker_config

@Suite("The schema of documents in validate", .endsWhenItHangs)
struct JSONSchemaTests {
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
        let schema = try JSONReader.read(PackageResources.document_json).value
        let rule = path.reduce(schema as JSONValue?) { $0?[$1] }
        let description = try #require(rule?["description"]?.string)
        let list = try #require(description.firstMatch(of: /One of ([^;]+);/)).output.1
        #expect(Set(list.replacing(" or ", with: ", ").split(separator: ", ").map(String.init)) == Set(words))
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

    @Test("what fails closed is a warning of the decoder, and the schema does not report it a second time")
    func failsClosed() throws {
        let rules = [
            #"{"id":"r","if":1}"#, "1", #"{"id":"r","enabled":"yes","coverage":"half","hashVersion":3}"#,
            #"{"id":"r","filters":[{},{"seed":1,"ranges":[[0,2]]}]}"#, #"{"id":"r","namespace":["n",0,3]}"#,
        ]
        let features = rules.enumerated().map { #""f\#($0)":{"rules":[\#($1)]}"# }.joined(separator: ",")
        let experiment = #"{"id":"e","unit":1,"if":2,"variants":[{"name":"a","enabled":1,"x":2}]}"#
        let validation = try validation(#""features":{\#(features)},"experiments":[\#(experiment)]"#)
        #expect(validation.errors.isEmpty)
        #expect(validation.warnings.allSatisfy { $0.judge == .decoder })
        for place in rules.indices.map({ "features.f\($0).rules[0]" }) + ["experiments[0]"] {
            #expect(validation.warnings.contains { $0.place.hasPrefix(place) }, "\(place)")
        }
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
            (#""segments":{"s":"u-1"}"#, "segments.s"), (#""requires":"rules""#, "requires"),
            (#""experiments":[{"id":1,"variants":[{"name":"a"}]}]"#, "experiments[0].id"),
        ])
    func rejected(parts: String, place: String) throws {
        #expect(try validation(parts).errors.map(\.place) == [place])
    }
}
