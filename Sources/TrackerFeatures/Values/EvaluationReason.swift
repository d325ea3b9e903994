/// The reason for a value, in OpenFeature's terms.
@nonexhaustive
public enum EvaluationReason: String, Sendable, Hashable, CaseIterable {
    /// A source has the value for all contexts.
    case `static` = "STATIC"
    /// No rule or experiment of the feature matched, so the value for all others applies; or no source has the feature, and
    /// the caller's default applies.
    case `default` = "DEFAULT"
    /// A rule matched the context.
    case targetingMatch = "TARGETING_MATCH"
    /// The hash of the unit's id decided: a rule's share of the units, or an experiment.
    case split = "SPLIT"
    /// The variant that is stored for the unit applies.
    case cached = "CACHED"
    /// A prerequisite that is a gate turned the feature off, or a source disables the feature, and the caller's default
    /// applies.
    case disabled = "DISABLED"
    /// The remote document gives the value, and it may be out of date: ``DocumentStatus/staleSince``. The rule and the variant
    /// that decided are still named.
    case stale = "STALE"
    /// The reason is not known.
    case unknown = "UNKNOWN"
    /// A source has the value, but it could not be read as the requested type; the next source's value applies, or the
    /// caller's default.
    case error = "ERROR"
}
