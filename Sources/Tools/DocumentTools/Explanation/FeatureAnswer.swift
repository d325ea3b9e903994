package import TrackerFeatures

/// The values of a feature for a context, or for a read without one, and the reasons. No exposure is recorded and
/// nothing is stored.
package struct FeatureAnswer: Sendable {
    /// The feature's name.
    package let name: String

    /// Whether the feature is enabled, then the variables sorted by name. Types are not checked, and nothing is
    /// decrypted.
    package let readings: [FeatureExplanation]

    /// Evaluates a feature.
    /// - Parameters:
    ///   - name: The feature's name.
    ///   - snapshot: The features.
    ///   - context: The context; nil for a read without one.
    package init(_ name: String, in snapshot: FeatureSnapshot, for context: FeatureContext?) {
        self.name = name
        let variables = snapshot.layers.variables(of: name).map { FeatureKey.variable(VariableKey(name, $0)) }
        readings = snapshot.evaluate(for: context, records: false) { evaluator in
            ([.enabled(name)] + variables).map { evaluator.explanation(of: $0) }
        }
    }

    /// The answer as JSON.
    /// - Parameters:
    ///   - isTraced: Whether it includes the steps of each explanation.
    ///   - below: The answer without overrides; nil if there are none.
    /// - Returns: The answer.
    package func json(isTraced: Bool = false, withoutOverrides below: FeatureAnswer? = nil) -> JSONValue {
        let answers = readings.map { reading in
            let lower = below?.readings.first { $0.variable == reading.variable }
            return (reading.variable ?? "", reading.answer(isTraced, withoutOverrides: lower))
        }
        return [
            "name": .string(name), "enabled": answers.first?.1 ?? .null,
            "variables": .object(JSONObject(answers.dropFirst().map { ($0.0, $0.1) })),
        ]
    }
}

extension FeatureExplanation {
    fileprivate func answer(_ isTraced: Bool, withoutOverrides below: FeatureExplanation?) -> JSONValue {
        var object = outcome
        let isOverridden = source == .override || source == .request
        if let below, !isSecret, isOverridden || below.outcome != outcome {
            object["withoutOverride"] = .object(below.outcome)
        }
        if isSecret { object["isEncrypted"] = true }
        if !variants.isEmpty {
            object["variants"] = .object(
                JSONObject(variants.sorted { $0.key < $1.key }.map { ($0.key, JSONValue.string($0.value)) }))
        }
        if isTraced { object["steps"] = json["steps"] }
        return .object(object)
    }

    fileprivate var outcome: JSONObject {
        [
            "value": value ?? .null, "source": .string(source.description), "reason": .string(reason.rawValue),
            "rule": rule.map(JSONValue.string) ?? .null,
        ]
    }
}

extension FeatureContext {
    /// Reads a context: `{"units": {"userId": "u-1"}, "country": "US", "language": "en", "attributes": {…},
    /// "overrides": {…}}`. A unit that is null or empty is left out. The overrides have the form of
    /// ``FeatureOverrides/forRequest(_:)``.
    /// - Throws: ``ContextFault`` for another type or an unknown key.
    package init(_ json: JSONObject) throws(ContextFault) {
        self.init()
        for (name, value) in json.members where value != .null {
            switch (name, value) {
            case ("units", .object(let units)):
                for (unit, id) in units.members where id != .null {
                    guard let id = id.string else { throw ContextFault("units.\(unit)", "a string", id) }
                    if !id.isEmpty { self.units[unit] = id }
                }
            case ("country", .string(let country)): self.country = country
            case ("language", .string(let language)): self.language = language
            case ("attributes", .object(let attributes)): self.attributes = attributes
            case ("overrides", .object(let overrides)):
                do throws(FeatureError) {
                    self.overrides = try RequestOverrides(overrides)
                } catch {
                    throw ContextFault("overrides.\(error)")
                }
            case ("units", _), ("attributes", _), ("overrides", _): throw ContextFault(name, "an object", value)
            case ("country", _), ("language", _): throw ContextFault(name, "a string", value)
            default: throw ContextFault(unknown: name, value)
            }
        }
    }
}

/// The error of an invalid context.
package struct ContextFault: Error, CustomStringConvertible {
    package let description: String

    fileprivate init(_ place: String, _ expected: String, _ found: JSONValue) {
        description = "\(place): expected \(expected), found \(found.kind)"
    }

    fileprivate init(_ description: String) { self.description = description }

    /// The fault of an unknown key, with a suggestion; an id is probably meant as a unit.
    fileprivate init(unknown name: String, _ value: JSONValue) {
        let keys = ["units", "country", "language", "attributes", "overrides"]
        if let key = name.closest(in: keys) {
            description = "unknown key \(name.excerpt); did you mean '\(key)'?"
            return
        }
        let isUnit = value.string != nil && name.lowercased().hasSuffix("id")
        let member: JSONObject = [name: value]
        let example = JSONValue.object([isUnit ? "units" : "attributes": .object(member)])
        description =
            "put \(name.oneLine(most: 60)) under \"\(isUnit ? "units" : "attributes")\": "
            + "\(example)".oneLine(most: 200)
    }
}
