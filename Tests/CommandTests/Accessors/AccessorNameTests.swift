import DocumentTools
import TestSupport
import Testing
import TrackerConfig

@testable import TrackerAccessors

@Suite("The names of generated properties", .endsWhenItHangs)
struct AccessorNameTests {
    private static func sentences(_ generation: GenerationText) -> [String] {
        generation.errors.map { $0.line("a.json", "error") }
    }

    private static func variables(_ members: String) -> String { #"{"f":{"variables":{\#(members)}}}"# }

    @Test(
        "are those of the variables in lower camel case",
        arguments: [
            ("retryLimit", "retryLimit"), ("retry-limit", "retryLimit"), ("retry limit", "retryLimit"),
            ("retry_limit", "retryLimit"), ("RETRY_LIMIT", "retryLimit"), ("Retry.Limit", "retryLimit"),
            ("RetryLimit", "retryLimit"), ("URL", "url"), ("URLPath", "urlPath"), ("HTTP2Server", "http2Server"),
            ("API-URL", "apiUrl"), ("api-URL", "apiURL"), ("x2", "x2"), ("x-2", "x2"), ("größe", "größe"),
            ("日本", "日本"), ("_a", "a"), ("a🙂b", "aB"), ("a\u{200D}b", "aB"), ("Über-Größe", "überGröße"),
        ])
    func camelCase(name: String, property: String) {
        #expect(SwiftIdentifier.lowerCamelCase(name) == property)
    }

    @Test("are taken from generatedName as they are, with backticks if they are keywords")
    func generatedName() throws {
        let names = ["retry_limit", "RetryLimit", "_x", "größe2"].map { ($0, $0) }
        for (name, property) in names + ["default", "self", "Type", "Any"].map({ ($0, "`\($0)`") }) {
            let members = #""v":{"value":1,"generatedName":"\#(name)"}"#
            let text = try #require(GenerationText.generation(Self.variables(members)).text)
            #expect(text.contains("public var \(property): Int\n"))
            #expect(text.contains("            _\(name) = Variable(features, \"f\", variable: \"v\", default: 1)"))
        }
    }

    @Test("cannot be made of what has no letter before its first digit", arguments: ["", "-", "2fa", "🙂", "\u{301}"])
    func unusable(name: String) throws {
        let sentences = Self.sentences(try GenerationText.generation(Self.variables(#""\#(name)":{"value":1}"#)))
        #expect(
            sentences == [
                "a.json:2:81: error: features.f.variables.\(name): no property can be named after '\(name)': "
                    + "a name begins with a letter; give it a generatedName of its own"
            ])
        let settled = Self.variables(#""\#(name)":{"value":1,"generatedName":"v"}"#)
        #expect(try GenerationText.generation(settled).errors.isEmpty)
    }

    @Test(
        "cannot be any text, nor hide a type that the text names",
        arguments: ["", " ", "a-b", "2a", "_", "`a`", "🙂", "a\u{200D}b", "\u{3164}"] + AccessorList.usedTypes.sorted())
    func badGeneratedName(name: String) throws {
        let generation = try GenerationText.generation(Self.variables(#""v":{"value":1,"generatedName":"\#(name)"}"#))
        #expect(generation.text == nil)
        #expect(
            generation.errors.map { "\($0.place): \($0.reason)" } == [
                "features.f.variables.v: "
                    + (AccessorList.usedTypes.contains(name)
                        ? "the generated name '\(name)' is a type that the accessors use"
                        : "no property can be named '\(name)': a name has letters, digits and _, no digit first")
            ])
    }

    @Test("cannot be there twice: both places are named, and a generatedName settles it")
    func duplicates() throws {
        func document(_ more: String) -> String {
            """
            {"checkout":{"variables":{"limit":{"value":1}}},
            "search":{"variables":{"limit":{"value":2},"x-y":{"value":1},"xY":{"value":1\(more)}}}}
            """
        }
        let generation = try GenerationText.generation(document(""))
        #expect(generation.text == nil)
        #expect(
            Self.sentences(generation) == [
                "a.json:3:62: error: features.search.variables.xY: the property 'xY' already exists, "
                    + "for features.search.variables.x-y; give it a generatedName of its own"
            ])
        let settled = try GenerationText.generation(document(#","generatedName":"z""#))
        #expect(settled.errors.isEmpty)
        for feature in ["checkout", "search"] {
            #expect(settled.text?.contains("_limit = Variable(features, \"\(feature)\", variable: \"limit\"") == true)
        }
    }

    @Test(
        "of features are in lower camel case, and their structs' in upper camel case",
        arguments: [
            ("checkout", "checkout", "Checkout"), ("check-out", "checkOut", "CheckOut"),
            ("URLPath", "urlPath", "UrlPath"),
            ("2fa", "feature2fa", "Feature2fa"), ("default", "`default`", "Default"),
            ("self", "featureSelf", "FeatureSelf"),
            ("init", "featureInit", "FeatureInit"), ("type", "type", "TypeFeature"), ("any", "any", "AnyFeature"),
            ("string", "string", "StringFeature"), ("features", "features", "FeaturesFeature"),
            ("日本", "日本", "日本Feature"),
        ])
    func features(name: String, property: String, type: String) throws {
        let features = #"{"\#(name)":{"variables":{"v":{"value":1}}}}"#
        let text = try #require(GenerationText.generation(features).text)
        #expect(text.contains("    public private(set) var \(property): \(type)\n"))
        #expect(text.contains("    public struct \(type): Sendable {\n"))
        #expect(text.contains("        self.\(property) = \(type)(features)\n"))
        #expect(text.contains("        accessors.\(property) = self.\(property)(for: context)\n"))
    }

    @Test("clash with what Swift keeps another property in, and with a feature's flag")
    func clashes() throws {
        let names = Self.variables(#""x":{"value":1},"y":{"value":1,"generatedName":"_x"}"#)
        #expect(
            try GenerationText.generation(names).errors.map(\.reason) == [
                "the property '_x' clashes with 'x' of features.f.variables.x; give it a generatedName of its own"
            ])
        let flag = #"{"f":{"enabled":true,"variables":{"is-enabled":{"value":1}}}}"#
        #expect(
            try GenerationText.generation(flag).errors.map(\.reason) == [
                "the property 'isEnabled' already exists, for features.f; give it a generatedName of its own"
            ])
        let flags = """
            {"a-b":{"enabled":true},"a_b":{"enabled":true},"-":{"enabled":true},"?":{},"!":{"variables":{}}}
            """
        #expect(
            try GenerationText.generation(flags).errors.map(\.sentence) == [
                "features.a_b: the property 'aB' already exists, for features.a-b; "
                    + "one of the features needs another name",
                "features.-: no property can be named after the feature '-': it needs a letter or a digit",
            ])
    }
}
