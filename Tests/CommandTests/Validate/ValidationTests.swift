import DocumentTools
import TestSupport
import Testing
import TrackerConfig
import tracker_config

@Suite("What validate says of a document", .endsWhenItHangs)
struct ValidationTests {
    private static func validation(
        _ features: String = "{}", experiments: String = "[]", bundles: String = "[]", more: String = "",
        purpose: Document.Purpose = .remote
    ) throws -> Validation {
        let text = """
            {"$schema":"iglu:com.snowplowanalytics.mobile/remote_config/jsonschema/1-0-1",
            "configurationVersion":1,"configurationBundle":\(bundles),"features":\(features),"experiments":\(experiments)\(more)}
            """
        return Validation(Array(text.utf8), named: "a.json", purpose: purpose)
    }

    @Test("weights of any sum are right, as are integers beyond 64 bits, and have no warning")
    func weights() throws {
        let weights = [["1", "1", "1"], ["1", "2"], ["0.5", "0.5"], ["0", "7"], ["1e300", "1e300"]]
        let experiments = weights.enumerated().map { number, weights in
            let variants = weights.enumerated().map { #"{"name":"v\#($0)","weight":\#($1)}"# }
            return #"{"id":"e\#(number)","variants":[\#(variants.joined(separator: ","))]}"#
        }
        let validation = try Self.validation(
            #"{"f":{"variables":{"v":{"value":18446744073709551615}}}}"#,
            experiments: "[\(experiments.joined(separator: ","))]")
        #expect(validation.errors.isEmpty && validation.warnings.isEmpty)
    }

    @Test("a rule that earlier rules for all contexts leave nothing to set is warned of, and no other one")
    func unreachableRules() throws {
        let all = #"{"id":"all","enabled":true,"values":{"v":1}}"#
        let staff = #"{"id":"staff","condition":{"email":"e"},"enabled":false}"#
        func first(_ part: String) -> String { #"{"id":"all","values":{"v":1},\#(part)}"# }
        let last = #"{"id":"b","values":{"v":2}}"#
        // The rules of a feature, and whether the second one is warned of.
        let cases: [([String], Bool)] = [
            ([all, staff], true), ([all, #"{"id":"staff","coverage":0.5,"values":{"v":2}}"#], true),
            ([all, #"{"id":"staff","enabled":false,"values":{"v":2}}"#], true),
            ([all, #"{"id":"staff","enabled":false,"values":{"w":2}}"#], false),
            ([all, #"{"id":"staff","prerequisites":{"feature":"g","gate":true},"enabled":true}"#], false),
            // The usual order: the rule for all is the last one.
            ([staff, all], false), ([first(#""condition":{"plan":"pro"}"#), last], false),
            ([first(#""coverage":0.99"#), last], false), ([first(#""start":"2090-01-01T00:00:00Z""#), last], false),
            ([first(#""prerequisites":{"feature":"g"}"#), last], false),
            ([first(#""filters":[{"seed":"s","ranges":[[0,1]]}]"#), last], false),
            ([#"{"id":"all","values":{"v":"text"}}"#, last], false),
        ]
        let features = cases.enumerated().map { index, element in
            let rules = element.0.joined(separator: ",")
            return #""f\#(index)":{"variables":{"v":{"value":0},"w":{"value":0}},"rules":[\#(rules)]}"#
        }
        let validation = try Self.validation(#"{"g":{"enabled":true},\#(features.joined(separator: ","))}"#)
        #expect(validation.errors.isEmpty)
        let reason = "the rule has no effect: 'all' before it applies to all contexts and sets the same"
        #expect(
            validation.warnings.filter { $0.reason == reason }.map(\.place)
                == cases.indices.filter { cases[$0].1 }.map { "features.f\($0).rules[1]" })
        // The last feature has a value of another type.
        #expect(validation.warnings.allSatisfy { $0.reason == reason || $0.place.hasPrefix("features.f11.") })
    }

    @Test("a version that grows by more than a million is warned of", arguments: [1_000_001, 1_000_002])
    func versionJump(version: Int) throws {
        func text(_ version: Int) -> [UInt8] {
            let schema = "iglu:com.snowplowanalytics.mobile/remote_config/jsonschema/1-0-1"
            return Array(#"{"$schema":"\#(schema)","configurationVersion":\#(version),"configurationBundle":[]}"#.utf8)
        }
        let validation = Validation(
            text(version), named: "new.json", against: try ExpectedFeatures(text(1), named: "old.json"))
        #expect(validation.warnings.map(\.place) == (version > 1_000_001 ? ["configurationVersion"] : []))
    }

    @Test(
        "a collector that gets events unencrypted is warned of, unless it is on the service's own machine or in its default"
    )
    func unencrypted() throws {
        let endpoints = [
            ("http://c.example", true), ("HTTP://c.example:8080/path", true), ("http://10.0.0.7", true),
            ("https://c.example", false), ("c.example", false), ("http://localhost:8080", false),
            ("http://127.0.0.1:8080", false), ("http://[::1]:8080", false),
        ]
        let bundles = endpoints.enumerated().map {
            #"{"namespace":"n\#($0)","networkConfiguration":{"endpoint":"\#($1.0)"}}"#
        }
        let list = "[\(bundles.joined(separator: ","))]"
        let validation = try Self.validation(bundles: list)
        #expect(validation.errors.isEmpty)
        #expect(
            validation.warnings.map(\.place)
                == endpoints.indices.filter { endpoints[$0].1 }.map {
                    "configurationBundle[\($0)].networkConfiguration.endpoint"
                })
        #expect(validation.warnings.allSatisfy { $0.reason.contains("gets events unencrypted") })
        #expect(try Self.validation(bundles: list, purpose: .default).warnings.isEmpty)
    }

    @Test("a collector's URL that ends in the path which trackers add is warned of")
    func postPath() throws {
        let endpoints = ["https://c.example", "https://c.example/com.snowplowanalytics.snowplow/tp2"]
        let bundles = endpoints.map { #"{"namespace":"\#($0)","networkConfiguration":{"endpoint":"\#($0)"}}"# }
        let validation = try Self.validation(bundles: "[\(bundles.joined(separator: ","))]")
        #expect(validation.errors.isEmpty)
        #expect(validation.warnings.map(\.place) == ["configurationBundle[1].networkConfiguration.endpoint"])
        #expect(validation.warnings.first?.reason.contains("leave it out") == true)
    }

    private static let schema = "iglu:com.snowplowanalytics.mobile/remote_config/jsonschema/1-0-1"

    private static func features(_ features: String) -> String {
        #"{"$schema":"\#(schema)","configurationVersion":1,"configurationBundle":[],"features":\#(features)}"#
    }

    @Test(
        "an error is said once, with its place",
        arguments: [
            ("", "1:1: error: the file is empty"), ("<html>", "1:1: error: this is XML or HTML, not JSON"),
            (
                #"{"$schema":"\#(schema)","configurationVersion":1,"configurationBundles":[]}"#,
                "1:1: error: required key 'configurationBundle' is missing; is 'configurationBundles' (1:104) a typo?"
            ),
            (
                features(#"{"f":{"variables":{"v":{"value":null}}}}"#),
                "1:172: error: features.f.variables.v.value: required key 'value' is null"
            ),
            (
                features(#"{"f":{"variables":{"v":{}}}}"#),
                "1:163: error: features.f.variables.v: required key 'value' is missing"
            ),
        ])
    func errors(text: String, line: String) throws {
        let errors = Validation(Array(text.utf8), named: "a.json").errors
        #expect(errors.map { $0.line("a.json", "error") } == ["a.json:\(line)"])
    }

    @Test("a fault is said once, also at a key with a line break, at a long key, and of an encrypted number")
    func once() throws {
        let lineBreak = try Self.validation(#"{"a\nb":7}"#).errors.map(\.sentence)
        #expect(lineBreak == [#"features.a\nb: expected an object, found a number"#])
        let name = String(repeating: "n", count: 400)
        #expect(try Self.validation(#"{"\#(name)":7}"#).errors.count == 1)
        let encrypted = #""f":{"variables":{"v":{"value":3,"encrypted":true}}}"#
        let sentences = try Self.validation("{\(encrypted)}").errors.map(\.sentence)
        #expect(sentences == ["features.f.variables.v.value: expected a string, found a number"])
    }

    @Test("all errors are said: of each bundle, setting, feature, variable and experiment, and of the document itself")
    func allErrors() throws {
        let text = """
            {"$schema":"x","configurationVersion":-1,"meta":7,"rollout":{},"configurationBundle":[
            {"namespace":"a","networkConfiguration":{"endpoint":7,"method":8},"subjectConfiguration":{"userId":1}},7,{}],
            "segments":{"s":7,"t":8},"features":{"e":7,"f":{"enabled":1,"disabled":2,"rules":[
            {"id":"r","coverage":60},{"id":"s","coverage":50}]},"g":{"variables":{"v":{},"w":{"value":1,"title":2}}}},
            "experiments":[{"id":"x","variants":[]},{"variants":7},{"id":"y","variants":[7,{"name":"a","weight":0},{}]}]}
            """
        let errors = Validation(Array(text.utf8), named: "a.json").errors
        #expect(
            errors.map(\.place) == [
                "$schema", "configurationVersion", "meta", "rollout",
                "configurationBundle[0].networkConfiguration.endpoint",
                "configurationBundle[0].networkConfiguration.method",
                "configurationBundle[0].subjectConfiguration.userId",
                "configurationBundle[1]", "configurationBundle[2]", "segments.s", "segments.t", "features.e",
                "features.f.enabled", "features.f.disabled", "features.f.rules[0].coverage",
                "features.f.rules[1].coverage", "features.g.variables.v", "features.g.variables.w.title",
                "experiments[0].variants", "experiments[1]", "experiments[2].variants[0]", "experiments[2].variants[2]",
            ])
        // A service has the first one.
        #expect(throws: ConfigurationError.self) { try Document(Array(text.utf8)) }
        let many = (0..<1000).map { #""f\#($0)":7"# }.joined(separator: ",")
        let found = try Self.validation("{\(many)}").errors
        #expect(found.count == 101 && found.last?.reason == "there are more errors, which are left out")
    }

    @Test("what can come from an error is no finding of its own")
    func followUps() throws {
        func findings(_ parts: String) -> [String] {
            let start = #"{"$schema":"\#(Self.schema)","configurationVersion":1,"configurationBundle":[],"#
            let validation = Validation(Array((start + parts + "}").utf8), named: "a.json")
            return (validation.errors + validation.warnings).map(\.place)
        }
        let rule = #""features":{"f":{"rules":[{"id":"r","condition":{"u":{"$inGroup":"ok"}},"enabled":true}]}}"#
        #expect(findings(#""segments":{"bad":7,"ok":["u"]},\#(rule)"#) == ["segments.bad"])
        #expect(findings(#""segments":[],\#(rule)"#) == ["segments"])
        let named = #""features":{"f":{"rules":[{"id":"r","experiment":"e"}]}}"#
        #expect(findings(#""experiments":[{"id":"e","variants":7}],\#(named)"#) == ["experiments[0].variants"])
        // What this version of the SDK does not know is not judged by it.
        #expect(findings(#""requires":["telepathy"],"telepathy":1,"features":{"f":{"enabled":1}}"#) == ["requires[0]"])
        let twice = #"{"namespace":"a","trackerConfiguration":{"base64encoding":true,"base64Encoding":7}}"#
        let bundles = try Self.validation(bundles: "[\(twice)]").errors
        #expect(bundles.count == 1)
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
        let validation = Validation(Array(text.utf8), named: "a.json", against: expected)
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
        let missing = validation.warnings.filter { $0.reason.hasPrefix("missing; Settings") }
        #expect(
            missing.map { $0.line("a.json", "warning") } == [
                "a.json:3:24: warning: features.shipping.variables.note: missing; "
                    + "Settings.features.json has this variable, \(rest)",
                "a.json:3:12: warning: features.gone: missing; Settings.features.json has this feature, \(rest)",
            ])
        let alone = Validation(Array(text.utf8), named: "a.json")
        #expect(alone.errors.isEmpty && !alone.warnings.contains { $0.reason.contains("Settings") })
    }

    @Test("names for which there are no accessors are warnings with their places")
    func accessors() throws {
        let validation = try Self.validation(
            """
            {"f":{"variables":{"retryLimit":{"value":1},"retry-limit":{"value":1},"a":{"value":1,"generatedName":"1 a-b"}}},
            "g":{"variables":{"retryLimit":{"value":1}}}}
            """)
        #expect(validation.errors.isEmpty)
        #expect(
            validation.warnings.map { $0.line("a.json", "warning") } == [
                "a.json:2:106: warning: features.f.variables.retry-limit: accessors cannot be generated: the property "
                    + "'retryLimit' already exists, for features.f.variables.retryLimit; "
                    + "give it a generatedName of its own",
                "a.json:2:132: warning: features.f.variables.a: accessors cannot be generated: no property can be named "
                    + "'1 a-b': a name has letters, digits and _, no digit first",
            ])
    }

    @Test("an unknown key has the key that was probably meant")
    func unknownKeys() throws {
        let validation = try Self.validation(
            #"{"f":{"varibles":{},"colour":1,"variables":{"v":{"value":1,"titel":"t"}}}}"#,
            experiments: #"[{"id":"e","stiky":true,"variants":[{"name":"a"}]}]"#)
        let warnings = validation.warnings.map(\.sentence)
        #expect(
            Set(warnings.filter { $0.hasPrefix("features.") }) == [
                "features.f.varibles: an unknown key, ignored; did you mean 'variables'?",
                "features.f.colour: an unknown key, ignored",
                "features.f.variables.v.titel: an unknown key, ignored; did you mean 'title'?",
            ])
        #expect(warnings.contains { $0.hasPrefix("experiments[0].stiky: ") && $0.hasSuffix("did you mean 'sticky'?") })
    }

    @Test("annotations of GitHub are escaped as it demands")
    func annotations() throws {
        let text = """
            {"$schema":"iglu:com.snowplowanalytics.mobile/remote_config/jsonschema/1-0-1",
            "configurationVersion":1,"configurationBundle":[],"a%,b":7,
            "meta":7}
            """
        let annotations = Validation(Array(text.utf8), named: "a:b,c%.json").annotations
        let start = "::error file=a%3Ab%2Cc%25.json,line=3,col=8,title=tracker-config::meta: "
        #expect(annotations.contains { $0.hasPrefix(start) })
        #expect(annotations.contains { $0.hasSuffix("::a%25,b: an unknown key, ignored") })
    }

    @Test("a sampling that the SDK leaves unset is a warning")
    func unusedSampling() throws {
        let samplings = [
            (#"{"rate":1.5}"#, "the rate 1.5 is outside 0…1; the setting stays unset"),
            (#"{"rate":-1}"#, "the rate -1.0 is outside 0…1; the setting stays unset"),
            (#"{"rate":0.5,"by":"device"}"#, "'device' is none of event, user, trace; the setting stays unset"),
        ]
        let bundles = samplings.enumerated().map {
            #"{"namespace":"n\#($0)","trackerConfiguration":{"sampling":\#($1.0)}}"#
        }
        let validation = try Self.validation(bundles: "[\(bundles.joined(separator: ","))]")
        #expect(validation.errors.isEmpty)
        #expect(
            validation.warnings.map(\.sentence)
                == samplings.enumerated().map { "configurationBundle[\($0)].trackerConfiguration.sampling: \($1.1)" })
    }
}
