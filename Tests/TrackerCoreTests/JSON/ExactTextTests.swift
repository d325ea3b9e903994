import TestSupport
import Testing
import TrackerCore

/// Texts that are equal to Swift and different to everybody else.
@Suite("Texts compared by their bytes", .endsWhenItHangs)
struct ExactTextTests {
    /// A text that keeps the memory of a longer one, in which a short one stands in no string itself.
    private func inMemory(_ text: String) -> String {
        var longer = text + String(repeating: "x", count: 64)
        longer.removeLast(64)
        return longer
    }

    // é in one scalar and in two, which String equates; the last pair has as many bytes each.
    private static let pairs = [("\u{E9}", "e\u{301}"), ("K", "\u{212A}"), ("a\u{316}\u{301}", "a\u{301}\u{316}")]

    @Test("keys that differ in normalization alone are two members, each found by its own spelling", arguments: pairs)
    func members(first: String, second: String) throws {
        try #require(first == second)
        let node = try JSONReader.read(Array("{\"\(first)\":1,\"\(second)\":2}".utf8))
        let value = node.value
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

    @Test("objects and texts as keys are equal if their bytes are", arguments: pairs)
    func values(first: String, second: String) {
        #expect(JSONValue.object([first: 1]) != .object([second: 1]))
        #expect(JSONValue.object(["a": 1, "b": 2]) == .object(["b": 2, "a": 1]))
        #expect(Set([ExactText(first), ExactText(second), ExactText(first)]).count == 2)
        #expect([second, first, second].sortedUnique.count == 2)
    }

    @Test("texts are exactly alike if their bytes are, wherever they stand")
    func comparesBytes() {
        let characters: [Character] = ["a", "\u{0}", "é", "e\u{301}", "\u{1F600}"]
        var texts = [""]
        for length in [1, 7, 8, 15, 16, 17] {
            texts.append(String(repeating: "a", count: length))
            texts.append(String(repeating: "a", count: length - 1) + "b")
            texts.append("b" + String(repeating: "a", count: length - 1))
        }
        for first in characters {
            texts.append(String(first))
            for second in characters { texts.append(String([first, second])) }
        }
        for left in texts {
            for right in texts {
                let isEqual = Array(left.utf8) == Array(right.utf8)
                for (one, other) in [
                    (left, right), (inMemory(left), right), (left, inMemory(right)), (inMemory(left), inMemory(right)),
                    (String(Substring(left)), right), (String(decoding: Array(left.utf8), as: UTF8.self), right),
                ] where one.isExactly(other) != isEqual || (ExactText(one) == ExactText(other)) != isEqual {
                    Issue.record("\(one.debugDescription) and \(other.debugDescription)")
                }
            }
        }
    }

    @Test("an object's members are found by the bytes of their names")
    func findsMembers() {
        let object: JSONObject = ["é": 1, "e\u{301}": 2, "a": 3, "a\u{0}": 4]
        #expect(object.count == 4)
        #expect(object["e\u{301}"] == 2)
        #expect(object[inMemory("a")] == 3)
        #expect(JSONObject([("a", 1), ("b", 2), (inMemory("a"), 3)]).members.map(\.value) == [3, 2])
    }
}
