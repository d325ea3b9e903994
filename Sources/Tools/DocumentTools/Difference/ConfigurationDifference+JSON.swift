package import TrackerConfig

extension ConfigurationDifference {
    package var json: JSONObject {
        [
            "oldVersion": oldVersion.map(JSONValue.int) ?? .null, "newVersion": .int(newVersion),
            "versionJump": .bool(isVersionJump),
            "oldInUse": .bool(isOldInUse), "outcome": .string(decision.outcome),
            "otherContent": .bool(decision == .unchanged(isOtherContent: true)),
            "percent": JSONValue(shortest: percent),
            "trackers": [
                "added": .array(added.map(\.json)),
                "removed": .array(removed.map(JSONValue.string)),
                "kept": .array(kept.map(JSONValue.string)),
                "dropped": .array(dropped.map(\.json)),
                "changed": .array(changed.map(\.json)),
                "untouched": .array(untouched.map(JSONValue.string)),
            ],
            "meta": meta.json,
            "segments": segments.json(\.json),
            "features": features.json(\.json),
            "returnedFeatures": .array(
                returned.map { feature in
                    [
                        "name": .string(feature.name), "enabled": feature.isEnabled.map(JSONValue.bool) ?? .null,
                        "rules": .array(feature.rules.map { .string($0.id) }),
                    ]
                }),
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
        let settings = layers.explanations.filter { $0.source != .builtIn }
        return [
            "namespace": .string(namespace),
            "settings": .object(JSONObject(settings.map { ($0.field, $0.json) })),
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
            "disabled": ["old": .bool(wasDisabled), "new": .bool(isDisabled)],
            "metadata": metadata.json,
            "variables": [
                "added": .object(JSONObject(added.map { ($0.name, json($0)) })),
                "removed": .object(JSONObject(removed.map { ($0.name, json($0)) })),
                "changed": .object(JSONObject(changes)),
            ],
            "rules": rules.json, "moves": moves?.json(movesSentence ?? "") ?? .null,
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

extension SegmentDifference {
    fileprivate var json: JSONValue {
        ["name": .string(name), "added": .int(added), "removed": .int(removed), "count": .int(count)]
    }
}

extension RuleDifference {
    fileprivate var json: JSONValue {
        let changes = changed.map { change -> JSONValue in
            [
                "id": .string(change.id), "settings": change.members.json,
                "segmentsDiffer": .bool(change.hasOtherSegments),
            ]
        }
        return [
            "added": .array(added.map { .object($0.json) }), "removed": .array(removed.map { .object($0.json) }),
            "changed": .array(changes), "moved": .array(moved.map(JSONValue.string)),
            "order": .array(order.map(JSONValue.string)),
        ]
    }
}

extension RuleMoves {
    fileprivate func json(_ sentence: String) -> JSONValue {
        [
            "text": .string(sentence),
            "share": share.map(JSONValue.double) ?? .null,
            "matchingShares": matchingShares.map { [.double($0.lowerBound), .double($0.upperBound)] } ?? .null,
            "method": .string(method.rawValue), "obstacle": obstacle.map { .string($0.rawValue) } ?? .null,
        ]
    }
}

extension ExperimentDifference {
    fileprivate var json: JSONValue {
        [
            "id": .string(id), "settings": members.json,
            "disabled": disabling.map { .string($0.rawValue) } ?? .null, "targetingDiffers": .bool(isTargetingOther),
            "drawnAnew": .bool(isDrawnAnew),
            "moves": [
                "share": .double(moves.share), "method": .string(moves.method.rawValue),
                "keepsAssigned": .bool(moves.keepsAssigned), "stickiness": .string(moves.stickiness.rawValue),
                "audienceDiffers": .bool(moves.isAudienceOther),
            ],
            "redrawn": .array(
                redrawn.map {
                    ["from": .string($0.from), "to": $0.to.map(JSONValue.string) ?? .null, "share": .double($0.share)]
                }),
        ]
    }
}
