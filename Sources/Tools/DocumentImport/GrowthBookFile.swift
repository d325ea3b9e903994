import DocumentTools
import TrackerFeatures
import TrackerGrowthBook

/// Reads GrowthBook's payload from its API, its proxy or a CDN.
///
/// Features and rules are kept; the experiments of rules become experiments of the document, which the rules name;
/// saved groups become segments. A rule that matches no context is left out.
struct GrowthBookFile {
    /// An experiment of the document. Rules of several features may use the same one.
    private struct Entry {
        let id: String
        let settings: JSONObject
        let variants: [JSONObject]
        /// The contents of the variants by feature.
        var contents: [(feature: String, variants: [Content])] = []

        func gives(_ feature: String) -> [Content]? { contents.first { $0.feature.isExactly(feature) }?.variants }

        var json: JSONValue {
            let variants = variants.enumerated().map { index, variant -> JSONValue in
                let values = contents.filter { !$0.variants[index].values.isEmpty }
                    .map { ($0.feature, JSONValue.object($0.variants[index].values)) }
                let enabled = contents.compactMap { content in
                    content.variants[index].isEnabled.map { (content.feature, JSONValue.bool($0)) }
                }
                var variant = variant
                if !values.isEmpty { variant["values"] = .object(JSONObject(values)) }
                variant["enabled"] = .object(JSONObject(enabled))
                return .object(variant)
            }
            return .object(
                JSONObject(unique: [("id", .string(id))] + settings.members + [("variants", .array(variants))]))
        }
    }

    private struct Content: Equatable {
        let values: JSONObject
        let isEnabled: Bool?
    }

    private let payload: GrowthBookPayload
    private var notes: [ConfigurationError] = []
    private var entries: [Entry] = []
    /// The indices of the entries by key.
    private var places: [ExactText: [Int]] = [:]
    private var ids: Set<ExactText> = []
    private var units: [String] = []

    /// Reads a file.
    /// - Throws: An error if the file does not have the expected structure.
    init(_ file: [UInt8]) throws(ConfigurationError) {
        var options = GrowthBookOptions()
        options.usesStickyBuckets = true
        payload = try GrowthBookPayload(file, options: options)
    }

    /// Problems of the import: settings that were left out or have another meaning in a document.
    var warnings: [ConfigurationError] { payload.warnings + notes }

    /// Returns the members of the document.
    mutating func members() -> [JSONObject.Member] {
        let features = payload.features.map { ($0.name, JSONValue.object(feature($0))) }
        for unit in units.sortedUnique where unit != "userId" {
            note("unit", "the unit \(unit.excerpt) comes from the context; set it in its units or attributes")
        }
        var members: [JSONObject.Member] = [("features", .object(JSONObject(features)))]
        if !payload.savedGroups.isEmpty { members.append(("segments", .object(payload.savedGroups))) }
        if !entries.isEmpty { members.append(("experiments", .array(entries.map(\.json)))) }
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
        let variables = feature.variables.map { ($0.name, JSONValue.object(["value": $0.value])) }
        return JSONObject(present: [
            ("enabled", feature.isEnabled.map(JSONValue.bool)), ("variables", .object(JSONObject(variables))),
            ("rules", rules.isEmpty ? nil : .array(rules)),
        ])
    }

    private mutating func rule(_ rule: FeatureRule, of feature: String, _ place: String) -> JSONObject? {
        let gates = rule.targeting.prerequisites.filter(\.isGate)
        if !gates.isEmpty {
            let reason =
                "a gate: if it fails, the feature is not enabled and its variables come from the next source, instead of being null"
            note("\(place).parentConditions", reason)
        }
        var gate = FeatureRule(id: rule.id, targeting: Targeting(prerequisites: gates)).json(of: feature)
        guard rule.isUsable, rule.targeting.canMatch, rule.bucket.map({ $0.hashVersion != nil }) ?? true,
            rule.experiment.map({ $0.isUsable && $0.targeting.canMatch && $0.hashVersion != nil }) ?? true
        else { return gates.isEmpty ? nil : gate }
        if let experiment = rule.experiment {
            units += [experiment.unit, experiment.fallbackUnit].compactMap(\.self)
            units += experiment.targeting.filters.compactMap(\.unit)
            gate["experiment"] = .string(id(of: experiment, feature, place))
            return gate
        }
        units += [rule.bucket?.unit].compactMap(\.self) + rule.targeting.filters.compactMap(\.unit)
        var rule = rule
        let count = rule.values.count
        rule.values = rule.values.withoutNull
        if rule.values.count < count {
            note("\(place).force", "a variable cannot be null; the rule only disables the feature")
        }
        return rule.json(of: feature)
    }

    /// Returns the id of the rule's experiment in the document, which is added if it is missing.
    private mutating func id(of experiment: Experiment, _ feature: String, _ place: String) -> String {
        let key = ExactText(experiment.id)
        let (settings, variants) = (experiment.settings, experiment.variants.map(\.shape))
        let contents = experiment.variants.map { variant in
            Content(
                values: (variant.overrides[exactly: feature] ?? JSONObject()).withoutNull,
                isEnabled: variant.enabledFeatures[exactly: feature])
        }
        let known = places[key]?.first { index in
            let entry = entries[index]
            return entry.settings["seed"] ?? .string(entry.id) == .string(experiment.seed) && entry.variants == variants
                && entry.settings.without("seed") == settings && entry.gives(feature) ?? contents == contents
        }
        let index = known ?? entries.count
        if known == nil {
            let id = freeID(experiment, place)
            // The seed is still derived from the key, so that units keep their variants.
            let seed: [JSONObject.Member] = experiment.seed.isExactly(id) ? [] : [("seed", .string(experiment.seed))]
            entries.append(
                Entry(id: id, settings: JSONObject(unique: seed + settings.members), variants: variants))
            places[key, default: []].append(index)
        }
        if entries[index].gives(feature) == nil { entries[index].contents.append((feature, contents)) }
        return entries[index].id
    }

    private mutating func freeID(_ experiment: Experiment, _ place: String) -> String {
        var (id, number) = (experiment.id, (places[ExactText(experiment.id)]?.count ?? 0))
        while !ids.insert(ExactText(id)).inserted {
            number += 1
            id = "\(experiment.id)-\(max(2, number))"
        }
        if !id.isExactly(experiment.id) {
            note(
                "\(place).key",
                "another rule has an experiment with the key \(experiment.id.excerpt) and other settings or values; this one becomes \(id.excerpt)"
            )
        }
        if experiment.keepsVariants {
            note(
                place,
                "sticky: a unit that the condition, filters or prerequisites leave out gets the default, and not its stored variant as in GrowthBook"
            )
        }
        if experiment.variants.contains(where: \.isPassthrough) {
            note("\(place).meta", "a holdout: units of its variants with passthrough continue with the next rule")
        }
        return id
    }
}

extension Experiment {
    /// Whether units keep their variants. This is an option of GrowthBook's SDKs; in a payload only these settings show
    /// it.
    fileprivate var keepsVariants: Bool {
        isSticky && (fallbackUnit != nil || bucketVersion > 0 || minBucketVersion > 0)
    }

    /// The settings in the form of a document, without the seed.
    fileprivate var settings: JSONObject {
        let hasCoverage = coverage != 1 && !exceptions.contains { $0.name == "ranges" }
        let own = JSONObject(present: [
            ("unit", .string(unit)), ("hashVersion", hashVersion.json),
            ("coverage", hasCoverage ? JSONValue(shortest: coverage) : JSONValue?.none),
            ("sticky", keepsVariants ? true : nil),
        ])
        return JSONObject(unique: own.members + targeting.members + exceptions)
    }
}

extension ExperimentVariant {
    /// The variant without its features.
    fileprivate var shape: JSONObject {
        JSONObject(present: [
            ("name", .string(name)), ("weight", weight.map { JSONValue(shortest: $0) }),
            ("passthrough", isPassthrough ? true : nil),
        ])
    }
}

extension JSONObject {
    /// The object without null members, because variables of a document have values.
    fileprivate var withoutNull: JSONObject { JSONObject(unique: members.filter { $0.value != .null }) }

    fileprivate func without(_ name: String) -> JSONObject { JSONObject(unique: members.filter { $0.name != name }) }
}

extension Targeting {
    fileprivate var canMatch: Bool {
        filters.allSatisfy { $0.hashVersion != nil } && !(condition?.problems.contains(where: \.isFatal) ?? false)
    }
}
