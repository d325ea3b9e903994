import TestSupport
import Testing
import TrackerConfig
import TrackerCore

/// Which documents have one content.
@Suite("The digest of a document's content", .endsWhenItHangs)
struct ContentDigestTests {
    private static func digest(_ text: String) throws -> String {
        try Document.contentDigest(of: Array(text.utf8))
    }

    private static let text = """
        {"$schema":"\(DocumentText.schema)","configurationVersion":1,"configurationBundle":[{"namespace":"a"}],\
        "meta":{"x":[1,{"b":1,"c":2}],"configurationVersion":1,"rollout":1},"rollout":{"percent":10}}
        """

    @Test("it is the same in every release, in whatever order the keys stand")
    func pinned() throws {
        // The FNV-1a 64 of {"a":[true,{"b":1.5,"c":"é"}]}, reckoned elsewhere.
        #expect(try Self.digest(#"{"configurationVersion":7,"a":[true,{"c":"é","b":1.5}]}"#) == "5b1ab1fbc9d5f7e9")
        #expect(try Self.digest(#"{"a":[true,{"b":1.5,"c":"é"}],"configurationVersion":8}"#) == "5b1ab1fbc9d5f7e9")
    }

    @Test(
        "version, rollout, white space, escapes and the order of keys do not matter",
        arguments: [
            (#""configurationVersion":1,"configurationBundle""#, #""configurationVersion":2,"configurationBundle""#),
            (#""configurationVersion":1,"configurationBundle""#, #""configurationBundle""#),
            (#""percent":10"#, #""percent":50,"seed":"s""#), (#","rollout":{"percent":10}"#, ""),
            (#"{"b":1,"c":2}"#, #"{"c":2,"b":1}"#), (#"[1,{"b""#, "[ 1 ,\n\t{ \"b\" "),
            (#""namespace":"a""#, #""n\u0061mespace":"\u0061""#),
        ])
    func equal(old: String, new: String) throws {
        let changed = Self.text.replacing(old, with: new)
        #expect(changed != Self.text)
        #expect(try Self.digest(changed) == Self.digest(Self.text))
    }

    @Test(
        "any other change matters",
        arguments: [
            (#""namespace":"a""#, #""namespace":"b""#), (#""namespace":"a""#, #""name":"a""#),
            (#"[1,{"b":1,"c":2}]"#, #"[{"b":1,"c":2},1]"#), (#""c":2"#, #""c":"2""#), (#""c":2"#, #""c":null"#),
            (#""b":1,"#, ""), (#""b":1,"c":2"#, #""b":2,"c":1"#), (#"1,"rollout":1}"#, #"2,"rollout":1}"#),
            (#"1,"rollout":1}"#, #"1,"rollout":2}"#), ("1-1-0", "1-1-1"),
        ])
    func different(old: String, new: String) throws {
        let changed = Self.text.replacing(old, with: new)
        #expect(changed != Self.text)
        #expect(try Self.digest(changed) != Self.digest(Self.text))
    }
}
