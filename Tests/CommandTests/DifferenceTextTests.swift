import Testing
import TrackerCommandLine
import TrackerConfig
import TrackerCore

@testable import DocumentTools
@testable import tracker_config

@Suite("A difference for people")
struct DifferenceTextTests {
    private func document(_ version: Int, _ variable: String) throws -> Document {
        let text = """
            {"$schema":"iglu:com.snowplowanalytics.mobile/remote_config/jsonschema/1-0-1",
            "configurationVersion":\(version),"configurationBundle":[],"features":{"f":{"variables":{"v":\(variable)}}}}
            """
        return try Document(Array(text.utf8))
    }

    @Test("compares the features in effect: what leaves the document returns to the default")
    func returns() throws {
        func document(_ version: Int, _ features: String) throws -> Document {
            try Document(
                Array(
                    """
                    {"$schema":"iglu:com.snowplowanalytics.mobile/remote_config/jsonschema/1-0-1",
                    "configurationVersion":\(version),"configurationBundle":[],"features":\(features)}
                    """.utf8), purpose: .default)
        }
        let staff = #"{"id":"staff","condition":{"staff":true},"enabled":true}"#
        let defaults = try document(
            0,
            """
            {"newCheckout":{"enabled":false,"rules":[\(staff)]},"banner":{"enabled":true},"search":{"variables":{
            "size":{"value":10},"mode":{"value":"a"}}}}
            """)
        let old = try document(
            1,
            """
            {"newCheckout":{"enabled":true,"rules":[\(staff)]},"beta":{"enabled":true},"search":{"variables":{
            "size":{"value":20},"mode":{"value":"a"}}}}
            """)
        let new = try document(2, #"{"banner":{"enabled":true},"search":{"variables":{}}}"#)
        func lines(_ difference: ConfigurationDifference) -> [String] {
            DifferenceText(difference, TextStyle(isColoured: false)).lines
        }
        let difference = ConfigurationDifference(from: old, to: new, default: DefaultConfiguration(defaults))
        #expect(
            Array(lines(difference).dropFirst()) == [
                "features", #"  - "beta""#, #"  = "newCheckout" returns to the default: enabled false, rules "staff""#,
                #"  ~ "search""#, "      ~ size: 20 → 10", #"  ~ "newCheckout""#, "      enabled: true → false",
                "      cannot count affected units: the default has rules for this feature too",
            ])
        #expect(
            difference.json["returnedFeatures"] == [["name": "newCheckout", "enabled": false, "rules": ["staff"]]])
        #expect(difference.json["features"]?["removed"] == ["beta"])
        #expect(difference.json["features"]?["added"] == [])
        // Without a default all of it is gone.
        let alone = ConfigurationDifference(from: old, to: new)
        #expect(alone.json["features"]?["removed"] == ["newCheckout", "beta"])
        #expect(alone.json["returnedFeatures"] == [])
    }

    @Test("tells both moments of a schedule, and what has not begun or is over")
    func schedules() throws {
        func document(_ version: Int, _ times: (String, String, String), _ rollout: String) throws -> Document {
            let rule = #"{"id":"r","enabled":true,"start":"\#(times.0)"}"#
            let text = """
                {"$schema":"iglu:com.snowplowanalytics.mobile/remote_config/jsonschema/1-0-1",
                "configurationVersion":\(version),"configurationBundle":[],"rollout":{"percent":100,"start":"\(rollout)"},
                "features":{"f":{"enabled":false,"rules":[\(rule)]},"g":{"enabled":true,"end":"\(times.1)"}},
                "experiments":[{"id":"e","end":"\(times.2)","variants":[{"name":"a"}]}]}
                """
            return try Document(Array(text.utf8))
        }
        let difference = try ConfigurationDifference(
            from: document(
                1, ("2026-12-01T00:00:00Z", "2026-12-02T00:00:00Z", "2026-12-03T00:00:00Z"), "2026-12-04T00:00:00Z"),
            to: document(
                2, ("2026-12-11T01:00:00+01:00", "2026-12-05T00:00:00Z", "2026-12-06T00:00:00Z"), "2026-12-14T00:00:00Z"
            ))
        let now = try #require(Instant("2026-12-10T00:00:00Z"))
        let lines = DifferenceText(difference, TextStyle(isColoured: false), now: now).lines
        #expect(
            lines == [
                "version 1 → 2: applied",
                "the rollout is not begun, from 2026-12-14T00:00:00Z: instances hold the document back",
                "features", #"  ~ "f""#, #"      ~ rule "r""#,
                #"          ~ start: "2026-12-01T00:00:00Z" → "2026-12-11T00:00:00Z""#,
                "          the rule is not begun, from 2026-12-11T00:00:00Z",
                "      0 % to 100 % of the users that a condition matches get another value, and no others "
                    + "(counted over all buckets)",
                #"  ~ "g""#, #"      ~ end: "2026-12-02T00:00:00Z" → "2026-12-05T00:00:00Z""#,
                "      the feature is over, until 2026-12-05T00:00:00Z", "experiments", #"  ~ "e""#,
                #"      ~ end: "2026-12-03T00:00:00Z" → "2026-12-06T00:00:00Z""#,
                "      0 % of the units get another variant (counted over all buckets)",
                "      condition, prerequisites, filters or schedule differ: units come or go besides",
                "      the experiment is over, until 2026-12-06T00:00:00Z", "rollout",
                #"  ~ start: "2026-12-04T00:00:00Z" → "2026-12-14T00:00:00Z""#,
            ], "\(lines)")
        let bounds = difference.json["features"]?["changed"]?.array?.last?["schedule"]?["changed"]
        #expect(bounds == ["end": ["old": "2026-12-02T00:00:00Z", "new": "2026-12-05T00:00:00Z"]])
    }

    @Test("tells of a variable whose property has another name, and the JSON form gives both names")
    func generatedName() throws {
        let difference = try ConfigurationDifference(
            from: document(1, #"{"value":1,"generatedName":"a"}"#), to: document(2, #"{"value":1,"generatedName":"b"}"#)
        )
        let lines = DifferenceText(difference, TextStyle(isColoured: false)).lines
        #expect(lines.contains("      ~ v: generatedName changed"))
        let json = difference.json["features"]?["changed"]?.array?.first?["variables"]?["changed"]?["v"]
        #expect(json == ["old": ["value": 1, "generatedName": "a"], "new": ["value": 1, "generatedName": "b"]])
    }

    @Test(
        "tells what becomes of the stored variants when an experiment begins or stops being sticky",
        arguments: [
            (true, false, "ended", "no longer sticky: units whose stored variant is not the hash's move besides"),
            (
                false, true, "begun",
                "sticky from now on: no variant is stored yet; a unit keeps the first that it is given"
            ),
        ])
    func stickiness(before: Bool, after: Bool, word: String, sentence: String) throws {
        func document(_ version: Int, _ isSticky: Bool) throws -> Document {
            let experiment = #"{"id":"e","sticky":\#(isSticky),"variants":[{"name":"a"},{"name":"b"}]}"#
            let text = """
                {"$schema":"iglu:com.snowplowanalytics.mobile/remote_config/jsonschema/1-0-1",
                "configurationVersion":\(version),"configurationBundle":[],"experiments":[\(experiment)]}
                """
            return try Document(Array(text.utf8))
        }
        let difference = try ConfigurationDifference(from: document(1, before), to: document(2, after))
        let lines = DifferenceText(difference, TextStyle(isColoured: false)).lines
        #expect(lines.contains { $0.hasSuffix("0 % of the units get another variant (counted over all buckets)") })
        #expect(lines.contains { $0.hasSuffix(sentence) })
        let moves = difference.json["experiments"]?["changed"]?.array?.first?["moves"]
        #expect(moves?["stickiness"] == .string(word) && moves?["keepsAssigned"] == false)
    }

    @Test("tells where the units of a removed variant go, if they are stored")
    func redrawn() throws {
        func document(
            _ version: Int, _ variants: String, isSticky: Bool = true, coverage: Int = 1
        ) throws -> Document {
            let text = """
                {"$schema":"iglu:com.snowplowanalytics.mobile/remote_config/jsonschema/1-0-1",
                "configurationVersion":\(version),"configurationBundle":[],
                "experiments":[{"id":"e","sticky":\(isSticky),"coverage":\(coverage),"variants":[\(variants)]}]}
                """
            return try Document(Array(text.utf8))
        }
        let (three, two) = (#"{"name":"a"},{"name":"b"},{"name":"c"}"#, #"{"name":"a"},{"name":"b"}"#)
        let difference = try ConfigurationDifference(from: document(1, three), to: document(2, two))
        let lines = DifferenceText(difference, TextStyle(isColoured: false)).lines
        #expect(
            lines.contains {
                $0.contains("units of removed variants are drawn anew: c → a 16.67 %, c → b 16.67 % of the units")
            })
        let redrawn = difference.json["experiments"]?["changed"]?.array?.first?["redrawn"]?.array
        #expect(redrawn?.compactMap { $0["from"]?.string } == ["c", "c"])
        #expect(redrawn?.compactMap { $0["to"]?.string } == ["a", "b"])
        for (old, new) in [(three, three), (two, three)] {
            let change = try ConfigurationDifference(from: document(1, old), to: document(2, new))
            #expect(change.experiments.changed.flatMap(\.redrawn) == [])
        }
        let loose = try ConfigurationDifference(
            from: document(1, three, isSticky: false), to: document(2, two, isSticky: false))
        #expect(loose.experiments.changed.first?.redrawn == [])
        let none = try ConfigurationDifference(from: document(1, three), to: document(2, two, coverage: 0))
        #expect(none.experiments.changed.first?.redrawn.map(\.to) == [nil])
    }
}
