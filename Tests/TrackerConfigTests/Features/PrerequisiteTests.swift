import TestSupport
import Testing
import TrackerConfig
import TrackerCore
import TrackerTesting

/// What features ask of each other.
@Suite("Prerequisites of features", .endsWhenItHangs)
struct PrerequisiteTests {
    private static func document(_ features: String) throws -> Document {
        try Document(Array(DocumentText.document(1, more: ",\"features\":\(features)").utf8))
    }

    /// A feature that is on if another one is.
    private static func on(_ name: String, if other: String, times: Int = 1) -> String {
        let rules = (0..<times).map { #"{"id":"r\#($0)","prerequisites":{"feature":"\#(other)"},"enabled":true}"# }
        return #""\#(name)":{"enabled":false,"rules":[\#(rules.joined(separator: ","))]}"#
    }

    @Test(
        "a gate that cannot be read turns the feature off, and says so",
        arguments: [
            (#"[{"feature":"parnt","gate":true}]"#, "prerequisites[0].feature: the document has no feature 'parnt'"),
            (
                #"[{"feature":"parent"},{"feature":"parent","gate":true,"condition":{"enabled":{"$is":true}}}]"#,
                "prerequisites[1].condition.enabled.$is: unknown operator '$is'"
            ),
            (#"{"feature":"parent","gate":"yes"}"#, "prerequisites.gate: expected a boolean, found a string"),
            (#"[{"gate":true}]"#, "prerequisites[0]: required key 'feature' is missing"),
        ])
    func unreadableGate(prerequisites: String, sentence: String) throws {
        let document = try Self.document(
            """
            {"parent": {"enabled": true},
             "f": {"enabled": true, "variables": {"v": {"value": 1}}, "rules": [
               {"id": "g", "prerequisites": \(prerequisites)}, {"id": "on", "enabled": true, "values": {"v": 2}}]}}
            """)
        let features = Features(document.features)
        #expect(!features.isEnabled("f", for: FeatureContext(userID: "u")))
        #expect(features.value("f", variable: "v", default: 0) == 0)
        let warnings = document.warnings.map { "\($0)" }
        let unusable = warnings.filter { $0.contains("the rule matches no context") }
        #expect(unusable.contains { $0.contains(sentence) }, "\(warnings)")
        #expect(warnings.contains { $0.contains("the gate is never met, so the feature is off") }, "\(warnings)")
    }

    @Test("a gate also holds for a variable that an experiment alone gives")
    func gateBeforeExperiment() throws {
        let features = try Features(
            """
            {"parent": {"enabled": false},
             "f": {"enabled": true, "rules": [{"id": "g", "prerequisites": {"feature": "parent", "gate": true}}]}}
            """, experiments: #"[{"id":"e","seed":"s","variants":[{"name":"a","weight":1,"values":{"f":{"v":5}}}]}]"#)
        let context = FeatureContext(userID: "u")
        #expect(features.value("f", variable: "v", default: 0, for: context) == 0)
        #expect(Variable(features, "f", variable: "v", default: 0).value == 0)
        try features.overrides.setEnabled(true, for: "parent")
        #expect(features.value("f", variable: "v", default: 0, for: context) == 5)
    }

    @Test("a feature that waits for itself is found at once, not by the length of the chain")
    func cycle() throws {
        // By length alone, the answers would depend on whether the limit is even.
        let document = try Self.document(
            """
            {"a": {"enabled": false, "rules": [
               {"id": "r", "prerequisites": {"feature": "b", "condition": {"enabled": false}}, "enabled": true}]},
             "b": {"enabled": false, "rules": [
               {"id": "r", "prerequisites": {"feature": "a", "condition": {"enabled": false}}, "enabled": true}]},
             \(Self.on("self", if: "self"))}
            """)
        let features = Features(document.features)
        #expect(features.isEnabled("a"))
        #expect(features.isEnabled("b"))
        let warnings = document.warnings.map { "\($0)" }
        #expect(warnings.count == 2)
        #expect(warnings.contains { $0.contains("features.b: the prerequisite 'a' waits for this feature") })
        #expect(warnings.contains { $0.contains("features.self: the feature is its own prerequisite") })
    }

    @Test("ten prerequisites may follow from each other, and those of a longer chain are not met")
    func depth() throws {
        let chain = (0..<12).map { Self.on("f\($0)", if: "f\($0 + 1)") }.joined(separator: ",")
        let log = MemoryLog()
        let document = try Self.document("{\(chain),\"f12\":{\"enabled\":true}}")
        let features = Features(document.features, log: log)
        #expect(features.isEnabled("f2"))
        #expect(features.readFailures == 0)
        #expect(!features.isEnabled("f1"))
        #expect(!features.isEnabled("f1"))
        #expect(features.readFailures == 2)
        #expect(log.records.filter { $0.message.contains("f12: it is a prerequisite behind more than 10") }.count == 1)
    }

    @Test("features that ask each other again and again do not stop a read, and this is reported")
    func width() throws {
        let chain = (0..<9).map { Self.on("f\($0)", if: "f\($0 + 1)", times: 100) }.joined(separator: ",")
        let document = try Self.document("{\(chain),\"f9\":{\"enabled\":false}}")
        let features = Features(document.features)
        #expect(!features.isEnabled("f0"))
        #expect(features.readFailures > 0)
    }

    @Test("a filter of a rule without a share hashes the rule's unit")
    func unitOfFilters() throws {
        let features = try Features(
            """
            {"f": {"enabled": false, "rules": [
               {"id": "half", "unit": "deviceId", "namespace": ["n", 0, 0.5], "enabled": true}]}}
            """)
        let enabled = (0..<200).filter { features.isEnabled("f", for: FeatureContext(units: ["deviceId": "d-\($0)"])) }
        #expect((70...130).contains(enabled.count))
        #expect(!(0..<200).contains { features.isEnabled("f", for: FeatureContext(userID: "d-\($0)")) })
    }

    @Test("a document of a megabyte with one long name, one long rule or many gates is read in its own size")
    func hostile() throws {
        let name = String(repeating: "n", count: 400_000)
        let rules = String(repeating: "{},", count: 20_000) + "{}"
        #expect(try Self.document("{\"\(name)\":{\"rules\":[\(rules)]}}").features.count == 1)

        let values = (0..<10_000).map { "\"v\($0)\":\($0)" }.joined(separator: ",")
        let long = try Features("{\"f\":{\"rules\":[{\"id\":\"r\",\"values\":{\(values)}}]}}")
        #expect(long.value("f", variable: "v9999", default: 0) == 9999)

        let gates = (0..<2000)
            .map { "{\"id\":\"\($0)\",\"prerequisites\":{\"feature\":\"p\",\"gate\":true}}" }
            .joined(separator: ",")
        let variables = (0..<5000).map { "\"v\($0)\":{\"value\":1}" }.joined(separator: ",")
        let gated = try Features(
            "{\"p\":{\"enabled\":true},\"f\":{\"variables\":{\(variables)},\"rules\":[\(gates)]}}")
        // More gates than a read evaluates count as not met.
        #expect(gated.value("f", variable: "v7", default: 0) == 0)
        #expect(gated.readFailures == 1)
    }
}
