import TestSupport
import Testing
import TrackerConfig
import TrackerCore

/// What rejects a whole document, and the sentence that says so.
@Suite("Faults of a document", .endsWhenItHangs)
struct DocumentFaultTests {
    private static func fault(_ text: String, _ purpose: Document.Purpose = .remote) throws -> ConfigurationError {
        try #require(throws: ConfigurationError.self) { try Document(Array(text.utf8), purpose: purpose) }
    }

    private static func document(_ members: String...) -> String { "{\(members.joined(separator: ","))}" }

    private static let schema = #""$schema":"\#(DocumentText.schema)""#
    private static let version = #""configurationVersion":3"#
    private static let bundles = #""configurationBundle":[]"#

    @Test("the semantics' example, word for word")
    func example() throws {
        let text = """
            {
              "$schema": "\(DocumentText.schema)",
              "configurationVersion": 3,
              "configurationBundle": [
                {"namespace": "a", "networkConfiguration": {"endpoint": "https://collector.example"}},
                {
                  "namespace": "b",
                  "networkConfiguration": {
                    "endpoint": 5
                  }
                }
              ]
            }
            """
        let error = try Self.fault(text)
        #expect(
            error.description
                == "configurationBundle[1].networkConfiguration.endpoint: expected a string, found a number (line 9, column 21)"
        )
        #expect(error.code == .wrongType)
        #expect(error.version == 3)
    }

    @Test(
        "a required key that is missing is named, with the place of the object that lacks it",
        arguments: [
            ([version, bundles], "required key '$schema' is missing (line 1, column 1)"),
            ([schema, bundles], "required key 'configurationVersion' is missing (line 1, column 1)"),
            ([schema, version], "required key 'configurationBundle' is missing (line 1, column 1)"),
            (
                [schema, version, "\n" + #""configurationBundle":[{"networkConfiguration":{"endpoint":"c"}}]"#],
                "configurationBundle[0]: required key 'namespace' is missing (line 2, column 24)"
            ),
            (
                [schema, version, "\n" + #""configurationBundle":[{"namespace":"a","networkConfiguration":{}}]"#],
                "configurationBundle[0].networkConfiguration: required key 'endpoint' is missing (line 2, column 64)"
            ),
            (
                [
                    schema, version,
                    "\n" + #""configurationBundle":[{"namespace":"a","networkConfiguration":{"endpoint":null}}]"#,
                ],
                "configurationBundle[0].networkConfiguration.endpoint: required key 'endpoint' is null (line 2, column 76)"
            ),
        ])
    func missing(members: [String], sentence: String) throws {
        let error = try Self.fault("{\(members.joined(separator: ","))}")
        #expect(error.description == sentence)
        #expect(error.code == .missingValue)
    }

    @Test(
        "a key that may be the missing one misspelled is named with its place, and one that is meant is not",
        arguments: [
            (
                "\n  \"configurationBundles\": []",
                "required key 'configurationBundle' is missing; is 'configurationBundles' (2:3) a typo? (line 1, column 1)"
            ),
            (
                "\n\"a\": 1, \"configuration-bundle\": []",
                "required key 'configurationBundle' is missing; is 'configuration-bundle' (2:9) a typo? (line 1, column 1)"
            ),
            ("\n\"configuration\": []", "required key 'configurationBundle' is missing (line 1, column 1)"),
        ])
    func misspelled(member: String, sentence: String) throws {
        #expect(try Self.fault(Self.document(Self.schema, Self.version, member)).description == sentence)
    }

    @Test(
        "what is not the object, list or text that it should be is a fault with its place, and so is null",
        arguments: [
            ("[]", "expected an object, found a list (line 1, column 1)"),
            ("  7", "expected an object, found a number (line 1, column 3)"),
            ("null", "expected an object, found null (line 1, column 1)"),
            (#"{"$schema":1}"#, "$schema: expected a string, found a number (line 1, column 12)"),
            (#"{"$schema":null}"#, "$schema: expected a string, found null (line 1, column 12)"),
            (
                document(schema, "\n\"configurationVersion\":null", bundles),
                "configurationVersion: expected an integer, found null (line 2, column 24)"
            ),
            (
                document(schema, version, "\n\"configurationBundle\":null"),
                "configurationBundle: expected a list, found null (line 2, column 23)"
            ),
            (
                document(schema, version, "\n\"configurationBundle\":{}"),
                "configurationBundle: expected a list, found an object (line 2, column 23)"
            ),
            (
                document(schema, version, "\n\"configurationBundle\":[7]"),
                "configurationBundle[0]: expected an object, found a number (line 2, column 24)"
            ),
            (
                document(schema, version, "\n\"configurationBundle\":[{\"namespace\":true}]"),
                "configurationBundle[0].namespace: expected a string, found a boolean (line 2, column 37)"
            ),
            (
                document(schema, version, "\n\"configurationBundle\":[{\"namespace\":null}]"),
                "configurationBundle[0].namespace: expected a string, found null (line 2, column 37)"
            ),
            (
                document(schema, version, bundles, "\n\"meta\":[]"),
                "meta: expected an object, found a list (line 2, column 8)"
            ),
        ])
    func wrongType(text: String, sentence: String) throws {
        let error = try Self.fault(text)
        #expect(error.description == sentence)
        #expect(error.code == .wrongType)
    }

    @Test("a section that is no object is a fault", arguments: ConfigurationBundle.sections.map { $0.name })
    func sectionType(section: String) throws {
        for (value, found) in [("[]", "a list"), ("\"x\"", "a string")] {
            let error = try Self.fault(DocumentText.document(1, DocumentText.bare("a", "\"\(section)\":\(value)")))
            #expect(error.code == .wrongType)
            #expect(error.place == "configurationBundle[0].\(section)Configuration")
            #expect(error.reason == "expected an object, found \(found)")
        }
    }

    @Test(
        "what is no strict JSON is a fault of the whole",
        arguments: [
            ("", "the text is empty (line 1, column 1)"),
            ("{\n  \"a\": 1,\n}", "remove the comma before '}' (line 3, column 1)"),
            ("{\"a\": // one\n1}", "a: comments are not allowed in JSON (line 1, column 7)"),
            ("{\"é\": tru}", "é: expected a value, found 'tru' (line 1, column 7)"),
            ("{\"f\":{\"v\":[0,{\"a\":1,\"a\":2}]}}", "f.v[1].a: duplicate key 'a' (line 1, column 21)"),
            (
                "{\"f\":{\"v\":[[1e999]]}}",
                "f.v[0][0]: the number is too large for JSON readers; write it as a string (line 1, column 13)"
            ),
            ("{\"f\":[{\"v\":\"\\ud800\"}]}", "f[0].v: half of a surrogate pair in a string (line 1, column 13)"),
            ("\u{FEFF}{}", "a byte order mark is not allowed (line 1, column 1)"),
        ])
    func malformed(text: String, sentence: String) throws {
        let error = try Self.fault(text)
        #expect(error.description == sentence)
        #expect(error.code == .malformed)
        #expect(error.version == nil)
    }

    @Test("the place of what is nested too deep is cut")
    func deepPlace() throws {
        let error = try Self.fault(#"{"features":"# + String(repeating: "[", count: 200))
        #expect(error.place == String(("features" + String(repeating: "[0]", count: 127)).prefix(300)) + "…")
        #expect(error.reason == "nested deeper than 128 levels")
    }

    @Test("a byte that is no UTF-8 is a fault, wherever it stands")
    func invalidUTF8() throws {
        let text = Array(DocumentText.document(1, DocumentText.bundle()).utf8)
        for index in stride(from: 0, to: text.count, by: 11) {
            var broken = text
            broken[index] = 0xFF
            let error = try #require(throws: ConfigurationError.self) { try Document(broken) }
            #expect(error.description == "not valid UTF-8 (line 1, column \(index + 1))")
        }
    }

    @Test("two bundles with one namespace are a fault that names both")
    func duplicateNamespace() throws {
        let error = try Self.fault(
            DocumentText.document(3, DocumentText.bundle("a"), DocumentText.bundle("b"), DocumentText.bare("a")))
        #expect(error.code == .duplicateNamespace)
        #expect(error.place == "configurationBundle[2].namespace")
        #expect(error.reason == "'a' is the namespace of configurationBundle[0] too")
        #expect(error.version == 3)
    }

    @Test(
        "a namespace has 1 to 128 UTF-16 code units, of any kind",
        arguments: ["../../etc", "/", "a b", "é☃", "CON", "a.b-c_d", "0", String(repeating: "ü", count: 128)])
    func namespaces(namespace: String) throws {
        let text = DocumentText.document(1, DocumentText.bundle(namespace))
        #expect(try Document(Array(text.utf8)).bundles.map(\.namespace) == [namespace])
        for (refused, count) in [("", 0), ("a" + String(repeating: "\u{200D}", count: 128), 129)] {
            let error = try Self.fault(DocumentText.document(1, DocumentText.bundle(refused)))
            #expect(error.code == .outOfRange)
            #expect(error.reason == "expected 1 to 128 UTF-16 code units, found \(count)")
        }
    }

    @Test("a version is an integer within 0 and 9007199254740991")
    func versions() throws {
        for version in [0, 9_007_199_254_740_991] {
            #expect(try Document(Array(DocumentText.document(version).utf8)).version == version)
        }
        for version in ["-1", "9007199254740992", "9223372036854775808", "-99999999999999999999999"] {
            let error = try Self.fault(DocumentText.document(version))
            #expect((error.code, error.place) == (.outOfRange, "configurationVersion"))
            #expect(error.reason.hasPrefix("expected 0 to 9007199254740991, found "))
        }
        for (version, found) in [("1e3", "1000.0"), ("1.0", "1.0"), ("\"1\"", "a string"), ("true", "a boolean")] {
            let error = try Self.fault(DocumentText.document(version))
            #expect((error.code, error.reason) == (.wrongType, "expected an integer, found \(found)"))
        }
    }

    @Test(
        "an endpoint that is no URL is a fault",
        arguments: [
            "", " ", "http://", "ftp://c.example", "file:///tmp/x", "javascript:alert(1)", "http://c.example/?q",
            "http://c.example/#f", "http://c.example:65536", "http://c ollector", "c.example/\\r\\nHost: x",
        ], [Document.Purpose.remote, .default])
    func endpoint(endpoint: String, purpose: Document.Purpose) throws {
        let error = try Self.fault(DocumentText.document(1, DocumentText.bundle("a", at: endpoint)), purpose)
        #expect(error.code == .unusableURL)
        #expect(error.place == "configurationBundle[0].networkConfiguration.endpoint")
        #expect(error.reason.contains("cannot be used as a URL"))
        #expect(error.position != nil)
    }

    @Test("of two spellings of one setting, one that is null is absent")
    func bothSpellings() throws {
        for (first, second) in [("true", "null"), ("null", "true")] {
            let section = #""tracker":{"base64encoding":\#(first),"base64Encoding":\#(second)}"#
            let text = DocumentText.document(1, DocumentText.bundle("a", section))
            #expect(try Document(Array(text.utf8)).bundles[0].tracker?.base64Encoding == true)
        }
    }
}
