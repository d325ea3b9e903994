import TestSupport
import Testing
import TrackerFeatures

/// What a condition means at the level of an object and of a value.
@Suite("Conditions", .endsWhenItHangs)
struct ConditionTests {
    typealias Row = (condition: String, attributes: String, isMatch: Bool)

    private func check(_ row: Row) throws {
        #expect(try Condition.matches(row.condition, row.attributes) == row.isMatch)
    }

    @Test(
        "all members of a condition hold, and the lists of $and, $or, $nor and $not are conditions",
        arguments: [
            ("{}", "{}", true), (#"{"a":1,"b":2}"#, #"{"a":1,"b":2}"#, true),
            (#"{"a":1,"b":2}"#, #"{"a":1,"b":3}"#, false),
            (#"{"$and":[]}"#, "{}", true), (#"{"$and":[{"a":1},{"b":1}]}"#, #"{"a":1,"b":1}"#, true),
            (#"{"$and":[{"a":1},{"b":1}]}"#, #"{"a":1}"#, false),
            (#"{"$or":[]}"#, "{}", true), (#"{"$or":[{"a":1},{"b":1}]}"#, #"{"b":1}"#, true),
            (#"{"$or":[{"a":1},{"b":1}]}"#, "{}", false),
            (#"{"$nor":[]}"#, "{}", false), (#"{"$nor":[{"a":1},{"b":1}]}"#, "{}", true),
            (#"{"$nor":[{"a":1},{"b":1}]}"#, #"{"b":1}"#, false),
            (#"{"$not":{"a":1}}"#, "{}", true), (#"{"$not":{"a":1}}"#, #"{"a":1}"#, false),
            (#"{"$not":{}}"#, "{}", false), (#"{"$or":[{"a":1}],"b":2}"#, #"{"a":1,"b":3}"#, false),
        ] as [Row])
    func objects(row: Row) throws { try check(row) }

    @Test(
        "another name is a path through objects and lists, and what is missing is null",
        arguments: [
            (#"{"a.b.c":1}"#, #"{"a":{"b":{"c":1}}}"#, true), (#"{"a.b":null}"#, #"{"a":{}}"#, true),
            (#"{"a.b":null}"#, #"{"a":"text"}"#, true), (#"{"a.b":1}"#, #"{"a.b":1}"#, false),
            (#"{"a.1":"y"}"#, #"{"a":["x","y"]}"#, true), (#"{"a.01":"y"}"#, #"{"a":["x","y"]}"#, false),
            (#"{"a.2":null}"#, #"{"a":["x","y"]}"#, true), (#"{"a.-1":null}"#, #"{"a":["x","y"]}"#, true),
            (#"{"a..b":1}"#, #"{"a":{"":{"b":1}}}"#, true), (#"{"":1}"#, #"{"":1}"#, true),
            (#"{"$groups":{"$elemMatch":{"$eq":"a"}}}"#, #"{"$groups":["a"]}"#, true),
            // The dot is a part of no character.
            (#"{"a.\u0301b":1}"#, #"{"a":{"\u0301b":1}}"#, true),
        ] as [Row])
    func paths(row: Row) throws { try check(row) }

    @Test(
        "a text equals the attribute as text",
        arguments: [
            (#"{"a":"x"}"#, #"{"a":"x"}"#, true), (#"{"a":"x"}"#, #"{"a":"X"}"#, false),
            (#"{"a":"10"}"#, #"{"a":10}"#, true), (#"{"a":"10"}"#, #"{"a":10.0}"#, true),
            (#"{"a":"10.0"}"#, #"{"a":10}"#, false), (#"{"a":"1.5"}"#, #"{"a":1.5}"#, true),
            (#"{"a":"1e+21"}"#, #"{"a":1e21}"#, true), (#"{"a":"100000000000000000000"}"#, #"{"a":1e20}"#, true),
            (#"{"a":"0"}"#, #"{"a":-0.0}"#, true),
            (#"{"a":"469096912275144706"}"#, #"{"a":469096912275144700}"#, false), (#"{"a":"null"}"#, "{}", true),
            (#"{"a":""}"#, "{}", false),
            (#"{"a":"true"}"#, #"{"a":true}"#, true), (#"{"a":"1"}"#, #"{"a":true}"#, false),
            (#"{"a":"x,2,"}"#, #"{"a":["x",2,null]}"#, true), (#"{"a":""}"#, #"{"a":[]}"#, true),
            (#"{"a":"[object Object]"}"#, #"{"a":{"b":1}}"#, true),
            // Two normalizations of one letter are two texts.
            (#"{"a":"\u00e9"}"#, #"{"a":"e\u0301"}"#, false),
        ] as [Row])
    func texts(row: Row) throws { try check(row) }

    @Test(
        "a number equals the attribute as a number",
        arguments: [
            (#"{"a":1}"#, #"{"a":1.0}"#, true), (#"{"a":0}"#, "{}", true), (#"{"a":1}"#, #"{"a":true}"#, true),
            (#"{"a":0}"#, #"{"a":false}"#, true), (#"{"a":0}"#, #"{"a":""}"#, true),
            (#"{"a":0}"#, #"{"a":" \n"}"#, true),
            (#"{"a":8}"#, #"{"a":" 8 "}"#, true), (#"{"a":255}"#, #"{"a":"0xFF"}"#, true),
            (#"{"a":1000}"#, #"{"a":"1e3"}"#, true), (#"{"a":0.5}"#, #"{"a":".5"}"#, true),
            (#"{"a":0}"#, #"{"a":"x"}"#, false), (#"{"a":8}"#, #"{"a":"8x"}"#, false),
            (#"{"a":8}"#, #"{"a":[8]}"#, true),
            (#"{"a":0}"#, #"{"a":{}}"#, false), (#"{"a":9007199254740993}"#, #"{"a":9007199254740992}"#, false),
            // Integers are exact, also in texts.
            (#"{"a":469096912275144706}"#, #"{"a":"469096912275144700"}"#, false),
            (#"{"a":469096912275144706}"#, #"{"a":"469096912275144706"}"#, true),
            (#"{"a":-9007199254740993}"#, #"{"a":" -9007199254740993\n"}"#, true),
            (#"{"a":9007199254740993}"#, #"{"a":9007199254740992.0}"#, false),
            (#"{"a":9223372036854775807}"#, #"{"a":9223372036854775808}"#, false),
            (#"{"a":9223372036854775807}"#, #"{"a":"9223372036854775808"}"#, false),
        ] as [Row])
    func numbers(row: Row) throws { try check(row) }

    @Test(
        "true and false hold for values that count as such, null for null, and lists and objects for the same JSON",
        arguments: [
            (#"{"a":true}"#, #"{"a":"x"}"#, true), (#"{"a":true}"#, #"{"a":0}"#, false),
            (#"{"a":false}"#, #"{"a":""}"#, true),
            (#"{"a":false}"#, #"{"a":null}"#, false), (#"{"a":false}"#, "{}", false),
            (#"{"a":true}"#, #"{"a":[]}"#, true),
            (#"{"a":null}"#, "{}", true), (#"{"a":null}"#, #"{"a":false}"#, false),
            (#"{"a":[1,"x"]}"#, #"{"a":[1.0,"x"]}"#, true), (#"{"a":[1,2]}"#, #"{"a":[2,1]}"#, false),
            (#"{"a":{"x":1,"y":[null]}}"#, #"{"a":{"y":[null],"x":1}}"#, true), (#"{"a":{}}"#, #"{"a":{}}"#, true),
            (#"{"a":{}}"#, #"{"a":{"x":1}}"#, false), (#"{"a":{"x":1}}"#, #"{"a":{"x":"1"}}"#, false),
            // An operator among other names is a name.
            (#"{"a":{"$gt":1,"x":2}}"#, #"{"a":{"$gt":1,"x":2}}"#, true),
            (#"{"a":{"$gt":1,"x":2}}"#, #"{"a":2}"#, false),
        ] as [Row])
    func others(row: Row) throws { try check(row) }

    @Test("conditions are equal if their JSON and the segments that they name are")
    func equality() throws {
        let text = #"{"id":{"$inGroup":"beta"}}"#
        let one = try Condition(text: text, segments: #"{"beta":[1]}"#)
        #expect(try one == Condition(text: text, segments: #"{"beta":[1],"other":[2]}"#))
        #expect(try one != Condition(text: text, segments: #"{"beta":[2]}"#))
        #expect(try one != Condition(text: #"{"id":1}"#, segments: #"{"beta":[1]}"#))
        #expect(try Set([one, Condition(text: text, segments: #"{"beta":[1]}"#)]).count == 1)
        #expect(one.json == ["id": ["$inGroup": "beta"]])
    }
}
