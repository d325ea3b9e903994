import TrackerConfig
import TrackerCore

extension BadDocuments {
    private static let types = ["null", "true", "1", "1.5", "\"x\"", "[]", "{}"]

    /// Values of the wrong type where no field stands.
    static let structure: [BadDocument] =
        types.filter { $0 != "{}" }.map { BadDocument("only \($0)", $0, .wrongType) }
        + types.filter { $0 != "\"x\"" }.map {
            BadDocument(
                "$schema: \($0)", "{\"$schema\":\($0),\"configurationVersion\":1,\"configurationBundle\":[]}",
                .wrongType, at: "$schema")
        }
        + types.filter { $0 != "1" }.map {
            BadDocument("version: \($0)", DocumentText.document($0), .wrongType, at: "configurationVersion")
        }
        + types.filter { $0 != "[]" }.map {
            BadDocument(
                "bundles: \($0)",
                "{\"$schema\":\"\(DocumentText.schema)\",\"configurationVersion\":1,\"configurationBundle\":\($0)}",
                .wrongType, at: "configurationBundle")
        }
        + types.filter { $0 != "{}" }.map {
            BadDocument(
                "the second bundle: \($0)", DocumentText.document(1, DocumentText.bare(), $0), .wrongType,
                at: "configurationBundle[1]")
        }
        + types.filter { $0 != "\"x\"" }.map {
            BadDocument(
                "namespace: \($0)", DocumentText.document(1, "{\"namespace\":\($0)}"), .wrongType,
                at: "configurationBundle[0].namespace")
        }
        + types.filter { !["{}", "null"].contains($0) }.flatMap { type in
            AnySection.all.map { section in
                BadDocument(
                    "\(section.name): \(type)",
                    DocumentText.document(1, DocumentText.bare("a", "\"\(section.name)\":\(type)")), .wrongType,
                    at: "configurationBundle[0].\(section.name)Configuration")
            } + [
                BadDocument(
                    "meta: \(type)", DocumentText.document(1, more: ",\"meta\":\(type)"), .wrongType, at: "meta")
            ]
        }
        + ["null", "1", "0", "\"true\"", "[]", "{}"].map {
            BadDocument(
                "a retry rule: \($0)",
                DocumentText.document(
                    1, DocumentText.bare("a", #""emitter":{"customRetryForStatusCodes":{"503":\#($0)}}"#)),
                .wrongType, at: "configurationBundle[0].emitterConfiguration.customRetryForStatusCodes.503")
        }
        + [
            BadDocument(
                "an empty namespace", DocumentText.document(1, DocumentText.bare("")), .outOfRange,
                at: "configurationBundle[0].namespace"),
            BadDocument(
                "both spellings of a field",
                DocumentText.document(
                    1, DocumentText.bare("a", #""tracker":{"base64encoding":true,"base64Encoding":true}"#)),
                .malformed, at: "configurationBundle[0].trackerConfiguration.base64Encoding"),
        ]
        + [
            "", "x", "iglu:", "http://iglucentral.com/schemas/", String(DocumentText.schema.dropLast(5)),
            "\(DocumentText.schema)-0", "\(DocumentText.schema.dropLast(5))2-0-0",
            "\(DocumentText.schema.dropLast(5))1-٣-0",
            "\(DocumentText.schema.dropLast(5))1--0", " \(DocumentText.schema)", "\(DocumentText.schema) ",
            DocumentText.schema.uppercased(), "https://example.com/\(DocumentText.schema)",
        ].map {
            BadDocument("the schema '\($0)'", DocumentText.document(1, schema: $0), .unsupportedSchema, at: "$schema")
        }
        + [
            "", " ", "http://", "ftp://c.example", "file:///etc/passwd", "javascript:alert(1)", "http://c.example/?q",
            "http://c.example/#f", "http://c.example:0", "http://c.example:65536", "http://c ollector", "http://[::1",
            "http://c.example/\\u0000", "http://c.example/\\r\\nHost: x", "//c.example/?q",
        ].map {
            BadDocument(
                "the endpoint '\($0)'", DocumentText.document(1, DocumentText.bundle("a", at: $0)), .unusableURL,
                at: "configurationBundle[0].networkConfiguration.endpoint")
        }

    /// Texts that are no JSON as a whole.
    static let texts: [BadDocument] = {
        let good = DocumentText.document(1, DocumentText.bundle())
        let bytes = Array(good.utf8)
        return [
            BadDocument("nothing at all", ""), BadDocument("only spaces", " \n\t\r "),
            BadDocument("a byte order mark", [0xEF, 0xBB, 0xBF] + bytes),
            BadDocument("only a byte order mark", [0xEF, 0xBB, 0xBF]),
            BadDocument(
                "UTF-16, the higher byte first",
                [0xFE, 0xFF] + good.utf16.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] }),
            BadDocument("UTF-16 without a mark", good.utf16.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }),
            BadDocument("ISO 8859-1", Array(DocumentText.document(1, more: ",\"meta\":{\"a\":\"").utf8) + [0xE9]),
            BadDocument("gzip", [0x1F, 0x8B, 8, 0, 0, 0, 0, 0]),
            BadDocument("zeros", [UInt8](repeating: 0, count: 100_000)),
            BadDocument("a zero behind", bytes + [0]), BadDocument("two documents", good + good),
            BadDocument("a line of HTML", "<!DOCTYPE html><html><body>404</body></html>"),
            BadDocument("YAML", "configurationVersion: 1\n"), BadDocument("a comment before", "// c\n" + good),
            BadDocument("a comment behind", good + "/* c */"), BadDocument("a comma behind", good + ","),
            BadDocument("a bracket behind", good + "}"), BadDocument("a comma before the end", good.dropLast() + ",}"),
            BadDocument("single quotes", good.replacing("\"", with: "'")),
            BadDocument("no colon", good.replacing("\":", with: "\" ")),
            BadDocument(
                "a key without quotes", good.replacing("\"configurationVersion\"", with: "configurationVersion")),
            BadDocument("a line break in a text", good.replacing("collector.example", with: "collector\n.example")),
            BadDocument("a space that is none", "\u{A0}" + good), BadDocument("a form feed", "\u{C}" + good),
            BadDocument("a megabyte of quotation marks", String(repeating: "\"", count: 1_000_000)),
            BadDocument("a megabyte of backslashes", String(repeating: "\\", count: 1_000_000)),
            BadDocument("a text without its end", "\"" + String(repeating: "\\u0041", count: 160_000)),
            BadDocument("a megabyte of commas", "[" + String(repeating: ",", count: 1_000_000)),
            BadDocument("a megabyte of minuses", String(repeating: "-", count: 1_000_000)),
            BadDocument("a long exponent", "[1e" + String(repeating: "9", count: 900_000) + "]"),
            BadDocument("a list without its end", "[" + String(repeating: "[],", count: 300_000)),
        ]
    }()

    /// A document with every field, cut short.
    static let cuts: [BadDocument] = {
        let whole = Array(DocumentText.document(1, EveryField.bundle).utf8)
        return stride(from: 1, to: whole.count, by: 31).map { count in
            BadDocument("the first \(count) bytes", Array(whole.prefix(count)))
        }
    }()
}
