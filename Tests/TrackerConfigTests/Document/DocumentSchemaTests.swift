import TestSupport
import Testing
import TrackerConfig
import TrackerCore

/// Which schemas a document may name.
@Suite("The schema of a document", .endsWhenItHangs)
struct DocumentSchemaTests {
    private static let name = "com.snowplowanalytics.mobile/remote_config/jsonschema/"

    @Test(
        "any schema 1-*-* is read, under each prefix",
        arguments: ["http://iglucentral.com/schemas/", "https://iglucentral.com/schemas/", "iglu:"],
        ["1-0-0", "1-99-2", "1-0-1000000000000000000000"])
    func accepted(prefix: String, version: String) throws {
        let text = DocumentText.document(7, DocumentText.bundle(), schema: prefix + Self.name + version)
        let document = try Document(Array(text.utf8))
        #expect(document.version == 7)
        #expect(document.bundles.map(\.namespace) == ["a"])
        #expect(document.warnings.isEmpty)
    }

    @Test(
        "any other schema is a fault that names it",
        arguments: [
            "iglu:\(name)2-0-0", "iglu:\(name)10-0-0", "iglu:\(name)1-0", "iglu:\(name)1-0-x", "iglu:\(name)1-0-0-0",
            "iglu:\(name)1--0", "iglu:\(name)1-0-٣", "", "iglu:com.snowplowanalytics.mobile/other/jsonschema/1-0-0",
            "http://example.com/schemas/\(name)1-0-0", "\(name)1-0-0", "IGLU:\(name)1-0-0", " iglu:\(name)1-0-0",
        ])
    func refused(schema: String) throws {
        let text = DocumentText.document(7, DocumentText.bundle(), schema: schema)
        let error = try #require(throws: ConfigurationError.self) { try Document(Array(text.utf8)) }
        #expect(error.code == .unsupportedSchema)
        #expect(error.place == "$schema")
        #expect(error.reason.contains("'\(schema.prefix(60))"))
        #expect(error.position == (try Self.position(of: schema, in: text)))
    }

    private static func position(of schema: String, in text: String) throws -> TextPosition {
        let start = try #require(text.firstRange(of: "\"\(schema)\"")).lowerBound
        return TextPosition(of: text[..<start].utf8.count, in: Array(text.utf8))
    }
}
