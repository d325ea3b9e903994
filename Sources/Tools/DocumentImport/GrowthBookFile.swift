import DocumentTools
import TrackerConfig
import TrackerGrowthBook

/// Reads GrowthBook's payload, as its API, its proxy or a CDN serves it.
///
/// Features and rules stay what they are; the experiments of rules become experiments of the document, to which the rules
/// refer; saved groups become segments. A rule that matches no context is left out.
struct GrowthBookFile {
    let payload: GrowthBookPayload
    private var notes: [ConfigurationError] = []
    private var experiments = GrowthBookExperiments()
    private var units: [String] = []

    /// Reads a file.
    /// - Throws: An error if the file has another shape.
    init(_ file: [UInt8]) throws(ConfigurationError) {
        var options = GrowthBookOptions()
        options.usesStickyBuckets = true
        payload = try GrowthBookPayload(file, options: options)
    }

    /// What could not be carried over, or means something else in a document.
    var warnings: [ConfigurationError] { payload.warnings + notes }

    /// Makes the members of the document.
    mutating func members() -> [JSONObject.Member] {
        let features = payload.features.map { feature in
            (name: feature.name, value: JSONValue.object(self.feature(feature)))
        }
        for unit in units.sortedUnique where unit != "userId" {
            let reason = "the unit \(unit.excerpt) comes from the context; set it in its units or attributes"
            note("unit", reason)
        }
        notes += experiments.notes
        var members: [JSONObject.Member] = [("features", .object(JSONObject(unique: features)))]
        if !payload.savedGroups.isEmpty {
            members.append(("segments", .object(payload.savedGroups)))
        }
        if !experiments.isEmpty { members.append(("experiments", .array(experiments.json))) }
        return members
    }

    private mutating func note(_ place: String, _ reason: String) {
        notes.append(ConfigurationError(.warning, place: place.oneLine(most: 300), reason: reason))
    }

    private mutating func feature(_ feature: FeatureDefinition) -> JSONObject {
        var rules: [JSONValue] = []
        for (index, rule) in feature.rules.enumerated() {
            let place = "features.\(feature.name).rules[\(index)]"
            if let json = self.rule(rule, of: feature.name, place) {
                rules.append(.object(json))
            } else {
                note(place, "the rule matches no context and is left out")
            }
        }
        let variables = feature.variables.map { (name: $0.name, value: JSONValue.object(["value": $0.value])) }
        return JSONObject(present: [
            ("enabled", feature.isEnabled.map(JSONValue.bool)),
            ("variables", .object(JSONObject(unique: variables))),
            ("rules", rules.isEmpty ? nil : .array(rules)),
        ])
    }

    private mutating func rule(_ rule: FeatureRule, of feature: String, _ place: String) -> JSONObject? {
        let gates = rule.targeting.prerequisites.filter(\.isGate)
        if !gates.isEmpty {
            let reason =
                "a gate: if it fails, the feature is not enabled and its variables come from the next source, instead of "
                + "being null"
            note("\(place).parentConditions", reason)
        }
        let gate = FeatureRule(id: rule.id, targeting: Targeting(prerequisites: gates)).json(of: feature)
        guard rule.canMatch else { return gates.isEmpty ? nil : gate }
        if let experiment = rule.experiment {
            guard experiment.canMatch else { return gates.isEmpty ? nil : gate }
            units += [experiment.unit, experiment.fallbackUnit].compactMap(\.self)
            units += experiment.targeting.filters.compactMap(\.unit)
            let id = experiments.add(experiment, of: feature, place)
            var json = gate
            json["experiment"] = .string(id)
            return json
        }
        units += [rule.bucket?.unit].compactMap(\.self) + rule.targeting.filters.compactMap(\.unit)
        let values = rule.values.members.filter { $0.value != .null }
        if values.count < rule.values.count {
            note("\(place).force", "a variable cannot be null; the rule only disables the feature")
        }
        return FeatureRule(
            id: rule.id, targeting: rule.targeting, bucket: rule.bucket, isEnabled: rule.isEnabled,
            values: JSONObject(unique: values)
        ).json(of: feature)
    }
}

extension FeatureRule {
    /// Whether the rule can match a context.
    fileprivate var canMatch: Bool {
        isUsable && targeting.canMatch && (bucket.map { $0.hashVersion != nil } ?? true)
    }
}

extension Experiment {
    /// Whether the experiment can give a unit a variant.
    fileprivate var canMatch: Bool { isUsable && targeting.canMatch && hashVersion != nil }
}

extension Targeting {
    fileprivate var canMatch: Bool {
        filters.allSatisfy { $0.hashVersion != nil } && !(condition?.problems.contains(where: \.isFatal) ?? false)
    }
}
