import DocumentImport
import DocumentTools
import TestSupport
import Testing
import TrackerConfig
import TrackerFeatures

@Suite("A file of JustTweak", .endsWhenItHangs)
struct JustTweakImportTests {
    private static func imported(_ file: String) throws -> Imported {
        try Imported(file, from: .justTweak)
    }

    private static func fault(_ file: String) throws -> ConfigurationError {
        try #require(throws: ConfigurationError.self) { try imported(file) }
    }

    @Test("features are enabled and keep their variables and what people are told about them")
    func whole() throws {
        let imported = try Self.imported(
            """
            {"checkout": {
               "retryLimit": {"Title": "Retries", "Description": "How often", "Group": "Checkout", "Value": 3,
                              "GeneratedPropertyName": "retries", "Encrypted": false},
               "key": {"Value": "c2VjcmV0", "Encrypted": true}},
             "search": {"on": {"Value": true, "Title": null}}}
            """)
        let checkout = [
            VariableDefinition(
                name: "retryLimit", value: 3, title: "Retries", description: "How often", group: "Checkout",
                generatedName: "retries"),
            VariableDefinition(name: "key", value: "c2VjcmV0", isEncrypted: true),
        ]
        #expect(
            imported.document.features == [
                FeatureDefinition(name: "checkout", isEnabled: true, variables: checkout),
                FeatureDefinition(
                    name: "search", isEnabled: true, variables: [VariableDefinition(name: "on", value: true)]),
            ])
        #expect(imported.document.warnings.isEmpty)
        #expect(imported.sentences.isEmpty)
    }

    @Test(
        "a variable that would give a ciphertext as a value is left out",
        arguments: [
            (#""Value": 1, "Encrypted": true"#, "a.x.Value: an encrypted value is a string, not a number"),
            (#""Encrypted": true, "Value": ["s"]"#, "a.x.Value: an encrypted value is a string, not a list"),
            (#""Value": "s", "Encrypted": 1"#, "a.x.Encrypted: expected a boolean, found a number"),
            (#""Value": "s", "Encrypted": "true""#, "a.x.Encrypted: expected a boolean, found a string"),
        ])
    func encrypted(members: String, sentence: String) throws {
        let imported = try Self.imported(#"{"a":{"x":{\#(members)},"y":{"Value":1}}}"#)
        let variables = [VariableDefinition(name: "y", value: 1)]
        #expect(imported.document.features == [FeatureDefinition(name: "a", isEnabled: true, variables: variables)])
        #expect(imported.notes == ["\(sentence); the variable is left out"])
    }

    @Test("a text that is a boolean in JustTweak and not here is told", arguments: ["TrUe", "FALSE"])
    func booleans(text: String) throws {
        let imported = try Self.imported(#"{"a":{"x":{"Value":"\#(text)"},"y":{"Value":"true"},"z":{"Value":"yes"}}}"#)
        let sentence = "\"\(text)\" cannot be read as a Bool; write \(text.lowercased()) if the setting is one"
        #expect(imported.notes == ["a.x.Value: \(sentence)"])
    }

    @Test("what has no place in a document is told")
    func notes() throws {
        let imported = try Self.imported(
            """
            {"a": {"x": {"Value": 1, "Title": 2, "GeneratedPropertyName": [], "Min": 0},
              "none": {"Title": "T"}, "null": {"Value": null}, "gone": null},
             "gone": null}
            """)
        let variables = [VariableDefinition(name: "x", value: 1)]
        #expect(imported.document.features == [FeatureDefinition(name: "a", isEnabled: true, variables: variables)])
        #expect(imported.document.warnings.isEmpty)
        #expect(
            imported.notes == [
                "a.x.Title: expected a string, found a number; not carried over",
                "a.x.GeneratedPropertyName: expected a string, found a list; not carried over",
                "a.x.Min: not carried over",
                "a.none: a variable without a Value is left out", "a.null: a variable without a Value is left out",
                "a.gone: not carried over", "gone: not carried over",
            ])
    }

    @Test(
        "another shape is a fault with its place",
        arguments: [
            ("7", "expected an object, found a number (line 1, column 1)"),
            (#"{"a":7}"#, "no variable has a Value, so this is not a file of JustTweak (line 1, column 1)"),
            (
                #"{"config_sections":{"a":{"settings":{}}}}"#,
                "no variable has a Value, so this is not a file of JustTweak (line 1, column 1)"
            ),
        ])
    func shape(file: String, sentence: String) throws {
        #expect(try Self.fault(file).description == sentence)
    }
}
