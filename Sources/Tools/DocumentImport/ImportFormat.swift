import TrackerConfig

/// The formats of older systems from which a document can be made.
package enum ImportFormat: String, Sendable, CaseIterable {
    /// MSActiveConfig's exchange format: sections of settings.
    case msActiveConfig = "msactiveconfig"
    /// JustTweak's LocalTweaks: features with variables.
    case justTweak = "justtweak"
    /// RolloutManager's dictionary of experiments, as JSON or a property list.
    case rolloutManager = "rolloutmanager"
    /// GrowthBook's payload of features, as its API, its proxy or a CDN serves it.
    case growthBook = "growthbook"
}
