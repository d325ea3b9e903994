import TestSupport
import Testing
import TrackerFeatures

@Suite("The message of a publisher", .endsWhenItHangs)
struct ChangeHintTests {
    private static func read(_ message: String) -> ChangeHint { ChangeHint(json: Array(message.utf8)) }

    @Test("has a version and a spread, and other members are ignored")
    func members() {
        let hint = Self.read(#" {"etag": "x", "new": {"version": 1}, "spread": 0.5, "version": 9007199254740991}"#)
        #expect(hint == ChangeHint(version: 9_007_199_254_740_991, spread: .milliseconds(500)))
    }

    @Test(
        "that is no object has neither",
        arguments: ["", "null", "[{\"version\": 1}]", "published", "{}", " {\"version\": null}\n"])
    func noFacts(message: String) {
        #expect(Self.read(message) == ChangeHint())
    }

    @Test(
        "leaves out a member that cannot be read, and names its place",
        arguments: [
            (#""version": "9""#, "version: expected an integer, found a string (line 1, column 26)"),
            (#""version": -1"#, "version: expected 0 to 9007199254740991, found -1 (line 1, column 26)"),
            (
                #""version": 9007199254740992"#,
                "version: expected 0 to 9007199254740991, found 9007199254740992 (line 1, column 26)"
            ),
        ])
    func wrong(member: String, reason: String) {
        let hint = Self.read("{\"spread\": 3, \(member)}")
        #expect((hint.version, hint.spread) == (nil, .seconds(3)))
        #expect(hint.fault == "a message that cannot be read: \(reason)")
        #expect(Self.read(#"{"version": 9, "spread": "30"}"#).version == 9)
        #expect(Self.read("{version: 9}").fault != nil)
    }

    @Test("has a spread of at most a day", arguments: [(-1.0, 0), (86_400, 86_400), (1e300, 86_400)])
    func spread(seconds: Double, expected: Int) {
        #expect(Self.read("{\"spread\": \(seconds)}") == ChangeHint(spread: .seconds(expected)))
    }
}
