import TrackerConfig
import TrackerCore

/// What a feature is for a context, in the words of GrowthBook's SDKs.
struct GrowthBookCaseResult {
    /// The keys of a rule that its experiment has too.
    private static let experimentKeys = [
        "variations", "coverage", "weights", "hashAttribute", "fallbackAttribute",
        "disableStickyBucketing",
        "bucketVersion", "minBucketVersion", "namespace", "meta", "ranges", "name", "phase", "seed",
        "hashVersion",
        "filters", "condition",
    ]

    /// The value of the rule or of the feature.
    var value = JSONValue.null

    /// What decided.
    var source = "defaultValue"

    /// The rule's id; empty if there is no rule or if it has none.
    var ruleID = ""

    /// The experiment, if it decided.
    var experiment: JSONObject?

    /// What the experiment gave.
    var experimentResult: JSONObject?

    /// The experiment of a rule.
    /// - Parameters:
    ///   - rule: The rule as it is written.
    ///   - key: The experiment's key.
    /// - Returns: The experiment as GrowthBook's SDKs make it.
    static func experiment(_ rule: JSONObject, key: String) -> JSONObject {
        JSONObject(
            unique: [("key", .string(key))] + rule.members.filter { experimentKeys.contains($0.name) })
    }

    /// The result as the cases have it.
    var json: JSONObject {
        JSONObject(present: [
            ("value", value), ("on", .bool(value.isTruthy)), ("off", .bool(!value.isTruthy)),
            ("source", .string(source)), ("ruleId", .string(ruleID)),
            ("experiment", experiment.map(JSONValue.object)),
            ("experimentResult", experimentResult.map(JSONValue.object)),
        ])
    }
}
