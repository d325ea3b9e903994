import TestSupport
import Testing
import TrackerConfig
import TrackerFeatures

/// What a document's `features` become, and what is wrong with them.
@Suite("The features of a document", .endsWhenItHangs)
struct FeatureDecodingTests {
    private static func document(_ features: String, _ purpose: Document.Purpose = .remote) throws -> Document {
        try Document(Array(DocumentText.document(1, more: ",\n\"features\":\(features)").utf8), purpose: purpose)
    }

    private static func fault(_ features: String) throws -> ConfigurationError {
        try #require(throws: ConfigurationError.self) { try document(features) }
    }

    @Test("every key of a feature is read, in both purposes", arguments: [Document.Purpose.remote, .default])
    func whole(purpose: Document.Purpose) throws {
        let document = try Self.document(
            """
            {"checkout": {"enabled": true, "variables": {
              "retryLimit": {"value": 3, "title": "Retries", "description": "How often", "group": "Checkout",
                             "generatedName": "retries"},
              "apiKey": {"value": "x", "encrypted": true}}},
             "search": {"enabled": false}}
            """, purpose)
        let variables = [
            VariableDefinition(
                name: "retryLimit", value: 3, title: "Retries", description: "How often", group: "Checkout",
                generatedName: "retries"),
            VariableDefinition(name: "apiKey", value: "x", isEncrypted: true),
        ]
        #expect(
            document.features == [
                FeatureDefinition(name: "checkout", isEnabled: true, variables: variables),
                FeatureDefinition(name: "search", isEnabled: false),
            ])
        #expect(document.warnings.isEmpty)
    }

    @Test("what is absent or null says nothing, be it all features, a feature, a variable or a member")
    func absent() throws {
        for members in ["", #""enabled":null,"variables":null"#, #""variables":{"v":null}"#] {
            #expect(try Self.document("{\"a\":{\(members)}}").features == [FeatureDefinition(name: "a")])
        }
        let nulls = #""title":null,"description":null,"group":null,"encrypted":null,"generatedName":null"#
        let variable = try Self.document(#"{"a":{"variables":{"v":{"value":1,\#(nulls)}}}}"#).features[0].variables
        #expect(variable == [VariableDefinition(name: "v", value: 1)])
        for features in ["null", #"{"a":null}"#] { #expect(try Self.document(features).features.isEmpty) }
        #expect(try Document(Array(DocumentText.document(1).utf8)).features.isEmpty)
    }

    @Test(
        "a value may be of any type but null, and null within it stays",
        arguments: [
            ("true", .bool(true)), ("-7", .int(-7)), ("1.5", .double(1.5)), ("\"\"", .string("")), ("[]", .array([])),
            ("[1,null]", .array([1, .null])), (#"{"a":{"b":null}}"#, .object(["a": ["b": .null]])),
        ] as [(String, JSONValue)])
    func values(text: String, value: JSONValue) throws {
        let features = try Self.document(#"{"a":{"variables":{"v":{"value":\#(text)}}}}"#).features
        #expect(features[0].variables.map(\.value) == [value])
    }

    /// A feature with a variable that has these members.
    private static func variable(_ members: String) -> String { #"{"a":{"variables":{"v":{\#(members)}}}}"# }

    private static let faults: [(String, NamedCode<ConfigurationError>, String)] = [
        ("[]", .wrongType, ": expected an object, found a list (line 2, column 12)"),
        (#"{"a":1}"#, .wrongType, ".a: expected an object, found a number (line 2, column 17)"),
        (#"{"a":{"enabled":1}}"#, .wrongType, ".a.enabled: expected a boolean, found a number (line 2, column 28)"),
        (#"{"a":{"variables":[]}}"#, .wrongType, ".a.variables: expected an object, found a list (line 2, column 30)"),
        (
            #"{"a":{"variables":{"v":3}}}"#, .wrongType,
            ".a.variables.v: expected an object, found a number (line 2, column 35)"
        ),
        (
            variable(#""value":1,"title":1"#), .wrongType,
            ".a.variables.v.title: expected a string, found a number (line 2, column 54)"
        ),
        (
            variable(#""value":1,"group":[]"#), .wrongType,
            ".a.variables.v.group: expected a string, found a list (line 2, column 54)"
        ),
        (
            variable(#""value":1,"description":{}"#), .wrongType,
            ".a.variables.v.description: expected a string, found an object (line 2, column 60)"
        ),
        (
            variable(#""value":1,"encrypted":"yes""#), .wrongType,
            ".a.variables.v.encrypted: expected a boolean, found a string (line 2, column 58)"
        ),
        (
            variable(#""value":1,"generatedName":7"#), .wrongType,
            ".a.variables.v.generatedName: expected a string, found a number (line 2, column 62)"
        ),
        (variable(""), .missingValue, ".a.variables.v: required key 'value' is missing (line 2, column 35)"),
        (
            variable(#""value":null"#), .missingValue,
            ".a.variables.v.value: required key 'value' is null (line 2, column 44)"
        ),
    ]

    @Test("a wrong type and a variable without a value are faults with their place", arguments: faults)
    func refused(features: String, code: NamedCode<ConfigurationError>, sentence: String) throws {
        let error = try Self.fault(features)
        #expect(error.description == "features\(sentence)")
        #expect(error.code == code)
        #expect(error.version == 1)
    }

    @Test("the value of an encrypted variable must be a string", arguments: ["1", "[]"])
    func encrypted(value: String) throws {
        // The order of the two keys must not matter.
        for members in [#""encrypted":true,"value":\#(value)"#, #""value":\#(value),"encrypted":true"#] {
            let error = try Self.fault(#"{"a":{"variables":{"v":{\#(members)}}}}"#)
            #expect(error.place == "features.a.variables.v.value")
            #expect(error.reason.hasPrefix("expected a string, found "))
        }
        let plain = try Self.document(#"{"a":{"variables":{"v":{"value":\#(value),"encrypted":false}}}}"#)
        #expect(plain.features[0].variables[0].isEncrypted == false)
    }

    @Test("an unknown key is a warning with its place")
    func unknownKeys() throws {
        let document = try Self.document(#"{"a":{"on":1,"variables":{"v":{"value":1,"Title":2}}}}"#)
        #expect(
            document.warnings.map(\.description) == [
                "features.a.on: an unknown key, ignored (line 2, column 18)",
                "features.a.variables.v.Title: an unknown key, ignored (line 2, column 53)",
            ])
        #expect(document.features[0].variables.count == 1)
    }
}
