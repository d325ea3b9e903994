import DocumentTools
import TrackerConfig

extension WebConsole {
    /// The features that a query chooses, each with its variables, their sources and their descriptions.
    func features(_ query: FeatureQuery) -> JSONObject {
        let layers = setup.features.store.layers
        let overrides = layers.overrides.inOrder
        let usages = setup.features.usage.map { (ExactText($0.feature), $0) }
        let usage = Dictionary(usages) { first, _ in first }
        let hasDefault = !setup.updater.parts.documents.default.features.isEmpty
        let (start, now) = (setup.identity.startTime.milliseconds, setup.pipeline.now)
        let all = layers.names.map {
            ListedFeature(
                $0, in: layers, hasDefault: hasDefault, usage: usage[exactly: $0], start: start, now: now)
        }
        let chosen = query.choose(all)
        let counts: JSONValue = [
            "overridden": .int(all.count(where: \.hasOverride)), "stale": .int(all.count(where: \.isStale)),
            "notEvaluatedYet": .int(all.count(where: \.isNotEvaluatedYet)),
            "differing": hasDefault ? .int(all.count(where: \.hasDifference)) : .null,
        ]
        let offset = query.start(of: chosen.count)
        let page = chosen.dropFirst(offset).prefix(query.limit).map {
            feature($0, query.shownVariables(of: $0), layers)
        }
        let variables = all.reduce(0) { $0 + $1.variables.count }
        return [
            "total": .int(all.count), "matching": .int(chosen.count), "offset": .int(offset),
            "limit": .int(query.limit), "variables": .int(variables), "counts": counts, "features": .array(page),
            "overrides": .int(overrides.count { $0.experiment == nil }),
            "forced": .int(overrides.count { $0.experiment != nil }),
        ]
    }

    private func feature(
        _ listed: ListedFeature, _ shown: [ListedFeature.Variable], _ layers: FeatureLayers
    ) -> JSONValue {
        let name = listed.name
        let candidates = layers.candidates(.enabled(name))
        var enabled: JSONObject = [
            "value": candidates.first?.value ?? .null,
            "source": candidates.first.map { .string($0.source.description) } ?? .null,
            "isOverridden": .bool(listed.isOverridden), "isDiffering": .bool(listed.isDiffering),
        ]
        enabled["override"] = layers.overrides[.init(feature: name)]?.noteJSON
        if candidates.count > 1 {
            enabled["overridden"] = .array(
                candidates.dropFirst().map { $0.json(isSecret: false) })
        }
        let described = layers.described(of: name)
        let variables = shown.compactMap { variable in
            self.variable(VariableKey(name, variable.name), described[exactly: variable.name], variable, layers)
        }
        let rules = layers.definitions(of: name).flatMap(\.rules)
        enabled["rules"] = Self.ids(of: rules) { $0.isEnabled != nil }
        let evaluations = listed.evaluationsByReason.sorted { $0.key.rawValue < $1.key.rawValue }
        return [
            "name": .string(name), "enabled": .object(enabled), "variables": .array(variables),
            "variableCount": .int(listed.variables.count),
            "isNarrowed": .bool(shown.count < listed.variables.count),
            "overrideCount": .int(listed.variables.count(where: \.isOverridden)),
            "rules": .array(rules.map { self.rule($0, of: name, layers) }),
            "evaluations": .object(JSONObject(evaluations.map { ($0.key.rawValue, JSONValue.int($0.value)) })),
            "lastEvaluation": listed.lastEvaluation.map { .int(Int($0)) } ?? .null, "isStale": .bool(listed.isStale),
            "isNotEvaluatedYet": .bool(listed.isNotEvaluatedYet),
            "isDisabled": .bool(layers.isDisabled(name)),
        ]
    }

    private func rule(_ rule: FeatureRule, of feature: String, _ layers: FeatureLayers) -> JSONValue {
        [
            "id": .string(rule.id), "for": .string(rule.audience), "isUsable": .bool(rule.isUsable),
            "gives": .string(rule.effect(on: feature, isSecret: layers.isSecret)),
        ]
    }

    /// The ids of the rules that decide something; nil if there is none.
    private static func ids(of rules: [FeatureRule], _ decides: (FeatureRule) -> Bool) -> JSONValue? {
        let ids = rules.filter { $0.isUsable && decides($0) }.map { JSONValue.string($0.id) }
        return ids.isEmpty ? nil : .array(ids)
    }

    private func variable(
        _ key: VariableKey, _ described: VariableDefinition?, _ listed: ListedFeature.Variable, _ layers: FeatureLayers
    ) -> JSONValue? {
        let candidates = layers.candidates(.variable(key))
        guard let effective = candidates.first else { return nil }
        var object: JSONObject = ["name": .string(key.variable)]
        object["title"] = described?.title.map(JSONValue.string)
        object["description"] = described?.description.map(JSONValue.string)
        object["group"] = described?.group.map(JSONValue.string)
        object["type"] = layers.kind(of: key).map { .string($0.rawValue) }
        // A secret of one layer is not shown in another layer either.
        let isSecret = layers.isSecret(key)
        if !isSecret { object["value"] = effective.value }
        object["source"] = .string(effective.source.description)
        object["isOverridden"] = .bool(listed.isOverridden)
        object["override"] = layers.overrides[.init(key)]?.noteJSON
        object["isDiffering"] = .bool(listed.isDiffering)
        object["isEncrypted"] = .bool(isSecret)
        if candidates.count > 1 {
            object["overridden"] = .array(candidates.dropFirst().map { $0.json(isSecret: isSecret) })
        }
        let experiments = layers.experiments.overriding(key).map { JSONValue.string($0.experiment.id) }
        if !experiments.isEmpty { object["experiments"] = .array(experiments) }
        let rules = layers.definitions(of: key.feature).flatMap(\.rules)
        object["rules"] = Self.ids(of: rules) { $0.values[key.variable] != nil }
        return .object(object)
    }
}

extension Candidate {
    fileprivate func json(isSecret: Bool) -> JSONValue {
        var object: JSONObject = ["source": .string(source.description)]
        if !isSecret { object["value"] = value }
        return .object(object)
    }
}
