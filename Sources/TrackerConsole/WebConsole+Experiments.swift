import DocumentTools
import TrackerConfig

extension WebConsole {
    /// Each experiment with its variants and what decides who takes part.
    var experiments: JSONObject {
        let layers = setup.features.store.layers
        let list = layers.experiments.all.map { compiled -> JSONValue in
            compiled.experiment.json(forced: layers.forced(compiled.experiment.id)) { layers.isSecret($0) }
        }
        return ["experiments": .array(list), "counters": setup.experiments.counters.json]
    }

    /// What each experiment gives to somebody; nobody is told that they were seen.
    func assignments(_ body: [UInt8]) throws(ConsoleError) -> JSONObject {
        let asked = try object(body)
        var units: [String: String] = [:]
        let given = asked["units"] ?? [:]
        guard let ids = given.object else { throw ConsoleError(422, "units: expected an object, found \(given.kind)") }
        for (unit, id) in ids.members {
            guard let id = id.string else {
                throw ConsoleError(422, "units.\(unit): expected a string, found \(id.kind)")
            }
            if !id.isEmpty { units[unit] = id }
        }
        let context = FeatureContext(
            units: units, country: try text("country", of: asked), language: try text("language", of: asked))
        let list = setup.features.store.layers.experiments.all.map { compiled -> JSONValue in
            let assignment = setup.experiments.variant(
                of: compiled.experiment.id, default: "", for: context, recordsExposure: false)
            return [
                "experiment": .string(assignment.experiment),
                "variant": assignment.isInExperiment ? .string(assignment.variant) : .null,
                "reason": .string(assignment.reason.rawValue), "isSticky": .bool(assignment.isSticky),
            ]
        }
        return ["assignments": .array(list)]
    }

    private func text(_ name: String, of asked: JSONObject) throws(ConsoleError) -> String? {
        guard let value = asked[name], value != .null else { return nil }
        guard let text = value.string else {
            throw ConsoleError(422, "\(name): expected a string, found \(value.kind)")
        }
        return text
    }
}

extension Experiment {
    fileprivate func json(forced: String?, isSecret: (VariableKey) -> Bool) -> JSONValue {
        // The ranges are of all units; their lengths are the shares.
        let variants = zip(variants, ranges).map { variant, range -> JSONValue in
            let values = variant.values(isSecret).map { ($0.feature, JSONValue.object($0.values)) }
            return [
                "name": .string(variant.name), "weight": variant.weight.map { JSONValue(shortest: $0) } ?? .null,
                "share": .double(range.upperBound - range.lowerBound),
                "values": .object(JSONObject(values)),
            ]
        }
        return [
            "id": .string(id), "unit": .string(unit), "seed": .string(seed),
            "hashVersion": JSONValue(hashVersion?.rawValue), "coverage": JSONValue(shortest: coverage),
            "sticky": .bool(isSticky), "countries": JSONValue(texts: countries),
            "languages": JSONValue(texts: languages),
            "variants": .array(variants), "forced": forced.map(JSONValue.string) ?? .null,
        ]
    }
}

extension ExperimentCounters {
    fileprivate var json: JSONValue {
        [
            "exposuresTracked": .int(exposuresTracked), "exposuresLost": .int(exposuresLost),
            "exposuresForgotten": .int(exposuresEvicted), "assignmentsKept": .int(assignmentsStored),
            "assignmentsLost": .int(assignmentsLost), "storeFailures": .int(storeFailures),
        ]
    }
}

extension JSONValue {
    fileprivate init(texts: [String]?) {
        self = texts.map { .array($0.map(JSONValue.string)) } ?? .null
    }
}
