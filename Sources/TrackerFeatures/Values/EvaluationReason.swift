/// The reason for a value, in OpenFeature's terms.
@nonexhaustive
public enum EvaluationReason: String, Sendable, Hashable, CaseIterable {
    /// A source has the value for all contexts.
    case `static` = "STATIC"
    /// No rule or experiment of the feature matched, so the value for all other contexts applies; or no source has the
    /// feature, and the caller's default applies.
    case `default` = "DEFAULT"
    /// A rule matched the context.
    case targetingMatch = "TARGETING_MATCH"
    /// The hash of the unit's id decided, either for a rule's share of the units or for an experiment.
    case split = "SPLIT"
    /// The stored variant of the unit applies.
    case cached = "CACHED"
    /// A prerequisite that is a gate turned the feature off, or a source disables the feature, so the caller's default
    /// applies.
    case disabled = "DISABLED"
    /// The remote document gives the value, and it may be out of date: ``DocumentStatus/staleSince``. The deciding rule
    /// and variant are still named.
    case stale = "STALE"
    /// The reason is not known.
    case unknown = "UNKNOWN"
    /// A source has the value, but it could not be read as the requested type; the next source's value or the caller's
    /// default applies.
    case error = "ERROR"
}
