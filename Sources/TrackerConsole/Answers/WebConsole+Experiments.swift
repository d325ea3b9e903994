import DocumentTools
import TrackerConfig

extension WebConsole {
    /// Each experiment with its variants and what decides who takes part.
    var experiments: JSONObject {
        let layers = setup.features.store.layers
        let list = layers.experiments.all.map { compiled -> JSONValue in
            let id = compiled.experiment.id
            return compiled.experiment.json(
                forced: layers.forced(id), override: layers.overrides[.init(experiment: id)]?.noteJSON
            ) {
                layers.isSecret($0)
            }
        }
        return [
            "experiments": .array(list), "counters": setup.experiments.counters.json, "units": .array(units(layers)),
        ]
    }

    /// What each experiment and each feature gives to a context; no exposure is recorded.
    func assignments(_ body: [UInt8]) throws(ConsoleError) -> JSONObject {
        let context = try context(try object(body))
        let layers = setup.features.store.layers
        let snapshot = setup.features.snapshot
        let list = layers.experiments.all.map { compiled -> JSONValue in
            let assignment = setup.experiments.variant(
                of: compiled.experiment.id, default: "", for: context, recordsExposure: false)
            let stored =
                assignment.isSticky
                ? setup.experiments.storedTime(of: compiled, assignment.variant, for: context) : nil
            return [
                "experiment": .string(assignment.experiment),
                "variant": assignment.isInExperiment ? .string(assignment.variant) : .null,
                "reason": .string(assignment.reason.rawValue), "isSticky": .bool(assignment.isSticky),
                "storedSince": JSONValue(stored),
                "text": .string(snapshot.evaluate(for: context, records: false) { $0.step(of: compiled).text }),
            ]
        }
        var plain = context
        plain.overrides = nil
        let hasOwn = context.overrides != nil
        let below = snapshot.withoutOverrides ?? (hasOwn ? snapshot : nil)
        let features = layers.names.map { name in
            let lower = below.map { FeatureAnswer(name, in: $0, for: plain) }
            return FeatureAnswer(name, in: snapshot, for: context).json(withoutOverrides: lower)
        }
        return ["assignments": .array(list), "features": .array(features)]
    }

    /// Why a context gets a value: the context with `feature` and, of a variable, `variable`; no exposure is recorded.
    func explanation(_ body: [UInt8]) throws(ConsoleError) -> JSONObject {
        var asked = try object(body)
        guard let feature = asked["feature"]?.string else { throw ConsoleError(422, "feature: expected a name") }
        let variable = asked["variable"]?.string
        (asked["feature"], asked["variable"]) = (nil, nil)
        let context = try context(asked)
        let key = variable.map { FeatureKey.variable(VariableKey(feature, $0)) } ?? .enabled(feature)
        let explanation = setup.features.snapshot.evaluate(for: context, records: false) { $0.explanation(of: key) }
        return ["text": .string("\(explanation)"), "explanation": .object(explanation.json)]
    }

    private func context(_ json: JSONObject) throws(ConsoleError) -> FeatureContext {
        do throws(ContextFault) {
            return try FeatureContext(json)
        } catch {
            throw ConsoleError(422, "\(error)")
        }
    }

    /// The names of the units that experiments and rules use; that of users if there are features without any.
    private func units(_ layers: FeatureLayers) -> [JSONValue] {
        var names: [String] = []
        var known: Set<ExactText> = []
        func note(_ unit: String?) {
            if let unit, known.insert(ExactText(unit)).inserted { names.append(unit) }
        }
        for experiment in layers.experiments.all.map(\.experiment) {
            note(experiment.unit)
            note(experiment.fallbackUnit)
            for filter in experiment.targeting.filters { note(filter.unit) }
        }
        for rule in layers.names.flatMap({ layers.definitions(of: $0) }).flatMap(\.rules) {
            note(rule.bucket?.unit)
            for filter in rule.targeting.filters { note(filter.unit) }
        }
        if names.isEmpty, !layers.names.isEmpty { note("userId") }
        return names.map(JSONValue.string)
    }
}

extension Experiment {
    fileprivate func json(
        forced: String?, override: JSONValue?, isSecret: (VariableKey) -> Bool
    ) -> JSONValue {
        // The ranges are of all units; their lengths are the shares.
        let variants = zip(variants, ranges).map { variant, range -> JSONValue in
            let values = variant.values(isSecret).map { ($0.feature, JSONValue.object($0.values)) }
            let enabled = variant.enabledFeatures.sorted { $0.key < $1.key }.map {
                ($0.key.text, JSONValue.bool($0.value))
            }
            return [
                "name": .string(variant.name), "weight": variant.weight.map { JSONValue(shortest: $0) } ?? .null,
                "share": .double(range.upperBound - range.lowerBound),
                "values": .object(JSONObject(values)), "enabled": .object(JSONObject(enabled)),
            ]
        }
        return [
            "id": .string(id), "unit": .string(unit), "seed": .string(seed),
            "hashVersion": JSONValue(hashVersion?.rawValue), "coverage": JSONValue(shortest: coverage),
            "sticky": .bool(isSticky), "countries": JSONValue(texts: countries),
            "languages": JSONValue(texts: languages),
            "isEnabled": .bool(isEnabled), "isUsable": .bool(isUsable),
            "targeting": .array(targeting.words.map(JSONValue.string)),
            "settings": .object(
                JSONObject(unique: exceptions.filter { !["enabled", "usable", "ranges"].contains($0.name) })),
            "variants": .array(variants), "forced": forced.map(JSONValue.string) ?? .null,
            "override": override ?? .null,
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

extension JSONValue {
    fileprivate init(texts: [String]?) {
        self = texts.map { .array($0.map(JSONValue.string)) } ?? .null
    }
}
