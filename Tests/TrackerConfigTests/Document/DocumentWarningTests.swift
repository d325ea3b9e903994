import TestSupport
import Testing
import TrackerConfig
import TrackerCore

/// What a document gets away with, and what it is told.
@Suite("Oddities of a document", .endsWhenItHangs)
struct DocumentWarningTests {
    private func read(_ text: String) throws -> Document { try Document(Array(text.utf8)) }

    @Test("an unknown key is a warning with its place, at each level")
    func unknownKeys() throws {
        let document = try read(
            """
            {"$schema":"\(DocumentText.schema)","configurationVersion":1,"top":1,
            "configurationBundle":[{"namespace":"a","sessionconfiguration":{},
            "networkConfiguration":{"endpoint":"c.example","path":"x"},
            "emitterConfiguration":{"emitrange":[]}}],
             "Features":{},"experiment":[]}
            """)
        #expect(
            document.warnings.map(\.description) == [
                "top: an unknown key, ignored (line 1, column 130)",
                "configurationBundle[0].sessionconfiguration: an unknown key, ignored (line 2, column 41)",
                "configurationBundle[0].networkConfiguration.path: an unknown key, ignored (line 3, column 48)",
                "configurationBundle[0].emitterConfiguration.emitrange: an unknown key, ignored (line 4, column 25)",
                "Features: an unknown key, ignored (line 5, column 2)",
                "experiment: an unknown key, ignored (line 5, column 16)",
            ])
        #expect(document.bundles[0].session == nil)
        #expect(document.bundles[0].emitter == EmitterConfiguration())
    }

    @Test(
        "an unknown word leaves its field unset, with a warning",
        arguments: [
            ("network", #""endpoint":"c.example","method":"GET""#, "method"),
            ("tracker", #""devicePlatform":"watch""#, "devicePlatform"), ("tracker", #""logLevel":"""#, "logLevel"),
            ("emitter", #""bufferOption":"single""#, "bufferOption"),
        ])
    func unknownWord(section: String, members: String, field: String) throws {
        let document = try read(DocumentText.document(1, DocumentText.bare("a", "\"\(section)\":{\(members)}")))
        #expect(document.warnings.map(\.place) == ["configurationBundle[0].\(section)Configuration.\(field)"])
        #expect(document.warnings[0].reason.hasSuffix("; the setting stays unset"))
        #expect(document.warnings[0].position?.line == 1)
        let bundle = document.bundles[0]
        #expect(bundle.network?.method == nil)
        #expect(bundle.tracker ?? TrackerConfiguration() == TrackerConfiguration())
        #expect(bundle.emitter ?? EmitterConfiguration() == EmitterConfiguration())
    }

    /// A number's field with its bounds, as semantics.md says.
    struct Bound: Sendable {
        let section: String
        let field: String
        let least: Int
        let most: Int
    }

    static let bounds = [
        Bound(section: "session", field: "foregroundTimeout", least: 1, most: 315_360_000),
        Bound(section: "session", field: "backgroundTimeout", least: 1, most: 315_360_000),
        Bound(section: "emitter", field: "emitRange", least: 1, most: 100_000),
        Bound(section: "emitter", field: "threadPoolSize", least: 1, most: 64),
        Bound(section: "emitter", field: "byteLimitGet", least: 1000, most: 100_000_000),
        Bound(section: "emitter", field: "byteLimitPost", least: 1000, most: 100_000_000),
        Bound(section: "emitter", field: "maxEventStoreAge", least: 1, most: 315_360_000),
        Bound(section: "emitter", field: "maxEventStoreSize", least: 1, most: 100_000_000),
        Bound(section: "emitter", field: "maxEventStoreBytes", least: 1000, most: 1_099_511_627_776),
        Bound(section: "emitter", field: "maxRetryDelay", least: 1, most: 86_400),
    ]

    @Test(
        "a number outside its bounds becomes the nearest within, with a warning; at its bounds it stays as it is",
        arguments: bounds)
    func clamped(bound: Bound) throws {
        for number in [bound.least, bound.most] {
            let (value, warnings) = try read(bound, "\(number)")
            #expect(value == .int(number) && warnings.isEmpty)
        }
        let low = ["0", "-99999999999999999999999"].map { ($0, bound.least) }
        let high = ["\(bound.most + 1)", "99999999999999999999999"]
        for (number, nearest) in low + high.map({ ($0, bound.most) }) {
            let (value, warnings) = try read(bound, number)
            #expect(value == .int(nearest), "\(number)")
            #expect(warnings.map(\.place) == ["configurationBundle[0].\(bound.section)Configuration.\(bound.field)"])
            #expect(warnings[0].reason.hasSuffix("is outside \(bound.least)…\(bound.most); \(nearest) is used"))
        }
    }

    @Test("the table of bounds has every field with a number")
    func boundsAreWhole() {
        let numbers = DocumentFieldTests.samples.filter { $0.value.int != nil }
        #expect(numbers.map { "\($0.section).\($0.name)" } == Self.bounds.map { "\($0.section).\($0.field)" })
    }

    private func read(_ bound: Bound, _ number: String) throws -> (JSONValue?, [ConfigurationError]) {
        let document = try read(
            DocumentText.document(1, DocumentText.bundle("a", "\"\(bound.section)\":{\"\(bound.field)\":\(number)}")))
        var layers = TrackerLayers()
        layers.adopt(default: nil, remote: document.bundles[0], origin: LayerOrigin(version: 1))
        let section = ConfigurationBundle.sections.first { $0.name == bound.section }
        return (section?.explain(layers).first { $0.field.hasSuffix(".\(bound.field)") }?.value, document.warnings)
    }

    @Test("keys of customRetryForStatusCodes that are no status are ignored with a warning")
    func retryKeys() throws {
        let rules = #"{"099":true,"100":true,"599":false,"600":true,"4xx":true,"+50":true,"":false,"0404":true}"#
        let document = try read(
            DocumentText.document(1, DocumentText.bundle("a", #""emitter":{"customRetryForStatusCodes":\#(rules)}"#)))
        #expect(document.bundles[0].emitter?.customRetryForStatusCodes == [100: true, 599: false])
        #expect(document.warnings.count == 6)
        #expect(
            document.warnings.allSatisfy { $0.reason.hasSuffix("is no status code from 100 to 599 and is ignored") })
    }

    @Test("a value of customRetryForStatusCodes that is no boolean is a fault with its path")
    func retryValues() throws {
        let text = DocumentText.document(
            1, DocumentText.bundle("a", #""emitter":{"customRetryForStatusCodes":{"503":true,"403":"yes"}}"#))
        let error = try #require(throws: ConfigurationError.self) { try read(text) }
        #expect(error.place == "configurationBundle[0].emitterConfiguration.customRetryForStatusCodes.403")
        #expect(error.reason == "expected a boolean, found a string")
    }

    @Test("of many warnings the first hundred are told, and how many more there are", arguments: [100, 101, 2000])
    func manyWarnings(count: Int) throws {
        let keys = (0..<count).map { ",\"k\($0)\":1" }.joined()
        let document = try read(DocumentText.document(1, DocumentText.bundle(), more: keys))
        let told = document.warnings.prefix(100)
        #expect(told.map(\.place) == (0..<min(count, 100)).map { "k\($0)" })
        #expect(told.allSatisfy { $0.position != nil })
        let rest = count > 100 ? ["\(count - 100) more warnings are left out"] : []
        #expect(document.warnings.dropFirst(100).map(\.description) == rest)
    }

    @Test("a warning is one short line, whatever the key")
    func longKey() throws {
        let key = "a\\n\\u0000\\u2028" + String(repeating: "k", count: 10_000)
        let document = try read(DocumentText.document(1, DocumentText.bundle(), more: ",\"\(key)\":1"))
        let place = #"a\n\0\u{2028}"# + String(repeating: "k", count: 296)
        #expect(document.warnings.map(\.place) == ["\(place)…"])
    }
}
