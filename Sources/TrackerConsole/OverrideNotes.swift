import FoundationEssentials
import TrackerConfig

/// The author, time, reason and expiry of each override in effect, as JSON.
struct OverrideNotes {
    /// Of whether features are enabled, by the feature's name.
    private(set) var enabled: [ExactText: JSONValue] = [:]
    private(set) var variables: [VariableKey: JSONValue] = [:]
    /// Of forced variants, by the experiment's id.
    private(set) var variants: [ExactText: JSONValue] = [:]

    /// Reads the overrides in effect.
    init(_ layers: FeatureLayers) {
        for entry in layers.overrideEntries {
            let note: JSONValue = [
                "time": JSONValue(entry.time?.milliseconds), "by": JSONValue(text: entry.by),
                "note": JSONValue(text: entry.note), "expiry": JSONValue(entry.expiry?.milliseconds),
            ]
            if let experiment = entry.experiment {
                variants[exactly: experiment] = note
            } else if let feature = entry.feature {
                if let variable = entry.variable {
                    variables[VariableKey(feature, variable)] = note
                } else {
                    enabled[exactly: feature] = note
                }
            }
        }
    }
}
