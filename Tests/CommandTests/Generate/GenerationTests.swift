import DocumentImport
import DocumentTools
import TestSupport
import Testing
import TrackerConfig

@testable import TrackerAccessors
@testable import tracker_config

@Suite("What is generated of a file", .endsWhenItHangs)
struct GenerationTests {
    private static func sentences(_ generation: Generation) -> [String] {
        generation.errors.map { $0.line("a.json", "error") } + generation.warnings.map { $0.line("a.json", "warning") }
    }

    @Test("is nothing where the file is no document, and the fault is told with its place")
    func faults() {
        let missing = GenerationText.generation(#"{"f":{"variables":{"v":{}}}}"#)
        #expect(missing.text == nil)
        #expect(
            Self.sentences(missing) == ["a.json:2:85: error: features.f.variables.v: required key 'value' is missing"])
    }

    @Test("tells what is odd about the features, and not what is about the rest")
    func warnings() throws {
        let document = GenerationText.document(#"{"f":{"variables":{"v":{"value":1,"Title":"x"}}}},"x":1"#)
        let generation = Generation(Array(document.utf8), named: "a.json", format: nil, name: "Accessors")
        #expect(generation.text != nil)
        #expect(generation.warnings.map(\.place) == ["features.f.variables.v.Title"])
    }

    @Test("is the same for a file of JustTweak's, whose names are honoured, as for the document")
    func justTweak() {
        let old =
            #"{"a":{"x":{"Value":1,"Title":"T","GeneratedPropertyName":"ex"},"y":{"Value":"s","Encrypted":true}}}"#
        let new = """
            {"a":{"enabled":true,"variables":{"x":{"value":1,"title":"T","generatedName":"ex"},"y":{"value":"s","encrypted":true}}}}
            """
        let generation = GenerationText.generation(old, from: .justTweak)
        #expect(generation.text?.contains("public var ex: Int") == true)
        #expect(generation.text == GenerationText.generation(new).text)
    }

    @Test("names the places of a clash in an older file as the document has them")
    func oldPlaces() {
        #expect(
            Self.sentences(
                GenerationText.generation(#"{"a":{"x":{"Value":1}, "X":{"Value":2,"Min":0}}}"#, from: .justTweak))
                == [
                    "a.json: error: features.a.variables.X: the property 'x' already exists, "
                        + "for features.a.variables.x; give it a generatedName of its own",
                    "a.json:1:39: warning: a.X.Min: not carried over",
                ])
    }
}
