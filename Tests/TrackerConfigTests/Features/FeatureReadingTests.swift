import Foundation
import TestSupport
import Testing
import TrackerConfig
import TrackerFeatures
import TrackerTesting

/// Reads of one document, by type.
@Suite("Reading features", .endsWhenItHangs)
struct FeatureReadingTests {
    private let log = MemoryLog()
    private let features: Features

    init() throws {
        features = try Features(Self.checkout, log: log)
    }

    private static let checkout = """
        {"checkout":{"enabled":true,"variables":{
        "bool":{"value":true},"int":{"value":3},"whole":{"value":3.0},"double":{"value":10.3},"text":{"value":"abc"},
        "number":{"value":"45"},"url":{"value":"https://shop.example/a?b=c"},
        "list":{"value":["a","b"]},
        "mixed":{"value":["a",1]},"ints":{"value":[1,2]},"map":{"value":{"a":1,"b":2}},
        "mode":{"value":"fast"},"nested":{"value":{"hosts":[{"name":"x","port":80}],"retry":null}},
        "big":{"value":9007199254740993},"empty":{"value":[]}}},
        "off":{"enabled":false},"silent":{"variables":{"a":{"value":1}}}}
        """

    private enum Mode: String, Codable { case fast, slow }

    private struct Nested: Codable, Equatable {
        struct Host: Codable, Equatable {
            let name: String
            let port: UInt16
        }
        let hosts: [Host]
        let retry: Int?
        let missing: Bool?
    }

    @Test("each type is read as it stands, and by conversions that lose nothing")
    func types() throws {
        #expect(features.value("checkout", variable: "bool", default: false))
        #expect(features.value("checkout", variable: "int", default: 0) == 3)
        #expect(features.value("checkout", variable: "int", default: 0.5) == 3.0)
        #expect(features.value("checkout", variable: "whole", default: 0) == 3)
        #expect(features.value("checkout", variable: "double", default: 0.5) == 10.3)
        #expect(features.value("checkout", variable: "text", default: "") == "abc")
        #expect(features.value("checkout", variable: "number", default: 0) == 45)
        #expect(features.value("checkout", variable: "number", default: 0.5) == 45)
        let url = try #require(URL(string: "https://shop.example/a?b=c"))
        #expect(features.value("checkout", variable: "url", default: URL(fileURLWithPath: "/")) == url)
        #expect(features.value("checkout", variable: "list", default: [""]) == ["a", "b"])
        #expect(features.value("checkout", variable: "ints", default: [0] as [Int]) == [1, 2])
        #expect(features.value("checkout", variable: "ints", default: [0.5]) == [1, 2])
        #expect(features.value("checkout", variable: "empty", default: ["x"]) == [])
        #expect(features.value("checkout", variable: "map", default: ["": 0]) == ["a": 1, "b": 2])
        #expect(features.value("checkout", variable: "mode", default: Mode.slow) == .fast)
        #expect(features.value("checkout", variable: "mixed", default: [JSONValue]()) == ["a", 1])
        #expect(features.value("checkout", variable: "map", default: JSONObject()) == ["a": 1, "b": 2])
        let nested = Nested(hosts: [Nested.Host(name: "x", port: 80)], retry: nil, missing: nil)
        #expect(try features.require("checkout", variable: "nested", as: Nested.self) == nested)
        #expect(features.value("checkout", variable: "int", default: UInt8(0)) == 3)
        #expect(features.value("checkout", variable: "int", default: nil as Int?) == 3)
        #expect(features.value("checkout", variable: "number", default: nil as Int?) == 45)
        #expect(features.value("checkout", variable: "text", default: nil as Int?) == nil)
        #expect(features.value("checkout", variable: "nobody", default: nil as Int?) == nil)
    }

    struct Mismatch: Sendable, CustomTestStringConvertible {
        let variable: String
        let expected: String
        let found: String
        let read: @Sendable (Features) throws -> Void
        let plain: @Sendable (Features) -> Bool
        var testDescription: String { "\(variable) as \(expected)" }

        init<Value: Decodable & Equatable & Sendable>(
            _ variable: String, as fallback: Value, expected: String, found: String
        ) {
            (self.variable, self.expected, self.found) = (variable, expected, found)
            read = { _ = try $0.require("checkout", variable: variable, as: Value.self) }
            plain = { features in
                features.value("checkout", variable: variable, default: fallback) == fallback
                    && features.snapshot.value("checkout", variable: variable, default: fallback) == fallback
            }
        }
    }

    @Test(
        "a wrong type is the default in the plain form, and an error with both types in the throwing one",
        arguments: [
            Mismatch("bool", as: 7, expected: "an integer", found: "a boolean"),
            Mismatch("double", as: 7, expected: "an integer", found: "a number"),
            Mismatch("text", as: 7, expected: "an integer", found: "a string"),
            Mismatch("int", as: "x", expected: "a string", found: "an integer"),
            Mismatch("int", as: true, expected: "a boolean", found: "an integer"),
            Mismatch("mixed", as: ["x"], expected: "a list, each element a string", found: "a list of mixed types"),
            Mismatch("list", as: [7], expected: "a list, each element an integer", found: "a list"),
            Mismatch("map", as: ["x": true], expected: "an object, each member a boolean", found: "an object"),
            Mismatch("big", as: 0.5, expected: "a number", found: "an integer"),
        ])
    func mismatches(_ mismatch: Mismatch) throws {
        #expect(mismatch.plain(features))
        let error = try #require(throws: FeatureError.self) { try mismatch.read(features) }
        #expect(error.code == .wrongType)
        #expect(error.mismatch?.expected == mismatch.expected)
        #expect(error.mismatch?.found == mismatch.found)
        #expect("\(error)" == "checkout.\(mismatch.variable): expected \(mismatch.expected), found \(mismatch.found)")
    }

    @Test("what no source has is the caller's default, with a warning, and an error in the throwing form")
    func notFound() throws {
        #expect(features.value("nobody", variable: "x", default: 5) == 5)
        #expect(features.value("checkout", variable: "nobody", default: "d") == "d")
        #expect(features.detail("checkout", variable: "nobody", default: 1).source == .fallback)
        let error = try #require(throws: FeatureError.self) {
            try features.require("nobody", variable: "x", as: Int.self)
        }
        #expect(error.code == .notFound)
        #expect("\(error)" == "nobody.x: no source has this variable")
        #expect(throws: FeatureError.self) { try features.feature("nobody", as: [String: Int].self) }
        #expect(features.values(of: "nobody") == nil)
        #expect(features.explain("nobody", variable: "x").source == .fallback)
        #expect(log.contains("nobody: no source has this feature"))
        #expect(log.contains("checkout.nobody: no source has this variable"))
    }

    @Test("whether a feature is on: as the document says, else the caller's default, which is off")
    func enabled() {
        #expect(features.isEnabled("checkout"))
        #expect(!features.isEnabled("off", default: true))
        #expect(!features.isEnabled("silent"))
        #expect(features.isEnabled("silent", default: true))
        #expect(features.snapshot.isEnabled("nobody", default: true))
        #expect(features.names == ["checkout", "off", "silent"])
    }

    private struct Checkout: Decodable, Equatable {
        let int: Int
        let list: [String]
        let absent: Double?
    }

    private struct Strict: Decodable {
        let text: Int
    }

    @Test("a whole feature is read as a type and as a dictionary")
    func whole() throws {
        let checkout = try features.feature("checkout", as: Checkout.self)
        #expect(checkout == Checkout(int: 3, list: ["a", "b"], absent: nil))
        let error = try #require(throws: FeatureError.self) { try features.feature("checkout", as: Strict.self) }
        #expect((error.code, error.place) == (.wrongType, "checkout.text"))
        let values = try #require(features.values(of: "silent"))
        #expect(values == FeatureValues(isEnabled: nil, variables: ["a": 1]))
        #expect(features.values(of: "checkout")?.variables.count == 15)
    }

    @Test("several reads of one snapshot belong together, whatever is applied meanwhile")
    func snapshots() async throws {
        let shop = FeatureService()
        shop.publish(1, #"{"a":{"variables":{"x":{"value":1},"y":{"value":1}}}}"#)
        let setup = try await shop.start()
        let snapshot = setup.features.snapshot
        await shop.apply(2, #"{"a":{"enabled":true,"variables":{"y":{"value":2}}}}"#, to: setup)
        try setup.features.overrides.set(9, for: "a", variable: "x")
        #expect(snapshot.value("a", variable: "x", default: 0) == 1)
        #expect(snapshot.value("a", variable: "y", default: 0) == 1)
        #expect(!snapshot.isEnabled("a"))
        #expect(setup.features.value("a", variable: "x", default: 0) == 9)
        #expect(setup.features.value("a", variable: "y", default: 0) == 2)
        await setup.shutdown(timeout: .zero)
    }

    @Test("the text of a number is one by JSON's grammar and nothing around it")
    func numberTexts() {
        let texts = [
            "45", "-0", "1e2", "4.0", " 45", "45 ", "45\n", "0x10", "1e400", "+1", "045", "", "NaN", "4_5", "٤",
        ]
        func read<Value: Decodable>(_ text: String, as type: Value.Type) -> Value? {
            let variable = VariableDefinition(name: "x", value: .string(text))
            let features = Features([FeatureDefinition(name: "f", variables: [variable])])
            return try? features.require("f", variable: "x", as: type)
        }
        let integers: [Int?] = [45, 0, 100, 4] + Array(repeating: nil, count: 11)
        let numbers: [Double?] = [45, 0, 100, 4] + Array(repeating: nil, count: 11)
        #expect(texts.map { read($0, as: Int.self) } == integers)
        #expect(texts.map { read($0, as: Double.self) } == numbers)
    }

    @Test("features without a setup read definitions, overrides, providers and experiments")
    func withoutSetup() throws {
        let log = MemoryLog()
        var options = FeatureOptions()
        options.providers = [FeaturePriorityTests.Provider("p", FeaturePriorityTests.feature(nil, ["b": "true"]))]
        let variables = [
            VariableDefinition(name: "a", value: 1), VariableDefinition(name: "b", value: false),
            VariableDefinition(name: "c", value: "x"),
        ]
        let fast = ExperimentVariant(name: "fast", values: ["f": ["c": "y"]])
        let features = Features(
            [FeatureDefinition(name: "f", isEnabled: true, variables: variables)],
            experiments: [Experiment(id: "e", variants: [fast])], options: options, log: log)
        let context = FeatureContext(userID: "u")
        #expect(features.isEnabled("f"))
        #expect(features.value("f", variable: "a", default: 0) == 1)
        #expect(features.value("f", variable: "b", default: false))
        #expect(features.value("f", variable: "c", default: "") == "x")
        #expect(features.value("f", variable: "c", default: "", for: context) == "y")
        #expect(features.experiments.variant(of: "e", default: "", for: context).variant == "fast")
        try features.overrides.set(2, for: "f", variable: "a")
        #expect(features.value("f", variable: "a", default: 0) == 2)
        #expect(log.records.allSatisfy { $0.level == .info })
    }
}
