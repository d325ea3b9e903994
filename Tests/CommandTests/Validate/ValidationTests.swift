import TestSupport
import Testing
import TrackerConfig

@testable import DocumentTools
@testable import tracker_config

@Suite("What validate says of a document")
struct ValidationTests {
    private static func validation(_ features: String, experiments: String = "[]") throws -> Validation {
        let text = """
            {"$schema":"iglu:com.snowplowanalytics.mobile/remote_config/jsonschema/1-0-1",
            "configurationVersion":1,"configurationBundle":[],"features":\(features),"experiments":\(experiments)}
            """
        return try Validation(Array(text.utf8), named: "a.json")
    }

    @Test(
        "weights of any sum are right, and have no warning",
        arguments: [[1, 1, 1], [1, 2], [0.5, 0.5], [50, 50], [0, 7], [1e300, 1e300]])
    func weights(weights: [Double]) throws {
        let variants = weights.enumerated().map { #"{"name":"v\#($0)","weight":\#(JSONValue(shortest: $1))}"# }
        let validation = try Self.validation(
            "{}", experiments: #"[{"id":"e","variants":[\#(variants.joined(separator: ","))]}]"#)
        #expect(validation.errors.isEmpty && validation.warnings.isEmpty)
    }

    private static let all = #"{"id":"all","enabled":true,"values":{"v":1}}"#

    @Test(
        "a rule that earlier rules for all contexts leave nothing to set is warned of",
        arguments: [
            (#"{"id":"staff","condition":{"email":"e"},"enabled":false}"#, true),
            (#"{"id":"staff","coverage":0.5,"values":{"v":2}}"#, true),
            (#"{"id":"staff","enabled":false,"values":{"v":2}}"#, true),
            (#"{"id":"staff","enabled":false,"values":{"w":2}}"#, false),
            (
                #"{"id":"staff","condition":{"email":"e"},"prerequisites":{"feature":"g","gate":true},"enabled":true}"#,
                false
            ),
        ])
    func unreachableRules(second: String, isWarned: Bool) throws {
        func warnings(_ rules: String) throws -> [Finding] {
            let validation = try Self.validation(
                #"{"f":{"variables":{"v":{"value":0},"w":{"value":0}},"rules":[\#(rules)]},"g":{"enabled":true}}"#)
            #expect(validation.errors.isEmpty)
            return validation.warnings
        }
        let found = try warnings("\(Self.all),\(second)")
        #expect(found.map(\.place) == (isWarned ? ["features.f.rules[1]"] : []))
        let reason = "the rule has no effect: 'all' before it applies to all contexts and sets the same"
        #expect(found.allSatisfy { $0.reason == reason })
        // The usual order: the rule for all is the last one.
        #expect(try warnings("\(second),\(Self.all)").filter { $0.place == "features.f.rules[0]" }.isEmpty)
    }

    @Test(
        "a rule with a condition, a share, a time or a value of another type leaves something to later rules",
        arguments: [
            #""condition":{"plan":"pro"}"#, #""coverage":0.99"#, #""start":"2090-01-01T00:00:00Z""#,
            #""prerequisites":{"feature":"g"}"#, #""filters":[{"seed":"s","ranges":[[0,1]]}]"#,
        ])
    func reachableRules(part: String) throws {
        let rules = #"{"id":"a","values":{"v":1},\#(part)},{"id":"b","values":{"v":2}}"#
        let features = #"{"f":{"variables":{"v":{"value":0}},"rules":[\#(rules)]},"g":{"enabled":true}}"#
        #expect(try Self.validation(features).warnings.isEmpty)
        let other = #"{"id":"a","values":{"v":"text"}},{"id":"b","values":{"v":2}}"#
        let warnings = try Self.validation(#"{"f":{"variables":{"v":{"value":0}},"rules":[\#(other)]}}"#).warnings
        #expect(!warnings.contains { $0.reason.contains("has no effect") })
    }

    @Test("an epoch after which there is no other is an error, and an unusually high one is a warning")
    func epochs() throws {
        func validation(_ epoch: Int) throws -> Validation {
            let text = """
                {"$schema":"iglu:com.snowplowanalytics.mobile/remote_config/jsonschema/1-0-1",
                "configurationVersion":1,"versionEpoch":\(epoch),"configurationBundle":[]}
                """
            return try Validation(Array(text.utf8), named: "a.json")
        }
        #expect(try validation(2_147_483_647).errors.map(\.place) == ["versionEpoch"])
        #expect(try validation(2_147_483_646).errors.isEmpty)
        #expect(try validation(1001).warnings.map(\.place) == ["versionEpoch"])
        #expect(try validation(3).warnings.isEmpty)
    }

    @Test(
        "features whose reads can be given up are warned of, also if the work is in their prerequisites or experiments")
    func readCost() throws {
        func rules(_ count: Int, _ pattern: String) -> String {
            (0..<count).map {
                #"{"id":"r\#($0)","condition":{"a":{"$regex":"\#(pattern)"}},"enabled":true}"#
            }.joined(separator: ",")
        }
        let costly = try Self.validation(
            """
            {"usual":{"rules":[\(rules(1000, "x[0-9]+y"))]},"literal":{"rules":[\(rules(9000, "xy"))]},
            "costly":{"rules":[\(rules(2000, "x[0-9]+y"))]},
            "waiting":{"rules":[{"id":"r","prerequisites":{"feature":"costly"},"enabled":true}]}}
            """)
        #expect(costly.errors.isEmpty)
        #expect(costly.warnings.map(\.place) == ["features.costly", "features.waiting"])
        #expect(costly.warnings.first?.reason.contains("takes about 6") == true)
        let experiments = (0..<10_000).map {
            #"{"id":"e\#($0)","variants":[{"name":"a","values":{"f":{"v":1}}}]}"#
        }.joined(separator: ",")
        // The longest ids that are hashed are no burden.
        let many = try Self.validation(#"{"f":{"enabled":true}}"#, experiments: "[\(experiments)]")
        #expect(!many.warnings.contains { $0.reason.contains("steps") })
    }

    @Test(
        "a collector that gets events unencrypted is warned of, unless it is on the service's own machine or in its default",
        arguments: [
            ("http://c.example", true), ("HTTP://c.example:8080/path", true), ("http://10.0.0.7", true),
            ("https://c.example", false), ("c.example", false), ("http://localhost:8080", false),
            ("http://127.0.0.1:8080", false), ("http://[::1]:8080", false),
        ])
    func unencrypted(endpoint: String, isWarnedOf: Bool) throws {
        let text = """
            {"$schema":"iglu:com.snowplowanalytics.mobile/remote_config/jsonschema/1-0-1","configurationVersion":1,
            "configurationBundle":[{"namespace":"a","networkConfiguration":{"endpoint":"https://c.example"}},
            {"namespace":"b","networkConfiguration":{"endpoint":"\(endpoint)"}}]}
            """
        let validation = try Validation(Array(text.utf8), named: "a.json")
        #expect(validation.errors.isEmpty)
        #expect(
            validation.warnings.map(\.place)
                == (isWarnedOf ? ["configurationBundle[1].networkConfiguration.endpoint"] : []))
        #expect(validation.warnings.allSatisfy { $0.reason.contains("gets events unencrypted") })
        #expect(try Validation(Array(text.utf8), named: "a.json", purpose: .default).warnings.isEmpty)
    }

    @Test("a fault at a key with a line break is said once")
    func lineBreak() throws {
        let errors = try Self.validation(#"{"a\nb":7}"#).errors.map(\.sentence)
        #expect(errors == [#"features.a\nb: expected an object, found a number"#])
        let name = String(repeating: "n", count: 400)
        #expect(try Self.validation(#"{"\#(name)":7}"#).errors.count == 1)
    }

    @Test("an encrypted value that is no string is said once, at the value")
    func encrypted() throws {
        let validation = try Self.validation(#"{"f":{"variables":{"v":{"value":3,"encrypted":true}}}}"#)
        #expect(
            validation.errors.map(\.sentence) == ["features.f.variables.v.value: expected a string, found a number"])
        // Nothing else says what is wrong with the second one.
        let two = try Self.validation(
            #"{"e":7,"f":{"variables":{"v":{"value":3,"encrypted":true}}}}"#)
        #expect(two.errors.map(\.place) == ["features.e", "features.f.variables.v"])
    }

    @Test("values that the accessors of a file cannot read are errors with their places; what is missing are warnings")
    func against() throws {
        let expected = try ExpectedFeatures(
            Array(
                """
                {"features":{"shipping":{"enabled":false,"variables":{"days":{"value":3},"fee":{"value":1.5},
                "zones":{"value":["a"]},"key":{"value":"c2VjcmV0","encrypted":true},"note":{"value":"x"},"any":{"value":[]}}},
                "gone":{"enabled":true},"empty":{}}}
                """.utf8), named: "Settings.features.json")
        let text = """
            {"$schema":"iglu:com.snowplowanalytics.mobile/remote_config/jsonschema/1-0-1",
            "configurationVersion":1,"configurationBundle":[],
            "features":{"shipping":{"variables":{
            "days":{"value":"three"},
            "fee":{"value":2},
            "zones":{"value":["a",1]},
            "key":{"value":"c2VjcmV0","encrypted":true},
            "any":{"value":[1,"a"]}},
            "rules":[{"id":"r","condition":{"a":1},
            "values":{"days":true}}]}},
            "experiments":[{"id":"e","variants":[{"name":"a"},{"name":"b","values":{"shipping":{
            "days":2.5}}}]}]}
            """
        let validation = try Validation(Array(text.utf8), named: "a.json", against: expected)
        let reader = "and the accessors of Settings.features.json read it as"
        #expect(
            validation.errors.map { $0.line("a.json", "error") } == [
                "a.json:4:17: error: features.shipping.variables.days.value: expected an integer, found a string, "
                    + "\(reader) Int",
                "a.json:6:18: error: features.shipping.variables.zones.value: expected a list, each element a string, "
                    + "found a list of mixed types, \(reader) [String]",
                "a.json:10:18: error: features.shipping.rules[0].values.days: expected an integer, found a boolean, "
                    + "\(reader) Int",
                "a.json:12:8: error: experiments[0].variants[1].values.shipping.days: expected an integer, found a number, "
                    + "\(reader) Int",
            ])
        let rest = "so the default document or the code decides it"
        let missing = validation.warnings.filter { $0.judge == .accessors }
        #expect(
            missing.map { $0.line("a.json", "warning") } == [
                "a.json:3:24: warning: features.shipping.variables.note: missing; "
                    + "Settings.features.json has this variable, \(rest)",
                "a.json:3:12: warning: features.gone: missing; Settings.features.json has this feature, \(rest)",
            ])
        let alone = try Validation(Array(text.utf8), named: "a.json")
        #expect(!(alone.errors + alone.warnings).contains { $0.judge == .accessors })
    }

    @Test("names for which generate has no accessors are warnings with their places")
    func accessors() throws {
        let validation = try Self.validation(
            """
            {"f":{"variables":{"retryLimit":{"value":1},"retry-limit":{"value":1},"a":{"value":1,"generatedName":"1 a-b"}}},
            "g":{"variables":{"retryLimit":{"value":1}}}}
            """)
        #expect(validation.errors.isEmpty)
        #expect(
            validation.warnings.map { $0.line("a.json", "warning") } == [
                "a.json:2:106: warning: features.f.variables.retry-limit: generate refuses this: the property "
                    + "'retryLimit' already exists, for features.f.variables.retryLimit; "
                    + "give it a generatedName of its own",
                "a.json:2:132: warning: features.f.variables.a: generate refuses this: no property can be named "
                    + "'1 a-b': a name has letters, digits and _, no digit first",
            ])
    }

    @Test("an unknown key has the key that was probably meant")
    func unknownKeys() throws {
        let validation = try Self.validation(
            #"{"f":{"varibles":{},"colour":1,"variables":{"v":{"value":1,"titel":"t"}}}}"#)
        #expect(
            Set(validation.warnings.map(\.sentence)) == [
                "features.f.varibles: an unknown key, ignored", "features.f.colour: an unknown key, ignored",
                "features.f.variables.v.titel: an unknown key, ignored; did you mean 'title'?",
            ])
        let experiment = #"[{"id":"e","stiky":true,"variants":[{"name":"a"}]}]"#
        let warnings = try Self.validation("{}", experiments: experiment).warnings.map(\.sentence)
        #expect(warnings.contains { $0.hasPrefix("experiments[0].stiky: ") && $0.hasSuffix("did you mean 'sticky'?") })
    }

    @Test("a required key with null is said to be null, at the null")
    func null() throws {
        let errors = try Self.validation(#"{"f":{"variables":{"v":{"value":null}}}}"#).errors
        #expect(
            errors.map { $0.line("a.json", "error") } == [
                "a.json:2:94: error: features.f.variables.v: required key 'value' is null"
            ])
        let missing = try Self.validation(#"{"f":{"variables":{"v":{}}}}"#).errors
        #expect(missing.map(\.sentence) == ["features.f.variables.v: required key 'value' is missing"])
    }

    @Test("a file that is empty or no JSON is said to be so")
    func noDocument() throws {
        for (text, sentence) in [
            ("", "a.json:1:1: error: the file is empty"), ("<html>", "a.json:1:1: error: this is HTML, not JSON"),
        ] {
            let errors = try Validation(Array(text.utf8), named: "a.json").errors
            #expect(errors.map { $0.line("a.json", "error") } == [sentence])
        }
    }

    @Test("a misspelled required key is named once, with its place")
    func misspelled() throws {
        let text = """
            {"$schema":"iglu:com.snowplowanalytics.mobile/remote_config/jsonschema/1-0-1","configurationVersion":1,
              "configurationBundles":[]}
            """
        let errors = try Validation(Array(text.utf8), named: "a.json").errors
        #expect(
            errors.map { $0.line("a.json", "error") } == [
                "a.json:1:1: error: required key 'configurationBundle' is missing; is 'configurationBundles' (2:3) a typo?"
            ])
    }

    @Test("annotations of GitHub are escaped as it demands")
    func annotations() throws {
        let text = """
            {"$schema":"iglu:com.snowplowanalytics.mobile/remote_config/jsonschema/1-0-1",
            "configurationVersion":1,"configurationBundle":[],"a%,b":7,
            "meta":7}
            """
        let annotations = try Validation(Array(text.utf8), named: "a:b,c%.json").annotations
        let start = "::error file=a%3Ab%2Cc%25.json,line=3,col=8,title=tracker-config::meta: "
        #expect(annotations.contains { $0.hasPrefix(start) })
        #expect(annotations.contains { $0.hasSuffix("::a%25,b: an unknown key, ignored") })
    }

    @Test("a SARIF log has each finding with its place, and files that could not be read")
    func sarif() throws {
        let validation = try Self.validation(#"{"f":7}"#)
        let log = SARIFLog([validation], failures: ["b.json: No such file or directory"]).json
        let run = try #require(log["runs"]?.array?.first)
        #expect(log["version"] == "2.1.0")
        #expect(run["invocations"]?.array?.first?["executionSuccessful"] == false)
        let result = try #require(run["results"]?.array?.first)
        #expect(result["level"] == "error" && result["ruleId"] == "decoder")
        let location = result["locations"]?.array?.first?["physicalLocation"]
        #expect(location?["artifactLocation"]?["uri"] == "a.json")
        #expect(location?["region"] == ["startLine": 2, "startColumn": 67])
        let odd = SARIFLog([try Validation([], named: "a b:c.json")], failures: []).json
        let artifact = odd["runs"]?.array?.first?["results"]?.array?.first?["locations"]?.array?.first
        #expect(artifact?["physicalLocation"]?["artifactLocation"]?["uri"] == "a%20b%3Ac.json")
    }

    @Test(
        "a sampling that the SDK leaves unset is a warning",
        arguments: [
            (#"{"rate":1.5}"#, "the rate 1.5 is outside 0…1; the setting stays unset"),
            (#"{"rate":-1}"#, "the rate -1.0 is outside 0…1; the setting stays unset"),
            (#"{"rate":0.5,"by":"device"}"#, "'device' is none of event, user, trace; the setting stays unset"),
        ])
    func unusedSampling(sampling: String, reason: String) throws {
        let text = """
            {"$schema":"iglu:com.snowplowanalytics.mobile/remote_config/jsonschema/1-0-1","configurationVersion":1,
            "configurationBundle":[{"namespace":"a","trackerConfiguration":{"sampling":\(sampling)}}]}
            """
        let validation = try Validation(Array(text.utf8), named: "a.json")
        #expect(validation.errors.isEmpty)
        let place = "configurationBundle[0].trackerConfiguration.sampling"
        #expect(validation.warnings.map(\.sentence) == ["\(place): \(reason)"])
    }

    @Test("an integer beyond 64 bits is no error")
    func largeInteger() throws {
        let validation = try Self.validation(#"{"f":{"variables":{"v":{"value":18446744073709551615}}}}"#)
        #expect(validation.errors.isEmpty && validation.warnings.isEmpty)
    }

    @Test(
        "an id under which the store keeps a bucketVersion of another sticky experiment is a warning",
        arguments: [
            ("x__1", true, true), ("x__1000", true, true), ("x__1001", true, false), ("x__0", true, false),
            ("x__01", true, false), ("x_1", true, false), ("y__1", true, false), ("x__1", false, false),
        ])
    func sharedKey(id: String, isSticky: Bool, isWarned: Bool) throws {
        let variants = #""variants":[{"name":"a"}]"#
        let validation = try Self.validation(
            "{}",
            experiments: """
                [{"id":"x","sticky":true,\(variants)},{"id":"\(id)","sticky":\(isSticky),\(variants)}]
                """)
        #expect(validation.errors.isEmpty)
        #expect(validation.warnings.map(\.place) == (isWarned ? ["experiments[1].id"] : []))
    }
}
