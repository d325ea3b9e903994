import TestSupport
import Testing
import TrackerConfig
import TrackerCore
import TrackerTesting

/// The bound of the work of one read.
@Suite("The budget of a read", .endsWhenItHangs)
struct ReadBudgetTests {
    /// Rules that all search the attribute `a` and match nothing: too much for an attribute of 30 kB.
    private static func patterns(_ gives: String = #""enabled":true"#) -> String {
        (0..<300).map { #"{"id":"r\#($0)","condition":{"a":{"$regex":"[a-y]+\#($0)z"}},\#(gives)}"# }
            .joined(separator: ",")
    }

    private static func context(_ length: Int) -> FeatureContext {
        FeatureContext(
            units: ["userId": "u"], attributes: ["a": .string(String(repeating: "x", count: length)), "plan": "pro"])
    }

    @Test("patterns on a long attribute end within the steps of one read, and the value for all applies")
    func patterns() throws {
        let log = MemoryLog()
        let features = try Features(
            """
            {"f": {"enabled": false, "rules": [\(Self.patterns()), {"id": "last", "enabled": true}]}}
            """, log: log)
        let context = Self.context(30_000)
        let detail = features.detail("f", for: context)
        // The last rule, which is for all contexts, was not reached.
        #expect(
            (detail.value, detail.reason, detail.source, detail.error?.code) == (false, .error, .default, .workLimit))
        #expect(!features.isEnabled("f", for: context))
        #expect(features.readFailures == 2)
        let lines = log.records.filter { $0.message.contains("f.enabled: the read takes more than 5000000 steps") }
        #expect(lines.map(\.level) == [.warning])
        #expect(features.usage.first?.evaluations == [.error: 2])
        // The same rules are no burden for an attribute of a usual length.
        #expect(features.isEnabled("f", for: Self.context(50)))
        #expect(features.readFailures == 2)
    }

    @Test("the budget is shared by a feature's prerequisites, and a gate that was not reached turns the feature off")
    func prerequisites() throws {
        let features = try Features(
            """
            {"costly": {"enabled": false, "rules": [\(Self.patterns())]},
             "f": {"enabled": true, "rules": [
               {"id": "g", "prerequisites": {"feature": "costly", "condition": {"enabled": false}, "gate": true}}]},
             "g": {"enabled": false, "rules": [
               {"id": "n", "prerequisites": {"feature": "costly", "condition": {"enabled": {"$ne": true}}},
                "enabled": true}]}}
            """)
        #expect(features.isEnabled("f", for: Self.context(100)))
        #expect(features.isEnabled("g", for: Self.context(100)))
        let gated = features.detail("f", for: Self.context(30_000))
        #expect((gated.value, gated.reason, gated.error?.code) == (false, .error, .workLimit))
        // What was not found out holds in no direction.
        #expect(!features.isEnabled("g", for: Self.context(30_000)))
    }

    @Test("a search that is given up matches no rule, not even one that negates it")
    func negatedSearch() throws {
        let features = try Features(
            """
            {"f": {"enabled": false, "rules": [
              {"id": "r", "condition": {"$not": {"a": {"$regex": "(x|x|x|x|x|x|x|x)*b"}}}, "enabled": true}]}}
            """)
        #expect(features.isEnabled("f", for: Self.context(100)))
        let detail = features.detail("f", for: Self.context(200_000))
        #expect((detail.value, detail.reason, detail.error?.code) == (false, .error, .workLimit))
    }

    @Test("all the values of one feature have one budget")
    func wholeFeature() throws {
        let variables = (0..<100).map { #""v\#($0)":{"value":\#($0)}"# }.joined(separator: ",")
        let gates = (0..<30).map {
            """
            {"id":"g\($0)","condition":{"a":{"$regex":"[a-y]+\($0)z"}},"prerequisites":{"feature":"p","gate":true}}
            """
        }.joined(separator: ",")
        let features = try Features(
            """
            {"p": {"enabled": true}, "f": {"enabled": true, "variables": {\(variables)}, "rules": [\(gates)]}}
            """)
        // One variable is affordable, all of them are not.
        #expect(features.detail("f", variable: "v1", default: 0, for: Self.context(15_000)).error == nil)
        #expect(features.readFailures == 0)
        _ = features.values(of: "f", for: Self.context(15_000))
        #expect(features.readFailures > 50)
    }

    @Test("the id of a unit has at most 1,024 bytes: rules and experiments do not use a longer one, and say so")
    func unitLength() throws {
        let log = MemoryLog()
        let experiments = (0..<100).map {
            #"{"id":"e\#($0)","coverage":0,"variants":[{"name":"a","values":{"f":{"v":1}}}]}"#
        }.joined(separator: ",")
        let features = try Features(
            """
            {"f": {"enabled": false, "variables": {"v": {"value": 0}}, "rules": [
               {"id": "all", "range": [0, 1], "enabled": true}]},
             "other": {"enabled": false, "rules": [{"id": "r", "condition": {"plan": "pro"}, "enabled": true}]}}
            """,
            experiments: #"[\#(experiments),{"id":"x","variants":[{"name":"b"}]}]"#, log: log)
        func context(_ length: Int) -> FeatureContext {
            FeatureContext(
                units: ["userId": String(repeating: "u", count: length)], attributes: ["plan": "pro"])
        }
        let longest = features.detail("f", for: context(1024))
        #expect((longest.value, longest.reason) == (true, .split))
        #expect(features.experiments.variant(of: "x", default: "-", for: context(1024)).variant == "b")
        #expect(features.detail("f", variable: "v", default: 9, for: context(1024)).error == nil)
        #expect(features.readFailures == 0)
        for length in [1025, 1 << 20] {
            let rule = features.detail("f", for: context(length))
            #expect((rule.value, rule.reason, rule.error?.code) == (false, .error, .unitTooLong))
            let experiment = features.detail("f", variable: "v", default: 9, for: context(length))
            #expect((experiment.value, experiment.reason, experiment.error?.code) == (0, .error, .unitTooLong))
            let assignment = features.experiments.variant(of: "x", default: "-", for: context(length))
            #expect((assignment.variant, assignment.reason) == ("-", .refused))
            // A handle too.
            let handle = Variable(features, "f", variable: "v", default: 7)
            #expect(handle.value(for: context(length)) == 0)
            // What does not need the unit applies.
            #expect(features.detail("other", for: context(length)).reason == .targetingMatch)
        }
        #expect(features.readFailures == 8)
        let lines = log.records.map(\.message).filter { $0.contains("one of more than 1024 is not used") }
        #expect(lines.count == 3)
        #expect(
            lines.first
                == "f.enabled: the id of the unit 'userId' has 1025 bytes, and one of more than 1024 is not used")
    }

    @Test("a handle whose rules take too many steps gives the value for all contexts, which is counted")
    func handle() throws {
        let rules = Self.patterns(#""values":{"v":2}"#)
        let features = try Features(
            """
            {"f": {"variables": {"v": {"value": 1}}, "rules": [\(rules), {"id": "last", "values": {"v": 3}}]}}
            """)
        let variable = Variable(features, "f", variable: "v", default: 0)
        #expect(variable.value(for: Self.context(10)) == 3)
        #expect(variable.value(for: Self.context(30_000)) == 1)
        #expect(features.readFailures == 1)
        #expect(features.usage.first?.evaluations == [.error: 1, .targetingMatch: 1])
    }
}
