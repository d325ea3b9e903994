import TestSupport
import Testing
import TrackerCore

/// What is done to texts that come from outside.
@Suite("Texts", .endsWhenItHangs)
struct TextTests {
    @Test(
        "percent-encoded bytes are decoded, unless they are no text",
        arguments: [
            ("", ""), ("abc", "abc"), ("a%20b%2Fc", "a b/c"), ("%c3%BC", "ü"), ("ü%C3%BC", "üü"), ("%00", "\u{0}"),
            ("%", nil), ("%4", nil), ("%4g", nil), ("%%41", nil), ("%C3", nil), ("%ff", nil), ("%ed%a0%80", nil),
        ] as [(String, String?)])
    func percentDecoding(text: String, decoded: String?) {
        #expect(text.percentDecoded == decoded)
        #expect("[\(text)]".dropFirst().dropLast().percentDecoded == decoded)
    }

    @Test(
        "white space is trimmed at both ends",
        arguments: [
            ("", ""), (" \t\r\n", ""), ("a", "a"), (" a b\r\n", "a b"), ("\u{a0}a\u{2003}", "a"), ("\na\n", "a"),
        ])
    func trimming(text: String, trimmed: String) {
        #expect(text.trimmed == trimmed)
    }
}
