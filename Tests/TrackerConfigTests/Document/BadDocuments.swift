import Testing
import TrackerConfig
import TrackerCore

/// A document that must be refused, with what the error must say.
struct BadDocument: Sendable, CustomTestStringConvertible {
    let name: String
    let bytes: [UInt8]
    let code: NamedCode<ConfigurationError>
    /// The path of the key; nil if the text is no JSON and its cause stands elsewhere.
    let place: String?

    var testDescription: String { name }

    init(_ name: String, _ bytes: [UInt8], _ code: NamedCode<ConfigurationError> = .malformed, at place: String? = nil)
    {
        (self.name, self.bytes, self.code, self.place) = (name, bytes, code, place)
    }

    init(_ name: String, _ text: String, _ code: NamedCode<ConfigurationError> = .malformed, at place: String? = nil) {
        self.init(name, Array(text.utf8), code, at: place)
    }
}

/// Documents that must be refused, by what is wrong with them.
enum BadDocuments {
    static let all = [texts, cuts, huge, deep, duplicates, rules].flatMap(\.self)

    private static func document(_ members: String) -> String { DocumentText.document(1, more: ",\(members)") }

    private static func repeated(_ text: String, _ count: Int = 10_000) -> String {
        String(repeating: text, count: count)
    }

    /// Texts that are no JSON as a whole.
    private static let texts: [BadDocument] = {
        let good = DocumentText.document(1, DocumentText.bundle())
        let bytes = Array(good.utf8)
        return [
            BadDocument("nothing at all", ""), BadDocument("only spaces", " \n\t\r "),
            BadDocument("a byte order mark", [0xEF, 0xBB, 0xBF] + bytes),
            BadDocument(
                "UTF-16, the higher byte first",
                [0xFE, 0xFF] + good.utf16.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] }),
            BadDocument("UTF-16 without a mark", good.utf16.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }),
            BadDocument("ISO 8859-1", Array(document("\"meta\":{\"a\":\"").utf8) + [0xE9]),
            BadDocument("gzip", [0x1F, 0x8B, 8, 0, 0, 0, 0, 0]),
            BadDocument("zeros", [UInt8](repeating: 0, count: 100_000)), BadDocument("a zero behind", bytes + [0]),
            BadDocument("two documents", good + good), BadDocument("HTML", "<!DOCTYPE html><html>404</html>"),
            BadDocument("a comment behind", good + "/* c */"),
            BadDocument("a comma before the end", good.dropLast() + ",}"),
            BadDocument("single quotes", good.replacing("\"", with: "'")),
            BadDocument("a line break in a text", good.replacing("collector.example", with: "collector\n.example")),
        ]
    }()

    /// A document with every field, cut short.
    private static let cuts: [BadDocument] = {
        let whole = Array(DocumentText.document(1, EveryField.bundle).utf8)
        return stride(from: 1, to: whole.count, by: 211).map { count in
            BadDocument("the first \(count) bytes", Array(whole.prefix(count)))
        }
    }()

    private static let huge: [BadDocument] = {
        let bundle = "configurationBundle[0]"
        return [
            BadDocument("many quotation marks", repeated("\"")), BadDocument("many backslashes", repeated("\\")),
            BadDocument("a text without its end", "\"" + repeated("\\u0041")),
            BadDocument("many commas", "[" + repeated(",")), BadDocument("many minuses", repeated("-")),
            BadDocument("a long exponent", "[1e" + repeated("9") + "]"),
            BadDocument("a list without its end", "[" + repeated("[],")),
            BadDocument(
                "a long text for a number",
                DocumentText.document(1, DocumentText.bundle("a", "\"emitter\":{\"emitRange\":\"\(repeated("x"))\"}")),
                .wrongType, at: "\(bundle).emitterConfiguration.emitRange"),
            BadDocument(
                "a long number for a text",
                DocumentText.document(1, DocumentText.bundle("a", "\"subject\":{\"userId\":\(repeated("9"))}")),
                at: "\(bundle).subjectConfiguration.userId"),
            BadDocument(
                "a long namespace", DocumentText.document(1, DocumentText.bundle(repeated("n"))), .outOfRange,
                at: "\(bundle).namespace"),
            BadDocument(
                "a namespace of one endless character",
                DocumentText.document(1, DocumentText.bundle("n" + repeated("\u{200D}"))), .outOfRange,
                at: "\(bundle).namespace"),
            BadDocument(
                "many combining characters", DocumentText.document(1, DocumentText.bundle(repeated("\u{301}\u{316}")))),
            BadDocument(
                "a long endpoint", DocumentText.document(1, DocumentText.bundle("a", at: "c.example/" + repeated("x"))),
                .unusableURL, at: "\(bundle).networkConfiguration.endpoint"),
            BadDocument("a long version", DocumentText.document(repeated("9")), at: "configurationVersion"),
        ]
    }()

    /// Levels without end, alone and in each part that is read in its own way.
    private static let deep: [BadDocument] = ["[", "{\"a\":", "{\"$not\":", "{\"$and\":["].flatMap { level in
        [
            BadDocument("only \(level)", repeated(level)),
            BadDocument("\(level) in meta", document("\"meta\":\(repeated(level))")),
            BadDocument("\(level) in a section", DocumentText.document(1, "{\"emitter\":\(repeated(level))")),
            BadDocument(
                "\(level) in a condition",
                document("\"features\":{\"f\":{\"rules\":[{\"condition\":\(repeated(level))}]}}")),
        ]
    }

    private static let duplicates: [BadDocument] = [
        BadDocument(
            "a field twice",
            DocumentText.document(1, DocumentText.bare("a", #""emitter":{"emitRange":1,"emitRange":1}"#))),
        BadDocument("namespace twice", DocumentText.document(1, #"{"namespace":"a","namespace":"a"}"#)),
        BadDocument("the version twice", document(#""configuration\u0056ersion":1"#)),
        BadDocument("features twice", document(#""features":null,"features":null"#)),
        BadDocument("an operator twice", document(#""segments":{"s":[{"$gt":1,"$gt":2}]}"#)),
        BadDocument(
            "the last of many keys twice",
            document("\"meta\":{" + (0..<10_000).map { "\"\($0)\":0," }.joined() + "\"9999\":0}")),
        BadDocument(
            "both spellings of a field",
            DocumentText.document(
                1, DocumentText.bare("a", #""tracker":{"base64encoding":true,"base64Encoding":true}"#)),
            at: "configurationBundle[0].trackerConfiguration.base64Encoding"),
    ]

    /// What of rules, segments, experiments and requirements rejects a document; most of it only makes a rule unusable.
    private static let rules: [BadDocument] = [
        BadDocument("no rules", document(#""features":{"f":{"rules":{}}}"#), .wrongType, at: "features.f.rules"),
        BadDocument("no list of a segment", document(#""segments":{"s":1}"#), .wrongType, at: "segments.s"),
        BadDocument("no object of segments", document(#""segments":[]"#), .wrongType, at: "segments"),
        BadDocument("no list of requirements", document(#""requires":"x""#), .wrongType, at: "requires"),
        BadDocument("no text of a requirement", document(#""requires":[null]"#), .wrongType, at: "requires[0]"),
        // A percentage would let in all.
        BadDocument(
            "a rule's coverage", document(#""features":{"f":{"rules":[{"id":"a"},{"if":1,"coverage":1.0000001}]}}"#),
            .outOfRange, at: "features.f.rules[1].coverage"),
        BadDocument(
            "an experiment's coverage",
            document(#""experiments":[{"id":"e","coverage":50,"variants":[{"name":"a"}]}]"#), .outOfRange,
            at: "experiments[0].coverage"),
    ]
}
