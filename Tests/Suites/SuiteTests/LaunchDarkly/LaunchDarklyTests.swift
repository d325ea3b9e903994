import Testing
import TrackerFeatures

/// LaunchDarkly's evaluation data, with documents that mean what its flags mean.
@Suite(
    "LaunchDarkly's evaluation data",
    .enabled(if: SharedData.has("suites/launchdarkly"), "../shared/suites/launchdarkly is not there"))
struct LaunchDarklyTests {
    @Test("rules, clauses, operators, targets, prerequisites and segments are LaunchDarkly's")
    func evaluations() throws {
        var judgement = Judgement(
            "LaunchDarkly evaluation data: rules, clauses, operators, targets, prerequisites and segments without its hash",
            file: "launchdarkly", bar: 0.9)
        for file in try SharedData.files("suites/launchdarkly", ".yml") {
            let text = String(decoding: try SharedData.bytes("suites/launchdarkly/\(file)"), as: UTF8.self)
            for expansion in try LaunchDarklyFile(text).expansions {
                let flags = LaunchDarklyFlags(expansion.flags, expansion.segments)
                let features = try Features(flags.features)
                for evaluation in expansion.evaluations {
                    let name =
                        "\(file.dropLast(4)): \(evaluation["name"]?.string ?? evaluation["flagKey"]?.string ?? "")"
                    judgement.judge(name, Self.expected(evaluation)) {
                        if let reason = flags.unmapped[evaluation["flagKey"]?.string ?? ""] { throw reason }
                        return Self.result(evaluation, features)
                    }
                }
            }
        }
        try judgement.finish()
    }

    /// The value, and what decided where a rule or a target did.
    private static func expected(_ evaluation: JSONValue) -> String {
        let (value, reason) = (evaluation["expect"]?["value"] ?? .null, evaluation["expect"]?["reason"])
        return switch reason?["kind"]?.string {
        case "RULE_MATCH": "\(value) by rule-\(reason?["ruleIndex"]?.int ?? 0)"
        case "TARGET_MATCH": "\(value) by target"
        default: "\(value)"
        }
    }

    private static func result(_ evaluation: JSONValue, _ features: Features) -> String {
        let context = context(evaluation["context"] ?? [:])
        let key = evaluation["flagKey"]?.string ?? ""
        let rule = features.detail(key, variable: "value", default: JSONValue.null, for: context).rule
        let (value, fallback) = (value(of: key, evaluation, features, context), evaluation["default"] ?? .null)
        let decider = rule.flatMap { $0 == "fallthrough" ? nil : $0.hasPrefix("target") ? "target" : $0 }
        return "\(value ?? fallback)" + (decider.map { " by \($0)" } ?? "")
    }

    /// The value as the type that the case asks for.
    private static func value(
        of key: String, _ evaluation: JSONValue, _ features: Features, _ context: FeatureContext
    ) -> JSONValue? {
        func read<Value: Decodable>(_ type: Value.Type, _ make: (Value) -> JSONValue) -> JSONValue? {
            (try? features.require(key, variable: "value", as: type, for: context)).map(make)
        }
        return switch evaluation["valueType"]?.string {
        case "bool": read(Bool.self, JSONValue.bool)
        case "int": read(Int.self, JSONValue.int)
        case "double": read(Double.self) { number in Int(exactly: number).map(JSONValue.int) ?? .double(number) }
        case "string": read(String.self, JSONValue.string)
        default: read(JSONValue.self) { $0 }
        }
    }

    /// The attributes of each kind below its name, and the kinds as `kind`.
    private static func context(_ context: JSONValue) -> FeatureContext {
        let kinds: [(name: String, value: JSONValue)] =
            context["kind"] == "multi"
            ? (context.object?.members ?? []).filter { $0.name != "kind" }
            : [(context["kind"]?.string ?? "user", context)]
        var attributes: JSONObject = ["kind": .array(kinds.map { .string($0.name) })]
        for (kind, value) in kinds {
            // An old context has attributes of its own in `custom`; `anonymous` is always there.
            let members = (value.object?.members ?? []) + (value["custom"]?.object?.members ?? [])
            attributes[kind] = .object(
                JSONObject([("anonymous", false)] + members.map { ($0.name, $0.value) }))
        }
        return FeatureContext(attributes: attributes)
    }
}
