import DocumentTools
import Foundation
import TestSupport
import Testing
import TrackerConfig
import TrackerCore

@Suite("The schema of documents and validate", .endsWhenItHangs)
struct SchemaTests {
    private static func schema() throws -> JSONValue {
        let file = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "../../../Schemas/io.tracker-config/document/jsonschema/1-2-0")
        return try JSONReader.read([UInt8](Data(contentsOf: file))).value
    }

    @Test(
        "the project's own schema lists the words that the SDK reads",
        arguments: [
            ("networkConfiguration.properties.method", NetworkConfiguration.Method.allCases.map(\.rawValue)),
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
        let schema = try Self.schema()
        let rule = path.reduce(schema as JSONValue?) { $0?[$1] }
        let description = try #require(rule?["description"]?.string)
        let list = try #require(description.firstMatch(of: /One of ([^;]+);/)).output.1
        #expect(Set(list.replacing(" or ", with: ", ").split(separator: ", ").map(String.init)) == Set(words))
    }

    @Test("validate suggests the keys of the schema, and no others")
    func keys() throws {
        func names(_ schema: JSONValue) -> Set<String> {
            switch schema {
            case .object(let object):
                object.members.reduce(into: Set(object["properties"]?.object?.members.map(\.name) ?? [])) {
                    $0.formUnion(names($1.value))
                }
            case .array(let elements): elements.reduce(into: []) { $0.formUnion(names($1)) }
            default: []
            }
        }
        #expect(Set(ConfigurationError.keys) == names(try Self.schema()))
    }

    @Test("a default may lack its endpoint, a document may not")
    func purposes() throws {
        let bundles = ["{}", #"{"endpoint":null}"#, #"{"endpoint":1}"#].enumerated().map {
            #"{"namespace":"\#($0)","networkConfiguration":\#($1)}"#
        }
        let parts = #""configurationBundle":[\#(bundles.joined(separator: ","))]"#
        #expect(validation(parts).errors.count == 3)
        #expect(
            validation(parts, purpose: .default).errors.map(\.place) == [
                "configurationBundle[2].networkConfiguration.endpoint"
            ])
    }

    private func validation(_ parts: String, purpose: Document.Purpose = .remote) -> Validation {
        let bundles = parts.contains("configurationBundle") ? "" : #""configurationBundle":[],"#
        let text = """
            {"$schema":"iglu:com.snowplowanalytics.mobile/remote_config/jsonschema/1-0-0","configurationVersion":1,\
            \(bundles)\(parts)}
            """
        return Validation(Array(text.utf8), named: "x", purpose: purpose)
    }

    @Test("what makes a rule or an experiment unusable is a warning, as for a service")
    func failsClosed() throws {
        let rules = [
            #"{"id":"r","if":1}"#, "1", #"{"id":"r","enabled":"yes","coverage":"half","hashVersion":3}"#,
            #"{"id":"r","filters":[{},{"seed":1,"ranges":[[0,2]]}]}"#, #"{"id":"r","namespace":["n",0,3]}"#,
        ]
        let features = rules.enumerated().map { #""f\#($0)":{"rules":[\#($1)]}"# }.joined(separator: ",")
        let experiment = #"{"id":"e","unit":1,"if":2,"variants":[{"name":"a","enabled":1,"x":2}]}"#
        let validation = validation(#""features":{\#(features)},"experiments":[\#(experiment)]"#)
        #expect(validation.errors.isEmpty)
        for place in rules.indices.map({ "features.f\($0).rules[0]" }) + ["experiments[0]"] {
            #expect(validation.warnings.contains { $0.place.hasPrefix(place) }, "\(place)")
        }
    }

    @Test(
        "what rejects a document is an error, said once",
        arguments: [
            (#""features":{"f":{"rules":[{"id":"r","coverage":50}]}}"#, "features.f.rules[0].coverage"),
            (#""segments":{"s":"u-1"}"#, "segments.s"), (#""requires":"rules""#, "requires"),
            (#""experiments":[{"id":1,"variants":[{"name":"a"}]}]"#, "experiments[0].id"),
        ])
    func rejected(parts: String, place: String) throws {
        #expect(validation(parts).errors.map(\.place) == [place])
    }
}
