package import TrackerConfig

extension ConfigurationDifference {
    package var json: JSONObject {
        [
            "oldVersion": oldVersion.map { .int($0.number) } ?? .null, "newVersion": .int(newVersion.number),
            "oldVersionEpoch": oldVersion.map { .int($0.epoch) } ?? .null, "newVersionEpoch": .int(newVersion.epoch),
            "versionJump": .bool(isVersionJump),
            "oldInUse": .bool(isOldInUse), "outcome": .string(decision.outcome),
            "otherContent": .bool(decision == .unchanged(isOtherContent: true)),
            "percent": JSONValue(shortest: percent),
            "trackers": [
                "added": .array(added.map(\.json)),
                "removed": .array(removed.map(JSONValue.string)),
                "kept": .array(kept.map(JSONValue.string)),
                "changed": .array(changed.map(\.json)),
                "untouched": .array(untouched.map(JSONValue.string)),
            ],
            "meta": meta.json,
            "features": features.json(\.json),
            "experiments": experiments.json(\.json),
            "rollout": rollout.json,
        ]
    }
}

extension VersionDecision {
    /// The word that outcomes of a fetch have for it.
    fileprivate var outcome: String {
        switch self {
        case .apply: "applied"
        case .unchanged: "unchanged"
        case .stale: "stale"
        case .held: "held"
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
    package var json: JSONValue {
        let changes = changed.map { ($0.name, JSONValue.object(["old": $0.old, "new": $0.new])) }
        return ["added": .object(added), "removed": .object(removed), "changed": .object(JSONObject(changes))]
    }
}

extension NamedDifference {
    fileprivate func json(_ change: (Change) -> JSONValue) -> JSONValue {
        [
            "added": .array(added.map(JSONValue.string)), "removed": .array(removed.map(JSONValue.string)),
            "changed": .array(changed.map(change)),
        ]
    }
}

extension FeatureDifference {
    fileprivate var json: JSONValue {
        let changes = changed.map { change in
            (change.new.name, JSONValue.object(["old": json(change.old), "new": json(change.new)]))
        }
        return [
            "name": .string(name),
            "enabled": [
                "old": wasEnabled.map(JSONValue.bool) ?? .null, "new": isEnabled.map(JSONValue.bool) ?? .null,
            ],
            "variables": [
                "added": .object(JSONObject(added.map { ($0.name, json($0)) })),
                "removed": .object(JSONObject(removed.map { ($0.name, json($0)) })),
                "changed": .object(JSONObject(changes)),
            ],
        ]
    }

    /// A variable as a document writes it, without its secret.
    private func json(_ variable: VariableDefinition) -> JSONValue {
        var object: JSONObject = ["value": shown(variable)]
        object["title"] = variable.title.map(JSONValue.string)
        object["description"] = variable.description.map(JSONValue.string)
        object["group"] = variable.group.map(JSONValue.string)
        if variable.isEncrypted { object["encrypted"] = true }
        object["generatedName"] = variable.generatedName.map(JSONValue.string)
        return .object(object)
    }
}

extension ExperimentDifference {
    fileprivate var json: JSONValue {
        [
            "id": .string(id), "settings": members.json,
            "moves": [
                "share": .double(moves.share), "method": .string(moves.method.rawValue),
                "keepsAssigned": .bool(moves.keepsAssigned), "stickiness": .string(moves.stickiness.rawValue),
                "audienceDiffers": .bool(moves.isAudienceOther),
            ],
        ]
    }
}
