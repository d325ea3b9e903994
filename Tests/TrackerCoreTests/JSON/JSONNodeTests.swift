import TestSupport
import Testing
import TrackerCore

@Suite("JSONNode", .endsWhenItHangs)
struct JSONNodeTests {
    private func node(_ text: String) throws -> JSONNode { try JSONReader.read(Array(text.utf8)) }

    @Test("a string is read whole, wherever its end, an escape or another script begins")
    func readsStrings() throws {
        for length in 0...33 {
            let plain = String(repeating: "x", count: length)
            let strings = try node(#"["\#(plain)","\#(plain)\n\#(plain)","\#(plain)é","é\#(plain)"]"#).value
            #expect(strings == .array([plain, "\(plain)\n\(plain)", "\(plain)é", "é\(plain)"].map(JSONValue.string)))
            let fault = #expect(throws: JSONError.self) { try node("\"\(plain)\u{1F}\"") }
            #expect(fault?.offset == length + 1)
        }
    }

    @Test("text that is not UTF-8 has no other fault, though another one comes first")
    func invalidUTF8ComesFirst() {
        let fault = #expect(throws: JSONError.self) { try JSONReader.read(Array("{1 \"".utf8) + [0xC3, 0x22]) }
        #expect(fault?.code == .invalidUTF8)
        #expect(fault?.offset == 4)
    }

    @Test("a decimal fraction is the same number that the standard library reads")
    func readsFractions() throws {
        var texts = ["-0.0", "0.1", "1.005", "123456.789012345", "0.000000000000001", "9007199254740993.5", "1.5E3"]
        for whole in [0, 7, 12, 99_999, 123_456_789] {
            for fraction in ["1", "25", "010", "3333333", "999999999", "00000000000000001"] {
                texts.append("-\(whole).\(fraction)")
            }
        }
        for text in texts { #expect(try node(text).number?.bitPattern == Double(text)?.bitPattern) }
    }

    @Test("a name is the same with and without escapes, also among many", arguments: [1, 31, 32])
    func findsRepeatedNames(count: Int) {
        let names = (0..<count).map { "\"name-\($0)-é\":0,\"name-\($0)\":0" }.joined(separator: ",")
        for repeated in [#""name-\u0030""#, #""n\u0061me-0-\u00e9""#, #""name-0""#, #""name-0-é""#] {
            let fault = #expect(throws: JSONError.self) { try node("{\(names),\(repeated):0}") }
            #expect(fault?.code == .duplicateKey)
        }
        #expect(throws: Never.self) { try node("{\(names),\"nbme-0\":0}") }
    }
}
