import TestSupport
import Testing
import TrackerCore

@Suite("JSONObject", .endsWhenItHangs)
struct JSONObjectTests {
    @Test("members keep their order")
    func keepsOrder() {
        let object = JSONObject((0..<40).reversed().map { ("k\($0)", .int($0)) })
        #expect(object.members.map(\.name) == (0..<40).reversed().map { "k\($0)" })
    }

    @Test("equality and hash pay no heed to order, but to all values")
    func comparesWithoutOrder() {
        let one: JSONObject = ["a": 1, "b": ["c": 2, "d": 3]]
        let other: JSONObject = ["b": ["d": 3, "c": 2], "a": 1]
        #expect(one == other)
        #expect(one.hashValue == other.hashValue)
        #expect(one != ["a": 1, "b": ["c": 2, "d": 4]])
        #expect(one != ["a": 1])
        #expect(one != ["a": 1, "b": nil])
    }

    @Test("numbers are equal by value, however they are written")
    func comparesNumbersByValue() {
        let integer: JSONObject = ["a": 1, "b": [0]]
        let fraction: JSONObject = ["b": [-0.0], "a": 1.0]
        #expect(integer == fraction)
        #expect(integer.hashValue == fraction.hashValue)
        #expect(integer != ["a": 1.5, "b": [0]])
        // Beyond 2^53 a Double is not the integers next to it.
        #expect(JSONValue.int(9_007_199_254_740_993) != .double(9_007_199_254_740_992))
        #expect(JSONValue.int(1) != .bool(true))
        #expect(JSONValue.double(.nan) != .double(.nan))
    }

    @Test("the last of several values of a name counts, at the place of the first", arguments: [1, 30])
    func lastDuplicateCounts(others: Int) {
        let members: [(String, JSONValue)] = [("a", 1)] + (0..<others).map { ("k\($0)", .int($0)) } + [("a", 2)]
        let object = JSONObject(members)
        #expect(object.count == others + 1)
        #expect(object["a"] == 2)
        #expect(object.members[0].name == "a")
    }

    @Test("a member is set, replaced and removed by its name")
    func isChangedByName() {
        var object: JSONObject = [:]
        #expect(object.isEmpty)
        object["a"] = 1
        object["b"] = 2
        object["a"] = 3
        #expect(object == ["a": 3, "b": 2])
        object["a"] = nil
        object["x"] = nil
        #expect(object == ["b": 2])
        #expect(object["b"] == 2)
        #expect(object["a"] == nil)
    }
}
