/// A feature's values for some contexts, instead of its values for all.
///
/// The SDK tries a feature's rules in order, separately for whether the feature is enabled and for each of its
/// variables. The first rule that matches the context and has a value for it decides.
///
/// ```json
/// { "id": "pro-us", "condition": { "plan": "pro", "country": { "$in": ["US", "CA"] } }, "enabled": true }
/// ```
package struct FeatureRule: Sendable, Hashable {
    /// The rule's id, unique within its feature.
    package var id: String

    /// The contexts that the rule applies to.
    package var targeting: Targeting

    /// The share of the units that the rule applies to; nil, the default, for all contexts, even without a unit.
    package var bucket: RuleBucket?

    /// Whether the feature is enabled; nil, the default, leaves that to the next rule.
    package var isEnabled: Bool?

    /// The values of the feature's variables; none by default.
    package var values: JSONObject

    /// The experiment that decides instead of ``isEnabled`` and ``values``; nil by default.
    package var experiment: Experiment?

    /// Whether this version of the SDK supports everything in the document's rule. If not, it matches no context.
    package var isUsable: Bool

    /// Creates a rule.
    /// - Parameters:
    ///   - id: The rule's id, unique within its feature.
    ///   - targeting: The contexts that the rule applies to; all by default.
    ///   - bucket: The share of the units that the rule applies to; nil, the default, for all.
    ///   - isEnabled: Whether the feature is enabled; nil, the default, leaves that to the next rule.
    ///   - values: The values of the feature's variables; none by default.
    ///   - experiment: The experiment that decides instead; nil by default.
    ///   - isUsable: Whether the rule can match; true by default.
    package init(
        id: String, targeting: Targeting = Targeting(), bucket: RuleBucket? = nil, isEnabled: Bool? = nil,
        values: JSONObject = JSONObject(), experiment: Experiment? = nil, isUsable: Bool = true
    ) {
        self.id = id
        self.targeting = targeting
        self.bucket = bucket
        self.isEnabled = isEnabled
        self.values = values
        self.experiment = experiment
        self.isUsable = isUsable
    }
}
