public import FoundationEssentials

/// An override in effect: of a feature, of a variable, or of an experiment's variant.
public struct OverrideStatus: Sendable, Equatable, Codable {
    /// The feature; nil for an experiment.
    public var feature: String?

    /// The variable; nil if the override is of the feature itself, or of an experiment.
    public var variable: String?

    /// The experiment's id; nil for a feature.
    public var experiment: String?

    /// The value: `true` or `false` for a feature, the variable's value, or the name of the variant; nil for a secret
    /// variable.
    public var value: JSONValue?

    /// The value of the document in use without rules and experiments; nil if it is unset, and for a secret variable.
    public var documentValue: JSONValue?

    /// The time when the override was set; nil if it is unknown.
    public var time: Date?

    /// The author of the override; nil if it is unknown.
    public var by: String?

    /// The reason for the override; nil if it is unknown.
    public var note: String?

    /// The time when it expires; nil for never.
    public var expiry: Date?

    /// Creates an override's status.
    /// - Parameters:
    ///   - feature: The feature.
    ///   - variable: The variable.
    ///   - experiment: The experiment's id.
    ///   - value: The value.
    ///   - documentValue: The value of the document in use.
    ///   - time: The time when the override was set.
    ///   - by: The author of the override.
    ///   - note: The reason for the override.
    ///   - expiry: The time when it expires.
    public init(
        feature: String? = nil, variable: String? = nil, experiment: String? = nil, value: JSONValue? = nil,
        documentValue: JSONValue? = nil, time: Date? = nil, by: String? = nil, note: String? = nil, expiry: Date? = nil
    ) {
        self.feature = feature
        self.variable = variable
        self.experiment = experiment
        self.value = value
        self.documentValue = documentValue
        self.time = time
        self.by = by
        self.note = note
        self.expiry = expiry
    }
}
