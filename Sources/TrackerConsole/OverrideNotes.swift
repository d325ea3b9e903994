import FoundationEssentials
import TrackerConfig

/// Who set the overrides in effect, when, why and until when, as JSON.
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
                "time": Self.milliseconds(entry.time), "by": Self.text(entry.by), "note": Self.text(entry.note),
                "expiry": Self.milliseconds(entry.expiry),
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

    private static func milliseconds(_ date: Date?) -> JSONValue { date.map { .int(Int($0.milliseconds)) } ?? .null }

    private static func text(_ text: String?) -> JSONValue { text.map(JSONValue.string) ?? .null }
}
