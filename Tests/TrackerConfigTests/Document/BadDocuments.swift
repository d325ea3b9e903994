import TrackerConfig
import TrackerCore

/// Documents that must be refused. Most are made from the sections' fields, so that a new field is among them by itself.
enum BadDocuments {
    /// The documents by what is wrong with them.
    static let groups: [(name: String, documents: [BadDocument])] = [
        ("wrong types of fields", wrongTypes), ("values that are no JSON", brokenValues),
        ("duplicate keys", duplicates), ("missing keys", missing), ("deep nesting", nesting),
        ("huge values", huge), ("structure", structure), ("text", texts), ("cut short", cuts), ("rules", rules),
    ]

    static let all = groups.flatMap(\.documents)

    private static let bundlePlace = "configurationBundle[0]"
    private static let samples = DocumentFieldTests.samples

    private static func document(_ sample: DocumentFieldTests.Sample, _ value: [UInt8]) -> [UInt8] {
        let parts = sample.document("@@").split(separator: "@@")
        return Array(parts[0].utf8) + value + Array(parts[1].utf8)
    }

    private static let wrongTypes = samples.flatMap { sample in
        sample.wrong.map { value in
            BadDocument("\(sample.name): \(value.json)", sample.document(value.json), .wrongType, at: sample.place)
        }
    }

    /// What some JSON writers write, and what none should.
    private static let brokenValues = samples.flatMap { sample in
        [
            "NaN", "Infinity", "-Infinity", "undefined", "1e999", "0123", "0x1F", "True", "'x'", "\"\\x\"",
            "\"\\ud800\"", "\"a\tb\"", "[1,]", "",
        ].map { value in
            // The reader takes the 0 for the value, and misses a comma in the object.
            let place = value == "0x1F" ? String(sample.place.dropLast(sample.name.count + 1)) : sample.place
            return BadDocument("\(sample.name): \(value)", sample.document(value), at: place)
        }
            + [[0xFF], [0xC0, 0x80], [0xED, 0xA0, 0x80], [0xF4, 0x90, 0x80, 0x80]].map { (bytes: [UInt8]) in
                let quote = [UInt8(ascii: "\"")]
                return BadDocument("\(sample.name): the bytes \(bytes)", document(sample, quote + bytes + quote))
            }
    }

    private static let duplicates =
        samples.map { sample in
            BadDocument("\(sample.name) twice", sample.document("null,\"\(sample.name)\":null"), at: sample.place)
        }
        + AnySection.all.map { section in
            let key = "\"\(section.name)Configuration\":null"
            return BadDocument("\(section.name) twice", DocumentText.document(1, "{\"namespace\":\"a\",\(key),\(key)}"))
        }
        + ["$schema", "configurationVersion", "configurationBundle", "meta", "x", "configuration\\u0056ersion"].map {
            key in
            BadDocument("\(key) twice", DocumentText.document(1, more: ",\"meta\":{},\"x\":1,\"\(key)\":1"))
        } + [
            BadDocument("namespace twice", DocumentText.document(1, #"{"namespace":"a","namespace":"a"}"#)),
            BadDocument(
                "the last of 100,000 keys twice",
                DocumentText.document(
                    1,
                    more: ",\"meta\":{" + (0..<100_000).map { "\"\($0)\":" }.joined(separator: "0,") + "0,\"99999\":0}")
            ),
            BadDocument(
                "two bundles with one namespace", DocumentText.document(1, DocumentText.bare(), DocumentText.bundle()),
                .duplicateNamespace, at: "configurationBundle[1].namespace"),
        ]

    private static let missing: [BadDocument] =
        ["$schema", "configurationVersion", "configurationBundle"].map { key in
            let others = members.filter { $0.key != key }.map { "\"\($0.key)\":\($0.value)" }.joined(separator: ",")
            return BadDocument("no \(key)", "{\(others)}", .missingValue, at: "")
        } + [
            BadDocument("nothing", "{}", .missingValue, at: ""),
            BadDocument(
                "no namespace", DocumentText.document(1, "{}"), .missingValue, at: bundlePlace),
            BadDocument(
                "no endpoint", DocumentText.document(1, DocumentText.bare("a", #""network":{}"#)), .missingValue,
                at: "\(bundlePlace).networkConfiguration"),
            BadDocument(
                "endpoint null", DocumentText.document(1, DocumentText.bare("a", #""network":{"endpoint":null}"#)),
                .missingValue, at: "\(bundlePlace).networkConfiguration"),
        ]

    private static let members: KeyValuePairs = [
        "$schema": "\"\(DocumentText.schema)\"", "configurationVersion": "1", "configurationBundle": "[]",
    ]

    /// 100,000 levels, in every place and in none.
    private static let nesting =
        ["[", "{\"a\":"].flatMap { level in
            let levels = String(repeating: level, count: 100_000)
            return [BadDocument("only \(level)", levels)]
                + ["meta", "features", "experiments", "x"].map { key in
                    BadDocument("\(level) in \(key)", DocumentText.document(1, more: ",\"\(key)\":\(levels)"))
                }
                + AnySection.all.map { section in
                    BadDocument(
                        "\(level) in \(section.name)", DocumentText.document(1, "{\"\(section.name)\":\(levels)"))
                }
        } + [
            BadDocument(
                "129 levels that end",
                String(repeating: "[", count: 129) + String(repeating: "]", count: 129))
        ]

    private static let huge =
        samples.filter { $0.value.string == nil }.map { sample in
            let text = "\"" + String(repeating: "x", count: 100_000) + "\""
            return BadDocument("\(sample.name): a long text", sample.document(text), .wrongType, at: sample.place)
        }
        + samples.filter { $0.value.int == nil }.map { sample in
            let number = String(repeating: "9", count: 10_000)
            return BadDocument("\(sample.name): a long number", sample.document(number), .wrongType, at: sample.place)
        } + [
            BadDocument(
                "a long namespace", DocumentText.document(1, DocumentText.bundle(String(repeating: "n", count: 4097))),
                .outOfRange, at: "\(bundlePlace).namespace"),
            BadDocument(
                "a namespace of one endless character",
                DocumentText.document(1, DocumentText.bundle("n" + String(repeating: "\u{200D}", count: 100_000))),
                .outOfRange, at: "\(bundlePlace).namespace"),
            BadDocument(
                "a long endpoint",
                DocumentText.document(
                    1, DocumentText.bundle("a", at: "c.example/" + String(repeating: "x", count: 3000))),
                .unusableURL, at: "\(bundlePlace).networkConfiguration.endpoint"),
            BadDocument(
                "a megabyte of combining characters",
                DocumentText.document(1, DocumentText.bundle(String(repeating: "\u{301}\u{316}", count: 250_000)))),
        ]
        + ["-1", "2147483648", "9223372036854775808", "-9223372036854775809", String(repeating: "9", count: 900_000)]
        .map {
            BadDocument(
                "the version \($0.prefix(20))", DocumentText.document($0), .outOfRange, at: "configurationVersion")
        }
}
