import TestSupport
import Testing
import TrackerConfig
import TrackerFeatures

/// What a condition says that cannot be used.
@Suite("Problems of conditions", .endsWhenItHangs)
struct ConditionProblemTests {
    @Test(
        "a part that cannot be used is reported with its place, and the condition matches nothing",
        arguments: [
            (#"{"$not":{"$xor":[]}}"#, ".$not.$xor", "unknown operator '$xor'"),
            (#"{"$in":["a"]}"#, ".$in", "expected an attribute, found the operator '$in'"),
            (
                #"{"a":{"$elemMatch":{"$gt":1,"b":2}}}"#, ".a.$elemMatch.$gt",
                "expected an attribute, found the operator '$gt'"
            ),
            (#"{"$nor":[{"$regx":"x"}]}"#, ".$nor[0].$regx", "unknown operator '$regx'"),
            (#"{"$regx":null}"#, ".$regx", "unknown operator '$regx'"),
            (#"{"a":{"$regx":"x"}}"#, ".a.$regx", "unknown operator '$regx'"),
            (#"{"a":{"$in":1}}"#, ".a.$in", "expected a list"),
            (#"{"a":{"$nini":"x"}}"#, ".a.$nini", "expected a list"),
            (#"{"a":{"$all":{}}}"#, ".a.$all", "expected a list"),
            (#"{"a.b":{"$regex":1}}"#, ".a.b.$regex", "expected a regular expression"),
            (
                #"{"a":{"$regexi":"(x"}}"#, ".a.$regexi",
                "the regular expression cannot be used: '(' has no ')' after it (character 1)"
            ),
            (#"{"a":{"$elemMatch":[]}}"#, ".a.$elemMatch", "expected a condition, which is an object"),
            (#"{"a":{"$inGroup":7}}"#, ".a.$inGroup", "expected the name of a segment"),
            (#"{"a":{"$gt":[]}}"#, ".a.$gt", "expected a text or a number"),
            (#"{"a":{"$vgt":null}}"#, ".a.$vgt", "expected a version, as '1.2.3'"),
            (
                #"{"a":{"$type":"text"}}"#, ".a.$type",
                "expected one of 'null', 'string', 'number', 'boolean', 'array', 'object'"
            ),
            (#"{"$and":{}}"#, ".$and", "expected a list of conditions"),
            (#"{"$or":[{},{"b":{"$x":1}}]}"#, ".$or[1].b.$x", "unknown operator '$x'"),
            (#"{"$nor":[7]}"#, ".$nor[0]", "expected a condition, which is an object"),
            (#"{"a\n":{"$\n":1}}"#, #".a\n.$\n"#, #"unknown operator '$\n'"#),
            (#"{"$not":"x"}"#, ".$not", "expected a condition, which is an object"),
            (#"{"a":{"$all":[{"$x":1}]}}"#, ".a.$all[0].$x", "unknown operator '$x'"),
            (#"{"a":{"$size":{"$x":1}}}"#, ".a.$size.$x", "unknown operator '$x'"),
            (#"{"a":{"$elemMatch":{"b":{"$x":1}}}}"#, ".a.$elemMatch.b.$x", "unknown operator '$x'"),
        ])
    func fatal(condition: String, path: String, reason: String) throws {
        let condition = try Condition(text: condition)
        #expect(condition.problems == [Condition.Problem(path: path, reason: reason, isFatal: true)])
        #expect(!condition.matches(["a": 1]))
        let negated = Condition(["$not": .object(condition.json)])
        #expect(!negated.matches(["a": 1]))
        let alternative = Condition(["$or": [[:], .object(condition.json)]])
        #expect(!alternative.matches(["a": 1]))
    }

    @Test("an unknown segment is reported, and the condition keeps its meaning")
    func unknownSegment() throws {
        let condition = try Condition(text: #"{"a":{"$notInGroup":"beta"}}"#, segments: #"{"alpha":[]}"#)
        #expect(
            condition.problems == [
                Condition.Problem(path: ".a.$notInGroup", reason: "there is no segment 'beta'", isFatal: false)
            ])
        #expect(condition.matches(["a": 1]))
    }

    @Test(
        "an empty list or condition, which holds for everything or for nothing, is reported and keeps its meaning",
        arguments: [
            (#"{"$or":[]}"#, ".$or", "an empty list holds for everything", true),
            (#"{"$and":[]}"#, ".$and", "an empty list holds for everything", true),
            (#"{"$nor":[]}"#, ".$nor", "an empty list holds for nothing", false),
            ("{}", "", "an empty condition holds for everything", true),
            (#"{"$or":[{"a":2},{}]}"#, ".$or[1]", "an empty condition holds for everything", true),
            (#"{"$not":{}}"#, ".$not", "an empty condition holds for everything", false),
            (#"{"a":{"$in":[]}}"#, ".a.$in", "an empty list holds for nothing", false),
            (#"{"a":{"$ini":[]}}"#, ".a.$ini", "an empty list holds for nothing", false),
            (#"{"a":{"$nin":[]}}"#, ".a.$nin", "an empty list holds for everything", true),
            (#"{"a":{"$cidr":[]}}"#, ".a.$cidr", "an empty list holds for nothing", false),
            (#"{"a":{"$inGroup":"none"}}"#, ".a.$inGroup", "the segment 'none' is empty", false),
            (#"{"a":{"$notInGroup":"none"}}"#, ".a.$notInGroup", "the segment 'none' is empty", true),
            (#"{"l":{"$all":[]}}"#, ".l.$all", "an empty list holds for each list", true),
            (#"{"l":{"$elemMatch":{}}}"#, ".l.$elemMatch", "an empty condition holds for everything", true),
        ])
    func empty(condition: String, path: String, reason: String, isMatch: Bool) throws {
        let condition = try Condition(text: condition, segments: #"{"none":[]}"#)
        #expect(condition.problems.isEmpty)
        #expect(condition.warnings == [Condition.Problem(path: path, reason: reason, isFatal: false)])
        #expect(condition.matches(["a": 1, "l": ["x"]]) == isMatch)
    }

    @Test("a number that is compared with the id of a unit, which is a text, is reported with what to write")
    func numbersOfUnits() throws {
        let reason = #"the id of a unit is a text and equals no number; write "17" in the place of 17"#
        let clauses = [
            #""$in":["a",17]"#, #""$nin":[17,42]"#, #""$ini":[17]"#, #""$inGroup":"staff""#, #""$notInGroup":"staff""#,
            #""$eq":17"#, #""$ne":17"#,
        ]
        for clause in clauses {
            func warnings(_ condition: String) throws -> [Condition.Problem] {
                try Condition(text: condition, segments: #"{"staff":["a",17]}"#, units: ["id"]).warnings
            }
            let place = try #require(clause.split(separator: "\"").first)
            let problem = Condition.Problem(path: ".$or[0].id.\(place)", reason: reason, isFatal: false)
            #expect(try warnings(#"{"$or":[{"id":{\#(clause)}}]}"#) == [problem])
            #expect(try warnings(#"{"shop":{\#(clause)},"shop.id":{\#(clause)},"id":17}"#).isEmpty)
            #expect(try warnings(#"{"l":{"$elemMatch":{"id":{\#(clause)}}}}"#).isEmpty)
        }
    }

    @Test("a service logs what may be a mistake, with its place; a unit is one that the document uses")
    func documents() throws {
        func warnings(_ more: String) throws -> [String] {
            let text = """
                {"$schema":"http://iglucentral.com/schemas/com.snowplowanalytics.mobile/remote_config/jsonschema/1-0-1",
                "configurationVersion":1,"configurationBundle":[],\(more)}
                """
            return try Document(Array(text.utf8)).warnings.map { "\($0.place): \($0.reason)" }
        }
        func rule(_ more: String) -> String { #""features":{"f":{"rules":[{"id":"r","enabled":true,\#(more)}]}}"# }
        let reason = #"the id of a unit is a text and equals no number; write "17" in the place of 17"#
        #expect(
            try warnings(rule(#""condition":{"$or":[]}"#))
                == ["features.f.rules[0].condition.$or: an empty list holds for everything"])
        #expect(
            try warnings(#""segments":{"staff":[17]},"# + rule(#""condition":{"userId":{"$inGroup":"staff"}}"#))
                == ["features.f.rules[0].condition.userId.$inGroup: \(reason)"])
        let device = #""condition":{"device":{"$in":[17]}}"#
        #expect(try warnings(rule(device)).isEmpty)
        #expect(
            try warnings(rule(#""unit":"device","coverage":0.5,\#(device)"#))
                == ["features.f.rules[0].condition.device.$in: \(reason)"])
        let experiment = #"{"id":"e","unit":"device","variants":[{"name":"a"}],\#(device)}"#
        #expect(
            try warnings(#""experiments":[\#(experiment)]"#) == ["experiments[0].condition.device.$in: \(reason)"])
    }

    @Test("a number beyond 64 bits, of which only the first digits are known, equals nothing")
    func inexactNumbers() throws {
        let number = "18446744073709551615"
        for (condition, path) in [
            (#"{"a":\#(number)}"#, ".a"), (#"{"a":{"$ne":\#(number)}}"#, ".a.$ne"),
            (#"{"a":{"$nin":[1,\#(number)]}}"#, ".a.$nin[1]"),
        ] {
            let condition = try Condition(text: condition)
            let reason = "the number is beyond 64 bits and would equal others; write it as a text"
            #expect(condition.problems == [Condition.Problem(path: path, reason: reason, isFatal: true)])
            #expect(try !condition.matches(JSONObject(text: #"{"a":18446744073709551614}"#)))
        }
        #expect(try Condition.matches(#"{"a":{"$lt":1e30}}"#, #"{"a":\#(number)}"#))
    }

    @Test("all problems are reported in the order of the condition")
    func several() throws {
        let condition = try Condition(text: #"{"a":{"$x":1},"b":{"$inGroup":"s"},"c":{"$in":1}}"#)
        #expect(condition.problems.map(\.path) == [".a.$x", ".b.$inGroup", ".c.$in"])
    }

    @Test("the first 100 problems are kept, each with a place of at most 300 characters")
    func bounds() {
        var value: JSONValue = .object(JSONObject((0..<1000).map { ("$unknown\($0)", JSONValue.int($0)) }))
        let name = String(repeating: "n", count: 60)
        for _ in 0..<60 { value = ["$elemMatch": [name: value]] }
        let condition = Condition(["a": value])
        #expect(condition.problems.count == 100)
        #expect(condition.problems.allSatisfy { $0.path.hasPrefix(".a.$elemMatch.n") && $0.path.hasSuffix("…") })
        #expect(condition.problems.allSatisfy { $0.path.unicodeScalars.count == 301 })
    }

    @Test("a fatal problem counts, and is reported, however many others come before it")
    func lateFatal() {
        let others = (0..<150).map { JSONValue.object(["a": ["$notInGroup": .string("s-\($0)")]]) }
        #expect(Condition(["$and": .array(others)]).problems.count == 100)
        let last: JSONValue = ["a": ["$regx": "x"]]
        let condition = Condition(["$and": .array(others + [last, last])])
        #expect(condition.problems.count == 101)
        #expect(condition.problems.last?.path == ".$and[150].a.$regx")
        #expect(condition.problems.filter(\.isFatal).count == 1)
        #expect(!condition.matches(["a": 1]))
        #expect(!Condition(["$not": .object(condition.json)]).matches(["a": 1]))
    }

    @Test("a condition of code that is nested too deeply matches nothing and does not exhaust the stack")
    func depth() {
        var (value, object) = (JSONValue.string("x"), JSONObject())
        for _ in 0..<1000 {
            value = ["$not": value]
            object = ["$not": .object(object)]
        }
        for condition in [
            Condition(["a": value]), Condition(object), Condition(["a": ["$elemMatch": .object(object)]]),
        ] {
            #expect(condition.problems.map(\.reason) == ["nested deeper than 128 levels"])
            #expect(!condition.matches(["a": ["x"]]))
        }
    }

    @Test("an attribute that is nested without bounds is converted to text within bounds")
    func deepAttribute() {
        var value = JSONValue.string("x")
        for _ in 0..<1000 { value = [value] }
        #expect(!Condition(["a": "x"]).matches(["a": value]))
        #expect(!Condition(["a": ["$regex": "x"]]).matches(["a": value]))
    }

    @Test("a search that takes too many steps holds for neither $regex nor $notRegex")
    func tooManySteps() {
        let text = JSONValue.string(String(repeating: "a", count: 200_000))
        for name in ["$regex", "$notRegex"] {
            let condition = Condition(["a": [name: "(a|a|a|a|a|a|a|a)*b"]])
            #expect(condition.problems.isEmpty)
            #expect(!condition.matches(["a": text]))
        }
    }
}
