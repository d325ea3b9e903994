import TrackerConfig
import TrackerCore

extension ConfigurationDifference {
    var json: JSONObject {
        [
            "oldVersion": oldVersion.map(JSONValue.int) ?? .null, "newVersion": .int(newVersion),
            "oldInUse": .bool(isOldInUse), "outcome": .string(adoption.outcome),
            "otherContent": .bool(adoption == .unchanged(isOtherContent: true)),
            "trackers": [
                "added": .array(added.map(\.json)),
                "removed": .array(removed.map(JSONValue.string)),
                "kept": .array(kept.map(JSONValue.string)),
                "changed": .array(changed.map(\.json)),
                "untouched": .array(untouched.map(JSONValue.string)),
            ],
            "meta": meta.json,
        ]
    }
}

extension Adoption {
    /// The word that outcomes of a fetch have for it.
    fileprivate var outcome: String {
        switch self {
        case .adopted: "applied"
        case .unchanged: "unchanged"
        case .stale: "stale"
        }
    }
}

extension ResolvedConfiguration.ResolvedTracker {
    fileprivate var json: JSONValue {
        let settings = layers.explanations.filter { $0.explanation.source != .builtIn }
        return [
            "namespace": .string(namespace),
            "settings": .object(JSONObject(settings.map { ($0.field, $0.explanation.json) })),
        ]
    }
}

extension TrackerDifference {
    fileprivate var json: JSONValue {
        let settings = settings.map { setting in
            let change: JSONValue = [
                "old": setting.old.json, "new": setting.new.json, "effective": .bool(setting.isEffective),
            ]
            return (setting.field, change)
        }
        return ["namespace": .string(namespace), "settings": .object(JSONObject(settings))]
    }
}

extension MemberDifference {
    var json: JSONValue {
        let changes = changed.map { ($0.name, JSONValue.object(["old": $0.old, "new": $0.new])) }
        return ["added": .object(added), "removed": .object(removed), "changed": .object(JSONObject(changes))]
    }
}
