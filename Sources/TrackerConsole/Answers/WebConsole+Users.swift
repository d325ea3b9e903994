import DocumentTools
import TrackerConfig
import TrackerFeatures

extension WebConsole {
    /// The results of all experiments and features for a context; no exposure is recorded.
    func assignments(_ body: [UInt8]) throws(ConsoleError) -> JSONObject {
        let context = try context(try object(body))
        let layers = setup.features.store.layers
        let snapshot = setup.features.snapshot
        let list = layers.experiments.all.map { compiled -> JSONValue in
            let assignment = setup.experiments.variant(
                of: compiled.experiment.id, default: "", for: context, recordsExposure: false)
            return [
                "experiment": .string(assignment.experiment),
                "variant": assignment.isInExperiment ? .string(assignment.variant) : .null,
                "reason": .string(assignment.reason.rawValue), "isSticky": .bool(assignment.isSticky),
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

    /// The explanation of a value: the request is a context with `feature` and, for a variable, `variable`; no exposure
    /// is recorded.
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
}
