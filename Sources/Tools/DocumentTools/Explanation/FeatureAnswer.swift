package import TrackerConfig

/// What a context gets of a feature, or a read without one, and why. No exposure is recorded and nothing is stored.
package struct FeatureAnswer: Sendable {
    /// A value with its reason.
    package struct Reading: Sendable {
        /// The variable's name; nil for whether the feature is enabled.
        package let variable: String?
        /// The value; nil if no source has one, or if it is a secret.
        package let value: JSONValue?
        /// The source; ``FeatureSource/fallback`` if no source has a value.
        package let source: FeatureSource
        /// Why the value is what it is.
        package let reason: EvaluationReason
        /// The id of the rule that gives the value; nil if none does.
        package let rule: String?
        /// Whether the value is a secret.
        package let isSecret: Bool
    }

    /// The feature's name.
    package let name: String

    /// Whether the feature is enabled, then the variables sorted by name.
    package let readings: [Reading]

    /// Evaluates a feature.
    /// - Parameters:
    ///   - name: The feature's name.
    ///   - layers: The layers to read.
    ///   - reader: Reads them.
    ///   - context: The context; nil for a read without one.
    package init(_ name: String, in layers: FeatureLayers, by reader: FeatureReader, for context: FeatureContext?) {
        self.name = name
        readings = ReadBudget.open { Self.readings(of: name, in: layers, by: reader, for: context, $0) }
    }

    private static func readings(
        of name: String, in layers: FeatureLayers, by reader: FeatureReader, for context: FeatureContext?,
        _ budget: ReadBudget
    ) -> [Reading] {
        var request = FeatureReader.Request(layers: layers, context: context, records: false)
        request.budget = budget
        func reading(_ variable: String?) -> Reading {
            let key = variable.map { VariableKey(name, $0) }
            let isSecret = key.map(layers.isSecret) ?? false
            var found: Candidate?
            let isDisabled = reader.resolve(key.map(FeatureKey.variable) ?? .enabled(name), request) { candidate in
                found = candidate
                return .taken
            }
            return Reading(
                variable: variable, value: isSecret ? nil : found?.content.value, source: found?.source ?? .fallback,
                reason: budget.fault != nil ? .error : found?.reason ?? (isDisabled ? .disabled : .default),
                rule: found?.rule,
                isSecret: isSecret)
        }
        return [reading(nil)] + layers.variables(of: name).map { reading($0) }
    }

    /// The answer as JSON.
    package var json: JSONValue {
        let variables = readings.dropFirst().map { ($0.variable ?? "", $0.json) }
        return [
            "name": .string(name), "enabled": readings.first?.json ?? .null,
            "variables": .object(JSONObject(variables)),
        ]
    }
}

extension FeatureAnswer.Reading {
    fileprivate var json: JSONValue {
        var object: JSONObject = [
            "value": value ?? .null, "source": .string(source.description), "reason": .string(reason.rawValue),
            "rule": rule.map(JSONValue.string) ?? .null,
        ]
        if isSecret { object["isEncrypted"] = true }
        return .object(object)
    }
}

extension FeatureContext {
    /// Reads a context: `{"units": {"userId": "u-1"}, "country": "US", "language": "en", "attributes": {…}}`. A unit that is
    /// null or empty is left out.
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
            case ("units", _), ("attributes", _): throw ContextFault(name, "an object", value)
            case ("country", _), ("language", _): throw ContextFault(name, "a string", value)
            default: throw ContextFault(unknown: name)
            }
        }
    }
}

/// Why a context cannot be used.
package struct ContextFault: Error, CustomStringConvertible {
    package let description: String

    fileprivate init(_ place: String, _ expected: String, _ found: JSONValue) {
        description = "\(place): expected \(expected), found \(found.kind)"
    }

    fileprivate init(unknown name: String) {
        description = "\(name): a context has units, country, language and attributes"
    }
}
