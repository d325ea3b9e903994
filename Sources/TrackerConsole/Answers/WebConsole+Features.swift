import DocumentTools
import TrackerConfig
import TrackerFeatures

extension WebConsole {
    /// The maximum number of features in the answer.
    private static let maxFeatures = 1000

    /// A feature is unused if it was not evaluated for this number of milliseconds, or since the start of a process that
    /// is older.
    private static let unusedAge: Int64 = 7 * 86_400_000

    /// The features, each with its variables, their sources and descriptions, and the experiments.
    var features: JSONObject {
        let layers = setup.features.store.layers
        let usages = setup.features.usage.map { (ExactText($0.feature), $0) }
        let usage = Dictionary(usages) { first, _ in first }
        return [
            "total": .int(layers.names.count),
            "features": .array(
                layers.names.prefix(Self.maxFeatures).map { feature($0, usage[exactly: $0], layers) }),
            "experiments": .array(
                layers.experiments.all.map(\.experiment).map { experiment in
                    experiment.json(
                        forced: layers.forced(experiment.id),
                        override: layers.overrides[.init(experiment: experiment.id)]?.details, layers.isSecret)
                }),
            "counters": setup.experiments.counters.json, "units": .array(units(layers).map(JSONValue.string)),
        ]
    }

    private func feature(_ name: String, _ usage: FeatureUsage?, _ layers: FeatureLayers) -> JSONValue {
        let rules = layers.definitions(of: name).flatMap(\.rules)
        let override = layers.overrides[.init(feature: name)]
        var enabled = Self.sources(of: .enabled(name), override, layers)
        enabled["rules"] = Self.ids(of: rules) { $0.isEnabled != nil }
        let evaluations = (usage?.evaluations ?? [:]).sorted { $0.key.rawValue < $1.key.rawValue }
        let last = usage?.lastEvaluation?.milliseconds
        let isUnused = setup.pipeline.now - (last ?? setup.identity.startTime.milliseconds) > Self.unusedAge
        return [
            "name": .string(name), "enabled": .object(enabled),
            "variables": .array(
                // A variable that only an experiment names has no value.
                layers.variables(of: name).map { VariableKey(name, $0) }
                    .filter { !layers.candidates(.variable($0)).isEmpty }.map { variable($0, rules, layers) }),
            "rules": .array(
                rules.map { rule in
                    [
                        "id": .string(rule.id), "for": .string(rule.audience), "isUsable": .bool(rule.isUsable),
                        "gives": .string(rule.effect(on: name, isSecret: layers.isSecret)),
                    ]
                }),
            "evaluations": .object(JSONObject(evaluations.map { ($0.key.rawValue, JSONValue.int($0.value)) })),
            "lastEvaluation": JSONValue(last), "isStale": .bool(isUnused),
            "isNotEvaluatedYet": .bool(last == nil && !isUnused), "isDisabled": .bool(layers.isDisabled(name)),
        ]
    }

    private func variable(_ key: VariableKey, _ rules: [FeatureRule], _ layers: FeatureLayers) -> JSONValue {
        var object = Self.sources(of: .variable(key), layers.overrides[.init(key)], layers)
        object["name"] = .string(key.variable)
        let definitions = layers.definitions(of: key.feature).flatMap(\.variables)
        let described = definitions.first {
            $0.name.isExactly(key.variable) && ($0.title != nil || $0.description != nil || $0.group != nil)
        }
        object["title"] = described?.title.map(JSONValue.string)
        object["description"] = described?.description.map(JSONValue.string)
        object["group"] = described?.group.map(JSONValue.string)
        object["type"] = layers.kind(of: key).map { .string($0.rawValue) }
        let experiments = layers.experiments.overriding(key).map { JSONValue.string($0.experiment.id) }
        if !experiments.isEmpty { object["experiments"] = .array(experiments) }
        object["rules"] = Self.ids(of: rules) { $0.values[key.variable] != nil }
        return .object(object)
    }

    /// The effective value with its source, and the values with lower precedence.
    private static func sources(
        of key: FeatureKey, _ override: FeatureOverride?, _ layers: FeatureLayers
    ) -> JSONObject {
        // If one layer encrypts a variable, its value is hidden in all layers.
        let isSecret = if case .variable(let variable) = key { layers.isSecret(variable) } else { false }
        let candidates = layers.candidates(key).map { candidate in
            var object: JSONObject = ["source": .string(candidate.source.description)]
            if !isSecret { object["value"] = candidate.value }
            return object
        }
        var object = candidates.first ?? [:]
        object["isEncrypted"] = .bool(isSecret)
        object["isOverridden"] = .bool(override != nil)
        object["override"] = override.map { .object($0.details) }
        if candidates.count > 1 { object["overridden"] = .array(candidates.dropFirst().map(JSONValue.object)) }
        return object
    }

    /// The ids of the rules that decide a key; nil if there are none.
    private static func ids(of rules: [FeatureRule], _ decides: (FeatureRule) -> Bool) -> JSONValue? {
        let ids = rules.filter { $0.isUsable && decides($0) }.map { JSONValue.string($0.id) }
        return ids.isEmpty ? nil : .array(ids)
    }

    /// The names of the units of experiments and rules; if there are features but no units, the unit of users.
    private func units(_ layers: FeatureLayers) -> [String] {
        let experiments = layers.experiments.all.map(\.experiment)
        let rules = layers.names.flatMap { layers.definitions(of: $0) }.flatMap(\.rules)
        let names =
            experiments.flatMap { [$0.unit, $0.fallbackUnit] + $0.targeting.filters.map(\.unit) }
            + rules.flatMap { [$0.bucket?.unit] + $0.targeting.filters.map(\.unit) }
        var known: Set<ExactText> = []
        let distinct = names.compactMap(\.self).filter { known.insert(ExactText($0)).inserted }
        return distinct.isEmpty && !layers.names.isEmpty ? ["userId"] : distinct
    }
}

extension FeatureOverride {
    /// The author, the time, the reason and the expiry, without the value, which may be a secret.
    fileprivate var details: JSONObject {
        var details = json
        details["value"] = nil
        return details
    }
}

extension Experiment {
    fileprivate func json(forced: String?, override: JSONObject?, _ isSecret: (VariableKey) -> Bool) -> JSONValue {
        // The lengths of the ranges are the variants' shares of all units.
        let variants = zip(variants, ranges).map { variant, range -> JSONValue in
            let values = variant.values(isSecret).map { ($0.feature, JSONValue.object($0.values)) }
            let enabled = variant.enabledFeatures.sorted { $0.key < $1.key }.map {
                ($0.key.text, JSONValue.bool($0.value))
            }
            return [
                "name": .string(variant.name), "share": .double(range.upperBound - range.lowerBound),
                "values": .object(JSONObject(values)), "enabled": .object(JSONObject(enabled)),
            ]
        }
        func texts(_ texts: [String]?) -> JSONValue { .array((texts ?? []).map(JSONValue.string)) }
        return [
            "id": .string(id), "unit": .string(unit), "coverage": JSONValue(shortest: coverage),
            "sticky": .bool(isSticky), "countries": texts(countries), "languages": texts(languages),
            "isEnabled": .bool(isEnabled), "isUsable": .bool(isUsable), "targeting": texts(targeting.words),
            "variants": .array(variants), "forced": JSONValue(text: forced),
            "override": override.map(JSONValue.object) ?? .null,
        ]
    }
}

extension ExperimentCounters {
    fileprivate var json: JSONValue {
        [
            "exposuresTracked": .int(exposuresTracked), "exposuresLost": .int(exposuresLost),
            "exposuresEvicted": .int(exposuresEvicted), "assignmentsStored": .int(assignmentsStored),
            "assignmentsLost": .int(assignmentsLost), "assignmentsEvicted": .int(assignmentsEvicted),
            "storeFailures": .int(storeFailures),
        ]
    }
}

extension FeatureLayers {
    /// The kind of a variable, derived from its values below the overrides, because an override may be a mistake. If
    /// there are several kinds of numbers, it is the most general one.
    func kind(of key: VariableKey) -> VariableKind? {
        let candidates = candidates(.variable(key))
        func kinds(_ isIncluded: (FeatureSource) -> Bool) -> [VariableKind] {
            candidates.filter { isIncluded($0.source) }.compactMap { VariableKind($0.value) }
        }
        let provided = kinds(\.isProvider)
        let written = kinds { $0 != .override && !$0.isProvider }
        // Providers such as the environment may have strings only, which are read as the document's type.
        let kinds = provided.filter { $0 != .string || written.isEmpty } + written
        if kinds.contains(.number), kinds.allSatisfy({ VariableKind.number.takes($0) }) { return .number }
        return kinds.first ?? candidates.first.flatMap { VariableKind($0.value) }
    }
}

extension FeatureSource {
    fileprivate var isProvider: Bool {
        if case .provider = self { true } else { false }
    }
}
