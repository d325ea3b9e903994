import Foundation
import Testing
import TrackerCore

/// Texts that are equal to Swift and different to everybody else.
@Suite("Texts compared by their bytes")
struct ExactTextTests {
    // é in one scalar and in two, which String equates; the last pair has as many bytes each.
    private static let pairs = [("\u{E9}", "e\u{301}"), ("K", "\u{212A}"), ("a\u{316}\u{301}", "a\u{301}\u{316}")]

    @Test("keys that differ in normalization alone are two members, each found by its own spelling", arguments: pairs)
    func members(first: String, second: String) throws {
        try #require(first == second)
        let node = try JSONReader.read(Array("{\"\(first)\":1,\"\(second)\":2}".utf8))
        let value = try node.value
        #expect(value[first] == 1)
        #expect(value[second] == 2)
        var object = JSONObject([(first, 1), (second, 2)])
        #expect(object.count == 2)
        object[second] = nil
        #expect(object[first] == 1)
        #expect(object[second] == nil)
        var many: [(String, JSONValue)] = (0..<20).map { ("k\($0)", .int($0)) }
        many += [(first, 1), (second, 2)]
        #expect(JSONObject(many).count == 22)
    }

    @Test("a key that stands twice in the same bytes is refused, however many keys there are", arguments: [0, 20])
    func duplicates(others: Int) {
        let keys = (0..<others).map { "\"k\($0)\":0," }.joined()
        #expect(throws: JSONError.self) { try JSONReader.read(Array("{\(keys)\"\u{E9}\":1,\"\u{E9}\":2}".utf8)) }
        #expect(throws: Never.self) { try JSONReader.read(Array("{\(keys)\"\u{E9}\":1,\"e\u{301}\":2}".utf8)) }
    }

    @Test("objects and texts as keys are equal if their bytes are", arguments: pairs)
    func values(first: String, second: String) {
        #expect(JSONValue.object([first: 1]) != .object([second: 1]))
        #expect(JSONValue.object(["a": 1, "b": 2]) == .object(["b": 2, "a": 1]))
        #expect(Set([ExactText(first), ExactText(second), ExactText(first)]).count == 2)
        #expect([second, first, second].sortedUnique.count == 2)
    }

}
