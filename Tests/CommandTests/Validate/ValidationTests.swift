import TestSupport
import Testing
import TrackerConfig

@testable import DocumentTools
@testable import tracker_config

@Suite("What validate says of a document")
struct ValidationTests {
    private static func validation(_ features: String) throws -> Validation {
        let text = """
            {"$schema":"iglu:com.snowplowanalytics.mobile/remote_config/jsonschema/1-0-1",
            "configurationVersion":1,"configurationBundle":[],"features":\(features)}
            """
        return try Validation(Array(text.utf8), named: "a.json")
    }

    @Test("a fault at a key with a line break is said once")
    func lineBreak() throws {
        let errors = try Self.validation(#"{"a\nb":7}"#).errors.map(\.sentence)
        #expect(errors == [#"features.a\nb: expected an object, found a number"#])
        let name = String(repeating: "n", count: 400)
        #expect(try Self.validation(#"{"\#(name)":7}"#).errors.count == 1)
    }

    @Test("an encrypted value that is no string is said once, at the value")
    func encrypted() throws {
        let validation = try Self.validation(#"{"f":{"variables":{"v":{"value":3,"encrypted":true}}}}"#)
        #expect(
            validation.errors.map(\.sentence) == ["features.f.variables.v.value: expected a string, found a number"])
        // Nothing else says what is wrong with the second one.
        let two = try Self.validation(
            #"{"e":7,"f":{"variables":{"v":{"value":3,"encrypted":true}}}}"#)
        #expect(two.errors.map(\.place) == ["features.e", "features.f.variables.v"])
    }

    @Test("names for which generate has no accessors are warnings with their places")
    func accessors() throws {
        let validation = try Self.validation(
            """
            {"f":{"variables":{"retryLimit":{"value":1},"retry-limit":{"value":1},"a":{"value":1,"generatedName":"1 a-b"}}},
            "g":{"variables":{"retryLimit":{"value":1}}}}
            """)
        #expect(validation.errors.isEmpty)
        #expect(
            validation.warnings.map { $0.line("a.json", "warning") } == [
                "a.json:2:106: warning: features.f.variables.retry-limit: generate refuses this: the property "
                    + "'retryLimit' is there already, for features.f.variables.retryLimit; "
                    + "a generatedName of its own settles it",
                "a.json:2:132: warning: features.f.variables.a: generate refuses this: no property can be named "
                    + "'1 a-b': a name has letters, digits and _, no digit first",
            ])
    }

    @Test("an integer beyond 64 bits is no error")
    func largeInteger() throws {
        let validation = try Self.validation(#"{"f":{"variables":{"v":{"value":18446744073709551615}}}}"#)
        #expect(validation.errors.isEmpty && validation.warnings.isEmpty)
    }
}
