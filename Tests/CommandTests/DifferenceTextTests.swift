import TestSupport
import Testing
import TrackerCommandLine
import TrackerConfig
import TrackerCore

@testable import DocumentTools
@testable import tracker_config

@Suite("A difference for people", .endsWhenItHangs)
struct DifferenceTextTests {
    private func document(
        _ version: Int, _ members: String, purpose: Document.Purpose = .remote
    ) throws -> Document {
        let text = """
            {"$schema":"iglu:com.snowplowanalytics.mobile/remote_config/jsonschema/1-0-1",
            "configurationVersion":\(version),"configurationBundle":[],\(members)}
            """
        return try Document(Array(text.utf8), purpose: purpose)
    }

    private func lines(
        _ difference: ConfigurationDifference, now: Instant = Instant(milliseconds: 0)
    ) -> [String] {
        DifferenceText(difference, TextStyle(isColoured: false), now: now).lines
    }

    @Test("compares the features in effect: what leaves the document returns to the default")
    func returns() throws {
        let staff = #"{"id":"staff","condition":{"staff":true},"enabled":true}"#
        let defaults = try document(
            0,
            """
            "features":{"newCheckout":{"enabled":false,"rules":[\(staff)]},"banner":{"enabled":true},"search":{"variables":{
            "size":{"value":10},"mode":{"value":"a"}}}}
            """, purpose: .default)
        let old = try document(
            1,
            """
            "features":{"newCheckout":{"enabled":true,"rules":[\(staff)]},"beta":{"enabled":true},"search":{"variables":{
            "size":{"value":20},"mode":{"value":"a"}}}}
            """)
        let new = try document(2, #""features":{"banner":{"enabled":true},"search":{"variables":{}}}"#)
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
        func scheduled(
            _ version: Int, _ rule: String, _ experiment: String
        ) throws -> Document {
            try document(
                version,
                """
                "features":{
                "f":{"enabled":false,"rules":[{"id":"r","enabled":true,"start":"\(rule)"}]}},
                "experiments":[{"id":"e","end":"\(experiment)T00:00:00Z","variants":[{"name":"a"}]}]
                """)
        }
        let difference = try ConfigurationDifference(
            from: scheduled(1, "2026-12-01T00:00:00Z", "2026-12-03"),
            to: scheduled(2, "2026-12-11T01:00:00+01:00", "2026-12-06"))
        let now = try #require(Instant("2026-12-10T00:00:00Z"))
        #expect(
            lines(difference, now: now) == [
                "version 1 → 2: applied",
                "features", #"  ~ "f""#, #"      ~ rule "r""#,
                #"          ~ start: "2026-12-01T00:00:00Z" → "2026-12-11T00:00:00Z""#,
                "          the rule is not begun, from 2026-12-11T00:00:00Z",
                "      0 % to 100 % of the users that a condition matches get another value, and no others "
                    + "(counted over all buckets)",
                "experiments", #"  ~ "e""#,
                #"      ~ end: "2026-12-03T00:00:00Z" → "2026-12-06T00:00:00Z""#,
                "      0 % of the units get another variant (counted over all buckets)",
                "      condition, prerequisites, filters or schedule differ: units come or go besides",
                "      the experiment is over, until 2026-12-06T00:00:00Z",
            ])
    }

    @Test("tells of a variable whose property has another name, and the JSON form gives both names")
    func generatedName() throws {
        func named(_ version: Int, _ name: String) throws -> Document {
            let variable = #"{"value":1,"generatedName":"\#(name)"}"#
            return try document(version, #""features":{"f":{"variables":{"v":\#(variable)}}}"#)
        }
        let difference = try ConfigurationDifference(from: named(1, "a"), to: named(2, "b"))
        #expect(lines(difference).contains("      ~ v: generatedName changed"))
        let json = difference.json["features"]?["changed"]?.array?.first?["variables"]?["changed"]?["v"]
        #expect(json == ["old": ["value": 1, "generatedName": "a"], "new": ["value": 1, "generatedName": "b"]])
    }

    private func experiment(_ version: Int, _ variants: [String], isSticky: Bool = true) throws -> Document {
        let list = variants.map { #"{"name":"\#($0)"}"# }.joined(separator: ",")
        return try document(version, #""experiments":[{"id":"e","sticky":\#(isSticky),"variants":[\#(list)]}]"#)
    }

    @Test(
        "tells what becomes of the stored variants when an experiment begins or stops being sticky",
        arguments: [
            (true, "ended", "no longer sticky: units whose stored variant is not the hash's move besides"),
            (
                false, "begun",
                "sticky from now on: no variant is stored yet; a unit keeps the first that it is given"
            ),
        ])
    func stickiness(before: Bool, word: String, sentence: String) throws {
        let difference = try ConfigurationDifference(
            from: experiment(1, ["a", "b"], isSticky: before), to: experiment(2, ["a", "b"], isSticky: !before))
        let lines = lines(difference)
        #expect(lines.contains { $0.hasSuffix("0 % of the units get another variant (counted over all buckets)") })
        #expect(lines.contains { $0.hasSuffix(sentence) })
        let moves = difference.json["experiments"]?["changed"]?.array?.first?["moves"]
        #expect(moves?["stickiness"] == .string(word) && moves?["keepsAssigned"] == false)
    }

    @Test("tells where the units of a removed variant go, if they are stored")
    func redrawn() throws {
        func difference(isSticky: Bool) throws -> ConfigurationDifference {
            try ConfigurationDifference(
                from: experiment(1, ["a", "b", "c"], isSticky: isSticky),
                to: experiment(2, ["a", "b"], isSticky: isSticky))
        }
        let text = "units of removed variants are drawn anew: c → a 16.67 %, c → b 16.67 % of the units"
        let stored = try difference(isSticky: true)
        #expect(lines(stored).contains { $0.contains(text) })
        let redrawn = stored.json["experiments"]?["changed"]?.array?.first?["redrawn"]?.array
        #expect(redrawn?.compactMap { $0["to"]?.string } == ["a", "b"])
        #expect(try difference(isSticky: false).experiments.changed.first?.redrawn == [])
    }
}
