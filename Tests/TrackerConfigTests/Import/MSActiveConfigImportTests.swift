import DocumentImport
import DocumentTools
import TestSupport
import Testing
import TrackerConfig
import TrackerFeatures

@Suite("A file of MSActiveConfig", .endsWhenItHangs)
struct MSActiveConfigImportTests {
    private static func imported(_ file: String) throws -> Imported {
        try Imported(file, from: .msActiveConfig)
    }

    private static func fault(_ file: String) throws -> ConfigurationError {
        try #require(throws: ConfigurationError.self) { try imported(file) }
    }

    @Test("sections become features, settings variables, and meta stays")
    func whole() throws {
        let imported = try Self.imported(
            """
            {"meta": {"owner": "growth", "list": [1, null]},
             "config_sections": {
               "search": {"settings": {"limit": {"value": 10.5}, "on": {"value": false}, "tags": {"value": ["a", {}]}}},
               "checkout": {"settings": {"retryLimit": {"value": 3}}},
               "empty": {}}}
            """)
        #expect(
            imported.document.features == [
                FeatureDefinition(
                    name: "search",
                    variables: [
                        VariableDefinition(name: "limit", value: 10.5), VariableDefinition(name: "on", value: false),
                        VariableDefinition(name: "tags", value: ["a", [:]]),
                    ]),
                FeatureDefinition(name: "checkout", variables: [VariableDefinition(name: "retryLimit", value: 3)]),
                FeatureDefinition(name: "empty"),
            ])
        #expect(imported.document.meta == ["owner": "growth", "list": [1, .null]])
        #expect(imported.document.warnings.isEmpty && imported.document.bundles.isEmpty)
        #expect(imported.document.version == 1)
        #expect(imported.others.isEmpty)
    }

    @Test("what has no place in a document is told, with its place")
    func notes() throws {
        let imported = try Self.imported(
            """
            {"format": 2,
             "config_sections": {
               "a": {"description": "A", "settings": {
                 "x": {"value": 2, "type": "int"}, "none": {"type": "int"}, "null": {"value": null}, "gone": null}},
               "gone": null}}
            """)
        let variables = [VariableDefinition(name: "x", value: 2)]
        #expect(imported.document.features == [FeatureDefinition(name: "a", variables: variables)])
        #expect(imported.document.warnings.isEmpty)
        #expect(
            imported.sentences.filter(\.isOther) == [
                "format: not carried over (line 1, column 2)",
                "config_sections.a.description: not carried over (line 3, column 10)",
                "config_sections.a.settings.x.type: not carried over (line 4, column 24)",
                "config_sections.a.settings.none: a setting without a value is left out (line 4, column 40)",
                "config_sections.a.settings.none.type: not carried over (line 4, column 49)",
                "config_sections.a.settings.null: a setting without a value is left out (line 4, column 65)",
                "config_sections.a.settings.gone: not carried over (line 4, column 90)",
                "config_sections.gone: not carried over (line 5, column 4)",
            ])
    }

    @Test("the example document of the format, which has a comma at the end of a list, is read")
    func trailingComma() throws {
        let imported = try Self.imported(
            """
            {"config_sections": {
               "a": {"settings": {"x": {"value": "v"},}},
            }}
            """)
        #expect(imported.document.features.map(\.name) == ["a"])
        #expect(
            imported.sentences.filter(\.isOther) == [
                "a comma before '}' is not valid JSON; it is ignored (line 2, column 43)",
                "a comma before '}' is not valid JSON; it is ignored (line 3, column 1)",
            ])
    }

    @Test("a section, settings or a setting that is no object is left out, and the rest is carried over")
    func otherShapes() throws {
        let imported = try Self.imported(
            """
            {"config_sections": {"a": 7, "b": ["x"], "c": {"settings": 7},
              "d": {"settings": {"x": 7, "y": {"value": 7}}}}}
            """)
        #expect(
            imported.document.features == [
                FeatureDefinition(name: "c"),
                FeatureDefinition(name: "d", variables: [VariableDefinition(name: "y", value: 7)]),
            ])
        #expect(
            imported.others == [
                "config_sections.a: expected an object, found a number; it is left out",
                "config_sections.b: expected an object, found a list; it is left out",
                "config_sections.c.settings: expected an object, found a number; it is left out",
                "config_sections.d.settings.x: expected an object, found a number; it is left out",
            ])
    }

    @Test("a value that boolForKey reads as a boolean and a Bool is not read from is told")
    func booleans() throws {
        func notes(_ value: String) throws -> [String] {
            try Self.imported(#"{"config_sections":{"a":{"settings":{"x":{"value":\#(value)}}}}}"#).others
        }
        for (value, bool) in [
            ("1", true), ("0", false), (#""YES""#, true), (#""no""#, false), (#""True""#, true), (#""0""#, false),
        ] {
            let sentence = "\(value) cannot be read as a Bool; write \(bool) if the setting is one"
            #expect(try notes(value) == ["config_sections.a.settings.x.value: \(sentence)"])
        }
        for value in ["true", "false", #""true""#, "2", "1.5", #""yes please""#, "[1]"] {
            #expect(try notes(value).isEmpty, "\(value)")
        }
    }

    @Test(
        "another shape is a fault with its place",
        arguments: [
            ("[]", "expected an object, found a list (line 1, column 1)"),
            ("{}", "required key 'config_sections' is missing (line 1, column 1)"),
            (#"{"config_sections":null}"#, "required key 'config_sections' is missing (line 1, column 1)"),
            (#"{"config_sections":[]}"#, "config_sections: expected an object, found a list (line 1, column 20)"),
            ("{\n", "the object that begins at 1:1 is not closed (line 2, column 1)"),
        ])
    func shape(file: String, sentence: String) throws {
        #expect(try Self.fault(file).description == sentence)
    }

    @Test(
        "MSActiveConfig requires meta and a version of the format that it reads: all else is told, and read all the same",
        arguments: [
            ("", "meta: missing, and MSActiveConfig requires it"),
            (#""meta":1,"#, "meta: missing, and MSActiveConfig requires it"),
            (#""meta":{},"#, "meta.format_version_string: missing, and MSActiveConfig requires it"),
            (#""meta":{"format_version_string":"1.0"},"#, nil), (#""meta":{"format_version_string":1},"#, nil),
            (
                #""meta":{"format_version_string":"100"},"#,
                "meta.format_version_string: \"100\" is not a format that MSActiveConfig reads; the file is read as format 1"
            ),
            (
                #""meta":{"format_version_string":"new"},"#,
                "meta.format_version_string: \"new\" is not a format that MSActiveConfig reads; the file is read as format 1"
            ),
        ] as [(String, String?)])
    func format(meta: String, sentence: String?) throws {
        let imported = try Self.imported("{\(meta)\"config_sections\":{\"a\":{}}}")
        #expect(imported.notes == [sentence].compactMap(\.self))
        #expect(imported.document.features.map(\.name) == ["a"])
    }
}

extension Imported {
    /// The notes without those on the version of the format, which most files of these tests lack.
    fileprivate var others: [String] { notes.filter(\.isOther) }
}

extension String {
    fileprivate var isOther: Bool { !hasPrefix("meta") }
}
