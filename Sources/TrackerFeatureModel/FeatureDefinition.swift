/// The definition of a feature: whether it is enabled, its variables, and rules for some contexts.
///
/// ```json
/// "checkout": {
///   "enabled": false, "variables": { "retryLimit": { "value": 3 } },
///   "rules": [ { "id": "ramp", "coverage": 0.2, "enabled": true } ]
/// }
/// ```
public struct FeatureDefinition: Sendable, Hashable {
    /// The feature's key in the document's `features`.
    public let name: String

    /// Whether the feature is enabled; nil, the default, leaves that to the next source in precedence.
    public package(set) var isEnabled: Bool?

    /// The feature's variables in the document's order, each name once; none by default.
    public package(set) var variables: [VariableDefinition]

    /// The rules for some contexts in the document's order, above ``isEnabled`` and ``variables``; none by default.
    package var rules: [FeatureRule]

    /// Whether the feature is disabled: neither this source nor a lower one gives a value, so that the caller's default
    /// applies; false by default.
    package var isDisabled: Bool

    /// The author's information about the feature for clients: strings, numbers and booleans by name; empty by default.
    package var metadata: JSONObject

    /// Defines a feature without rules. Rules have the document's form; see ``ProvidedFeatures/init(json:)``.
    /// - Parameters:
    ///   - name: Its name.
    ///   - isEnabled: Whether it is enabled; nil, the default, leaves that to the next source in precedence.
    ///   - variables: Its variables, each name once; none by default.
    public init(name: String, isEnabled: Bool? = nil, variables: [VariableDefinition] = []) {
        self.init(name: name, isEnabled: isEnabled, variables: variables, rules: [])
    }

    package init(
        name: String, isEnabled: Bool? = nil, variables: [VariableDefinition] = [], rules: [FeatureRule],
        isDisabled: Bool = false, metadata: JSONObject = JSONObject()
    ) {
        self.name = name
        self.isEnabled = isEnabled
        self.variables = variables
        self.rules = rules
        self.isDisabled = isDisabled
        self.metadata = metadata
    }

    /// The feature without its experiments: a rule with an experiment sets nothing, but its gates still apply.
    package var withoutExperiments: FeatureDefinition {
        var feature = self
        for (index, rule) in rules.enumerated() where rule.experiment != nil {
            feature.rules[index] = FeatureRule(
                id: rule.id, targeting: rule.targeting, bucket: rule.bucket, isUsable: rule.isUsable)
        }
        return feature
    }
}
