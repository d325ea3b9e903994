import FoundationEssentials
import TestSupport
import Testing
import TrackerConfig

@Suite("The message of a publisher", .endsWhenItHangs)
struct SourceSignalTests {
    private static func read(_ message: String) -> SourceSignal { SourceSignal(json: Array(message.utf8)) }

    @Test("all members are read, in any order, and unknown ones are ignored")
    func members() {
        let signal = Self.read(
            #"""
             {"rollout": {"seed": "s", "percent": 12.5, "x": [1]}, "new": {"version": 1}, "etag": "\"é\"", "epoch": 2,
              "publishedAt": "2026-11-26T13:00:00.1239+01:00", "spread": 0.5, "version": 9007199254740991}
            """#)
        #expect(signal.kind == .changed)
        #expect((signal.version, signal.entityTag) == (9_007_199_254_740_991, "\"é\""))
        #expect((signal.spread, signal.rolloutPercent, signal.rolloutSeed) == (.milliseconds(500), 12.5, "s"))
        #expect(signal.published == Date(timeIntervalSince1970: 1_795_694_400.123))
        #expect(signal.failure == nil)
    }

    @Test(
        "what is no object says that the document has changed, and no more",
        arguments: ["", "null", "[{\"version\": 1}]", "published", "{}", " {\"version\": null}\n"])
    func noFacts(message: String) {
        let signal = Self.read(message)
        #expect(signal.kind == .changed)
        #expect((signal.version, signal.entityTag, signal.spread) == (nil, nil, nil))
        #expect((signal.published, signal.rolloutPercent, signal.rolloutSeed) == (nil, nil, nil))
        #expect(signal.failure == nil)
    }

    @Test(
        "a member of a wrong type or outside its bounds is left out, the others count, and the failure has its place",
        arguments: [
            (#""version": "9""#, "version: expected an integer, found a string (line 1, column 25)"),
            (#""version": -1"#, "version: expected 0 to 9007199254740991, found -1 (line 1, column 25)"),
            (
                #""version": 9007199254740992"#,
                "version: expected 0 to 9007199254740991, found 9007199254740992 (line 1, column 25)"
            ),
            (
                #""version": 99999999999999999999"#,
                "version: expected 0 to 9007199254740991, found 9223372036854775807 (line 1, column 25)"
            ),
            (#""etag": 7"#, "etag: expected a string, found a number (line 1, column 22)"),
            (#""spread": "30""#, "spread: expected a number, found a string (line 1, column 24)"),
            (#""publishedAt": 5"#, "publishedAt: expected a string, found a number (line 1, column 29)"),
            (#""rollout": {"percent": 101}"#, "rollout.percent: expected 0 to 100, found 101.0 (line 1, column 37)"),
            (#""rollout": {"seed": {}}"#, "rollout.seed: expected a string, found an object (line 1, column 34)"),
        ])
    func wrong(member: String, reason: String) {
        let signal = Self.read("{\"other\": 3, \(member), \"new\": 1}")
        #expect(signal.failure?.code == .stream)
        #expect(signal.failure?.reason == "a message that cannot be read: \(reason)")
        #expect(signal.version == nil)
        #expect((signal.entityTag, signal.spread, signal.published) == (nil, nil, nil))
        #expect((signal.rolloutPercent, signal.rolloutSeed) == (nil, nil))
    }

    @Test("an object that a strict reader refuses says nothing but that the document has changed")
    func malformed() {
        for message in [#"{"version": 9, "version": 10}"#, "{\"etag\": \"\u{0}\"}", "{version: 9}"] {
            let signal = Self.read(message)
            #expect((signal.kind, signal.version, signal.failure?.code) == (.changed, nil, .stream))
        }
    }

    @Test("a spread is between 0 and a day", arguments: [(-1.0, 0), (86_400, 86_400), (1e300, 86_400)])
    func spread(seconds: Double, expected: Int) {
        let signal = Self.read("{\"spread\": \(seconds)}")
        #expect((signal.spread, signal.failure) == (.seconds(expected), nil))
    }

    @Test("texts have at most 1,024 bytes", arguments: [1024, 1025])
    func longTexts(size: Int) {
        let text = String(repeating: "x", count: size)
        let signal = Self.read(#"{"etag": "\#(text)", "rollout": {"seed": "\#(text)"}}"#)
        #expect(signal.entityTag?.utf8.count == (size == 1024 ? 1024 : nil))
        #expect(signal.rolloutSeed?.utf8.count == (size == 1024 ? 1024 : nil))
        let place = "etag: expected up to 1024 bytes, found 1025 (line 1, column 10)"
        #expect(signal.failure?.reason == (size == 1024 ? nil : "a message that cannot be read: \(place)"))
    }
}
