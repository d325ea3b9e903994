import DocumentTools
import Foundation
import TestSupport
import Testing
import TrackerAccessors
import TrackerConfig
import TrackerTesting

@Suite("The text of generated accessors", .endsWhenItHangs)
struct AccessorsTextTests {
    @Test("has the words and names of the document, no secret, and no flag that the document does not set")
    func variables() throws {
        // `GenerateCommandTests` compares a whole text.
        let generation = try GenerationText.generation(
            """
            {"checkout": {"variables": {
              "retryLimit": {"value": 3, "title": "Retries", "description": "How often\\n it tries", "group": "g"},
              "apiKey": {"value": "c2VjcmV0", "encrypted": true},
              "page-size": {"value": 20, "generatedName": "searchPageSize"}}}}
            """)
        #expect(generation.errors.isEmpty && generation.warnings.isEmpty)
        let text = try #require(generation.text)
        #expect(
            text.contains(
                """
                    public struct Checkout: Sendable {
                        /// Retries: How often it tries (checkout.retryLimit)
                        @Variable public var retryLimit: Int

                        /// (checkout.apiKey; encrypted: nil where it cannot be decrypted)
                        @Variable public var apiKey: String?

                        /// (checkout.page-size)
                        @Variable public var searchPageSize: Int

                        /// Creates the accessors.
                        /// - Parameter features: Where the values come from.
                        public init(_ features: Features) {
                            _retryLimit = Variable(features, "checkout", variable: "retryLimit", default: 3)
                            _apiKey = Variable(features, "checkout", variable: "apiKey")
                            _searchPageSize = Variable(features, "checkout", variable: "page-size", default: 20)
                        }
                """))
        #expect(!text.contains("c2VjcmV0") && !text.contains("private var context"))
    }

    @Test("goes to where a symbolic link leads, which stays one")
    func link() throws {
        let (directory, files) = (TemporaryDirectory(), FileManager.default)
        directory.write("old", to: "kept.swift")
        let link = directory.file("link.swift")
        try files.createSymbolicLink(atPath: link, withDestinationPath: "kept.swift")
        #expect(try AccessorFile.write("new", to: URL(filePath: link)))
        #expect(try files.destinationOfSymbolicLink(atPath: link) == "kept.swift")
        #expect(try String(contentsOfFile: directory.file("kept.swift"), encoding: .utf8) == "new")
    }

    @Test("is a struct without properties where there are none", arguments: ["{}", #"{"f":{}}"#, "null"])
    func empty(features: String) throws {
        let text = try #require(GenerationText.generation(features).text)
        #expect(text.contains("public init(_ features: Features) {\n    }\n}\n"))
        #expect(!text.contains("let features"))
    }

    @Test("keeps the features and the context under other names where variables have theirs")
    func storage() throws {
        let features = """
            {"f":{"enabled":false,"variables":{"features":{"value":1},"featuresSource":{"value":1},"context":{"value":1}}}}
            """
        let text = try #require(GenerationText.generation(features).text)
        #expect(text.contains("        private let featuresSourceSource: Features\n"))
        #expect(text.contains("            self.featuresSourceSource = features\n            _features = Variable("))
        let call = #"featuresSourceSource.isEnabled("f", default: false, for: contextSource)"#
        #expect(text.contains("isEnabled: Bool { \(call) }"))
        #expect(text.contains("            accessors.contextSource = context\n"))
    }

    @Test("does not end a comment or a literal where a name or a description would")
    func escapes() throws {
        let features = #"""
            {"a\"\\\n\\(x)":{"enabled":true,"variables":{"v\"\u0000":{"value":1,
            "title":" \n ","description":"x\r\n\u2028public var y = 1 \u202e\u0007"}}}}
            """#
        let text = try #require(GenerationText.generation(features).text)
        #expect(text.contains(#"        /// x public var y = 1 \u{202e}\u{7} (a"\ \(x).v"\u{0})"# + "\n"))
        #expect(text.contains(#"Variable(features, "a\"\\\n\\(x)", variable: "v\"\u{0}", default: 1)"#))
        #expect(text.contains(#"isEnabled: Bool { features.isEnabled("a\"\\\n\\(x)", default: true, for: context) }"#))
    }

    @Test(
        "gives each variable the type of its value",
        arguments: [
            ("true", "Bool", "true"), ("-3", "Int", "-3"), ("3.0", "Double", "3.0"), ("1e2", "Double", "100.0"),
            ("\"a\"", "String", "\"a\""), ("[true,false]", "[Bool]", "[true, false]"), ("[1,2]", "[Int]", "[1, 2]"),
            ("[1,2.5]", "[Double]", "[1.0, 2.5]"), ("[2.5,1]", "[Double]", "[2.5, 1.0]"),
            ("[\"a\"]", "[String]", "[\"a\"]"), ("[]", "[JSONValue]", "[]"), ("[1,\"a\"]", "[JSONValue]", "[1, \"a\"]"),
            ("[null]", "[JSONValue]", "[nil]"), ("[[1],[2.5,1]]", "[JSONValue]", "[[1], [2.5, 1]]"),
            ("[{}]", "[JSONValue]", "[[:]]"), ("[true,1]", "[JSONValue]", "[true, 1]"), ("{}", "JSONObject", "[:]"),
            (#"{"a":null,"b":[]}"#, "JSONObject", #"["a": nil, "b": []]"#),
            ("18446744073709551615", "Double", "1.8446744073709552e+19"),
            ("[1,-18446744073709551615]", "[Double]", "[1.0, -1.8446744073709552e+19]"),
        ])
    func types(value: String, type: String, literal: String) throws {
        let property = try GenerationText.property(value)
        #expect(property.type == type)
        #expect(property.literal == literal)
    }

    @Test(
        "writes every value so that Swift reads the same one",
        arguments: [
            ("-9223372036854775808", "-9223372036854775808"), ("9223372036854775807", "9223372036854775807"),
            ("9223372036854775808.0", "9.223372036854776e+18"), ("1.7976931348623157e308", "1.7976931348623157e+308"),
            // Written in decimals, the compiler warns that it loses precision.
            ("5e-324", "0x1p-1074"), ("-1e-310", "-0x12688b70e62bp-1074"), ("-0.0", "-0.0"),
            (#""\"\\\n\r\t\u0000""#, #""\"\\\n\r\t\u{0}""#), (#""\\(x)""#, #""\\(x)""#), (#""é😀""#, #""é😀""#),
            (#""\u0301\u202e\u2028""#, #""\u{301}\u{202e}\u{2028}""#), (##""\"\"\"#""##, ##""\"\"\"#""##),
        ])
    func literals(value: String, literal: String) throws {
        #expect(try GenerationText.property(value).literal == literal)
    }
}
