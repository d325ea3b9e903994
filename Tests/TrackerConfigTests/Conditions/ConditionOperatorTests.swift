import TestSupport
import Testing
import TrackerFeatures

/// What the operators of a condition mean.
@Suite("Operators of conditions", .endsWhenItHangs)
struct ConditionOperatorTests {
    typealias Row = (operators: String, attribute: String, isMatch: Bool)

    private func check(_ row: Row, segments: String = "{}") throws {
        let attributes = row.attribute.isEmpty ? "{}" : #"{"a":\#(row.attribute)}"#
        #expect(try Condition.matches(#"{"a":\#(row.operators)}"#, attributes, segments: segments) == row.isMatch)
    }

    @Test(
        "$eq and $ne compare without a conversion",
        arguments: [
            (#"{"$eq":1}"#, "1.0", true), (#"{"$eq":1}"#, #""1""#, false), (#"{"$eq":null}"#, "", true),
            (#"{"$eq":false}"#, "", false), (#"{"$eq":[1]}"#, "[1]", false), (#"{"$ne":[1]}"#, "[1]", true),
            (#"{"$ne":1}"#, "1", false), (#"{"$ne":1}"#, "", true), (#"{"$eq":0}"#, "false", false),
        ] as [Row])
    func equality(row: Row) throws { try check(row) }

    @Test(
        "$lt, $lte, $gt and $gte compare texts by characters and anything else as numbers",
        arguments: [
            (#"{"$gt":5,"$lt":10}"#, #""8""#, true), (#"{"$gt":"5","$lt":"10"}"#, "8", true),
            (#"{"$lt":"10"}"#, #""8""#, false), (#"{"$gte":5,"$lte":5}"#, "5", true), (#"{"$gt":5}"#, "5", false),
            (#"{"$lt":5}"#, "5", false), (#"{"$lt":1}"#, "", true), (#"{"$gt":-1}"#, "null", true),
            (#"{"$gt":0}"#, #""x""#, false), (#"{"$lte":0}"#, #""x""#, false), (#"{"$gte":"a"}"#, #""a""#, true),
            (#"{"$lt":"b"}"#, #""ab""#, true), (#"{"$lt":"ab"}"#, #""a""#, true), (#"{"$lte":"a"}"#, #""b""#, false),
            (#"{"$gt":"\uffff"}"#, #""😀""#, true), (#"{"$gt":"é"}"#, #""😀""#, true), (#"{"$gt":false}"#, "true", true),
            (#"{"$lt":"c"}"#, #"["b"]"#, true), (#"{"$gt":1}"#, "[2]", true), (#"{"$gt":0}"#, "{}", false),
            (#"{"$gt":9007199254740992}"#, "9007199254740993", true),
            (#"{"$gt":9007199254740992}"#, #""9007199254740993""#, true),
            (#"{"$lte":"9007199254740992"}"#, "9007199254740993", false),
        ] as [Row])
    func order(row: Row) throws { try check(row) }

    @Test(
        "$exists, $type and $size",
        arguments: [
            (#"{"$exists":true}"#, "0", true), (#"{"$exists":true}"#, "null", false), (#"{"$exists":1}"#, "", false),
            (#"{"$exists":false}"#, "", true), (#"{"$exists":0}"#, "1", false),
            (#"{"$type":"null"}"#, "", true), (#"{"$type":"string"}"#, #""""#, true),
            (#"{"$type":"number"}"#, "1.5", true),
            (#"{"$type":"boolean"}"#, "false", true), (#"{"$type":"array"}"#, "[]", true),
            (#"{"$type":"object"}"#, "{}", true),
            (#"{"$type":"object"}"#, "[]", false), (#"{"$type":"object"}"#, "null", false),
            (#"{"$size":2}"#, "[1,2]", true), (#"{"$size":{"$gt":2}}"#, "[1,2]", false), (#"{"$size":0}"#, "", false),
            (#"{"$size":3}"#, #""abc""#, false),
        ] as [Row])
    func kinds(row: Row) throws { try check(row) }

    @Test(
        "$in and $nin look an attribute, or any element of a list, up in a list",
        arguments: [
            (#"{"$in":["a",1,null,true]}"#, #""a""#, true), (#"{"$in":["a",1,null,true]}"#, "1.0", true),
            (#"{"$in":["a",1,null,true]}"#, "", true), (#"{"$in":["a",1,null,true]}"#, "true", true),
            (#"{"$in":["a",1,null,true]}"#, "false", false), (#"{"$in":["a",1]}"#, #""1""#, false),
            (#"{"$in":["a"]}"#, #"["b","a"]"#, true), (#"{"$in":["a"]}"#, "[]", false),
            (#"{"$in":[["a"]]}"#, #"[["a"]]"#, false),
            (#"{"$in":[]}"#, "1", false), (#"{"$nin":[]}"#, "1", true), (#"{"$nin":["a"]}"#, #"["b","a"]"#, false),
            (#"{"$nin":["a"]}"#, "", true), (#"{"$in":["US"]}"#, #""us""#, false),
            (#"{"$in":[9007199254740993]}"#, "9007199254740993", true),
            (#"{"$in":[9007199254740993]}"#, "9007199254740992", false),
            (#"{"$in":[9007199254740993]}"#, "9007199254740992.0", false), (#"{"$in":[2.0]}"#, "2", true),
        ] as [Row])
    func membership(row: Row) throws { try check(row) }

    @Test(
        "$ini and $nini ignore the case of texts alone",
        arguments: [
            (#"{"$ini":["us","Straße"]}"#, #""US""#, true), (#"{"$ini":["US"]}"#, #""us""#, true),
            (#"{"$ini":["ÉTÉ"]}"#, #""été""#, true), (#"{"$ini":["a",1]}"#, #"["x","A"]"#, true),
            (#"{"$ini":["a",1]}"#, "1", true), (#"{"$ini":["a"]}"#, "", false), (#"{"$nini":["us"]}"#, #""US""#, false),
            (#"{"$nini":["us"]}"#, #""CA""#, true),
        ] as [Row])
    func membershipInAnyCase(row: Row) throws { try check(row) }

    @Test("a long list is looked up as a short one is", arguments: [8, 9, 1000])
    func longLists(count: Int) throws {
        let members = (0..<count).map { "member \($0) with more than 15 bytes" }
        for name in ["$in", "$ini"] {
            let condition = Condition(["a": [name: .array(members.map(JSONValue.string))]])
            #expect(members.allSatisfy { condition.matches(["a": .string($0)]) })
            #expect(members.allSatisfy { condition.matches(["a": .string($0.uppercased())]) == (name == "$ini") })
            #expect(!condition.matches(["a": .string("member \(count) with more than 15 bytes")]))
            #expect(!condition.matches(["a": .string(String(repeating: "e\u{301}", count: 10_000))]))
        }
    }

    @Test(
        "$all needs each of its conditions in the list, $elemMatch one element for its condition",
        arguments: [
            (#"{"$all":["a",1]}"#, #"["1","x","a"]"#, true), (#"{"$all":["a","b"]}"#, #"["a"]"#, false),
            (#"{"$all":[]}"#, "[]", true), (#"{"$all":["a"]}"#, #""a""#, false),
            (#"{"$all":[{"$gt":3}]}"#, "[1,5]", true),
            (#"{"$all":["A"]}"#, #"["a"]"#, false), (#"{"$alli":["A",2]}"#, #"["a",2]"#, true),
            (#"{"$alli":["A","B"]}"#, #"["a"]"#, false), (#"{"$alli":["TRUE"]}"#, "[true]", true),
            (#"{"$elemMatch":{"$gt":2,"$lt":4}}"#, "[1,5]", false),
            (#"{"$elemMatch":{"$gt":2,"$lt":4}}"#, "[1,3]", true),
            (#"{"$elemMatch":{"n":1,"m.k":2}}"#, #"[{"n":1},{"n":1,"m":{"k":2}}]"#, true),
            (#"{"$elemMatch":{"n":1}}"#, #"{"n":1}"#, false), (#"{"$elemMatch":{}}"#, #"["x"]"#, true),
            (#"{"$elemMatch":{"$not":{"$eq":1}}}"#, "[1,2]", true),
            // GrowthBook passes over elements that count as false.
            (#"{"$elemMatch":{"$eq":0}}"#, "[0]", false), (#"{"$elemMatch":{"n":null}}"#, "[null]", false),
        ] as [Row])
    func elements(row: Row) throws { try check(row) }

    @Test(
        "$regex searches a text, finds nothing in anything else, and $not negates any condition",
        arguments: [
            (#"{"$regex":"b+"}"#, #""abbc""#, true), (#"{"$regex":"^b+$"}"#, #""abbc""#, false),
            (#"{"$regex":"B"}"#, #""abc""#, false), (#"{"$regexi":"B"}"#, #""abc""#, true),
            (#"{"$notRegex":"b"}"#, #""abc""#, false), (#"{"$notRegex":"x"}"#, #""abc""#, true),
            (#"{"$notRegexi":"B"}"#, #""abc""#, false), (#"{"$regex":"^12$"}"#, "12", false),
            (#"{"$regex":"^null$"}"#, "", false), (#"{"$regex":"^true$"}"#, "true", false),
            (#"{"$regex":"^a,b$"}"#, #"["a","b"]"#, false),
            (#"{"$regex":"."}"#, "", false), (#"{"$regexi":"."}"#, "", false), (#"{"$notRegex":"."}"#, "", true),
            (#"{"$notRegexi":"."}"#, "12", true),
            (#"{"$not":{"$gt":5}}"#, "3", true), (#"{"$not":{"$gt":5}}"#, "8", false),
            (#"{"$not":"x"}"#, #""x""#, false), (#"{"$not":{"$not":{"$eq":1}}}"#, "1", true),
        ] as [Row])
    func patterns(row: Row) throws { try check(row) }

    @Test(
        "$inGroup and $notInGroup look a segment up, which is empty if it is unknown",
        arguments: [
            (#"{"$inGroup":"beta"}"#, "1", true), (#"{"$inGroup":"beta"}"#, #""1""#, false),
            (#"{"$inGroup":"beta"}"#, #"[7,"u-1"]"#, true), (#"{"$notInGroup":"beta"}"#, "1", false),
            (#"{"$notInGroup":"beta"}"#, "3", true), (#"{"$inGroup":"other"}"#, "1", false),
            (#"{"$notInGroup":"other"}"#, "1", true), (#"{"$inGroup":"no list"}"#, "1", false),
        ] as [Row])
    func segments(row: Row) throws { try check(row, segments: #"{"beta":[1,"u-1"],"no list":1}"#) }

    @Test(
        "versions compare by their parts, and a pre-release comes before its version",
        arguments: [
            (#"{"$vgt":"9.99.8","$vlt":"11.0.1"}"#, #""10.12.13""#, true),
            (#"{"$veq":"v1.2.3"}"#, #""1.2.3+build.7""#, true),
            (#"{"$veq":"1-2.3"}"#, #""1.2-3""#, true), (#"{"$vne":"1.2.3"}"#, #""1.2.3-rc""#, true),
            (#"{"$vlt":"1.2.3"}"#, #""1.2.3-rc.1""#, true), (#"{"$vlt":"1.2.3-rc.11"}"#, #""1.2.3-rc.2""#, true),
            (#"{"$vlte":"1.2.3"}"#, #""1.2.3""#, true), (#"{"$vgte":"1.2.3"}"#, #""1.2.3""#, true),
            (#"{"$vgte":"1.2.3"}"#, #""1.2.2""#, false), (#"{"$vgt":"1.2.3"}"#, #""1.2.3""#, false),
            (#"{"$vlt":"1.0.0--"}"#, #""1.0.0-9999""#, true), (#"{"$veq":"2"}"#, "2", true),
            (#"{"$veq":2.5}"#, #""2.5""#, true),
            (#"{"$veq":"0"}"#, "", true), (#"{"$veq":"0"}"#, #""""#, true), (#"{"$veq":"0"}"#, "true", true),
            (#"{"$vgt":"99999.0.0"}"#, #""100000.0.0""#, true), (#"{"$vgt":"1.2.3"}"#, #""a.b.c""#, true),
            (#"{"$veq":"v"}"#, #""v+1""#, true), (#"{"$veq":"+"}"#, #""+v""#, true),
        ] as [Row])
    func versions(row: Row) throws { try check(row) }
}
