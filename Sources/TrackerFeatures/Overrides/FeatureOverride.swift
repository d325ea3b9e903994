public import FoundationEssentials

/// An override in effect: of whether a feature is enabled, of a variable, or of an experiment's variant.
public struct FeatureOverride: Sendable, Hashable, Codable {
    /// The most Unicode scalars of ``by`` that are kept: 100.
    public static let maxAuthorLength = 100

    /// The most Unicode scalars of ``note`` that are kept: 500.
    public static let maxNoteLength = 500

    /// The feature's name; nil if the override forces a variant.
    public let feature: String?

    /// The variable's name; nil if the override is of the feature itself, or forces a variant.
    public let variable: String?

    /// The experiment's id; nil if the override is of a feature.
    public let experiment: String?

    /// The boolean, the variable's value or the variant's name; nil if the variable is a secret.
    public let value: JSONValue?

    /// The value of the document in use without rules and experiments; nil if it is unset, for a secret variable, and
    /// outside of a setup's status.
    public package(set) var documentValue: JSONValue?

    /// The time when the override was set; nil if its file does not have it.
    public let time: Date?

    /// The author of the override; nil if it is unknown.
    public let by: String?

    /// The reason for the override; nil if it is unknown.
    public let note: String?

    /// The time when it expires; nil if it stays until it is removed.
    public let expiry: Date?

    package init(
        feature: String? = nil, variable: String? = nil, experiment: String? = nil, value: JSONValue?,
        time: Date? = nil, details: OverrideDetails = OverrideDetails()
    ) {
        (self.feature, self.variable, self.experiment) = (feature, variable, experiment)
        (self.value, self.time) = (value, time)
        (by, note, expiry) = (details.by, details.note, details.expiry)
    }

    init(_ target: OverrideTarget, value: JSONValue?, _ record: OverrideRecord?) {
        (feature, variable, experiment) = (target.feature, target.variable, target.experiment)
        self.value = value
        time = record?.time
        (by, note, expiry) = (record?.details.by, record?.details.note, record?.details.expiry)
    }
}
