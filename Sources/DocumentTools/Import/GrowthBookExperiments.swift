import TrackerConfig

/// The experiments of a document, made of those of GrowthBook's rules.
///
/// Rules of several features may belong to one experiment: then its variants override variables of all of them.
struct GrowthBookExperiments {
    fileprivate struct Variant {
        let name: String
        let weight: Double?
        let isPassthrough: Bool
        var values: [JSONObject.Member] = []
        var enabled: [JSONObject.Member] = []
    }

    fileprivate struct Entry {
        let id: String
        let key: String
        let settings: [JSONObject.Member]
        var variants: [Variant]

        fileprivate func isSame(_ settings: [JSONObject.Member], _ variants: [Variant]) -> Bool {
            JSONObject(unique: self.settings) == JSONObject(unique: settings)
                && self.variants.elementsEqual(variants) {
                    $0.name.isExactly($1.name) && $0.weight == $1.weight && $0.isPassthrough == $1.isPassthrough
                }
        }
    }

    private var entries: [Entry] = []

    /// What means something else in a document.
    private(set) var notes: [ConfigurationWarning] = []

    /// Whether there is no experiment.
    var isEmpty: Bool { entries.isEmpty }

    /// The experiments as a document has them.
    var json: [JSONValue] {
        entries.map { entry in
            let variants = entry.variants.map { variant in
                JSONValue.object(
                    JSONObject(present: [
                        ("name", .string(variant.name)), ("weight", variant.weight.map { JSONValue(shortest: $0) }),
                        ("values", variant.values.isEmpty ? nil : .object(JSONObject(unique: variant.values))),
                        ("enabled", .object(JSONObject(unique: variant.enabled))),
                        ("passthrough", variant.isPassthrough ? true : nil),
                    ]))
            }
            return .object(
                JSONObject(unique: [("id", .string(entry.id))] + entry.settings + [("variants", .array(variants))]))
        }
    }

    /// Adds the experiment of a rule.
    /// - Parameters:
    ///   - experiment: The experiment.
    ///   - targeting: The rule's own targeting. An experiment of a document has it too, because it is evaluated without the
    ///     rule as well.
    ///   - feature: The rule's feature.
    ///   - place: The rule's place in the payload.
    /// - Returns: The id that the rule refers to.
    mutating func add(
        _ experiment: Experiment, _ targeting: Targeting, of feature: String, _ place: String
    ) -> String {
        let settings = settings(experiment, targeting)
        let variants = experiment.variants.map { Variant($0, of: feature) }
        for index in entries.indices where entries[index].key.isExactly(experiment.id) {
            if entries[index].merge(settings, variants, of: feature) { return entries[index].id }
        }
        let id = freeID(experiment.id)
        if id != experiment.id {
            let reason =
                "another rule has an experiment with the key \(experiment.id.excerpt) and other settings or values; this one "
                + "becomes \(id.excerpt)"
            note("\(place).key", reason)
        }
        if experiment.isSticky {
            let reason =
                "sticky: a unit that the condition, filters or prerequisites leave out gets the default, and not its stored "
                + "variant as in GrowthBook"
            note(place, reason)
        }
        if variants.contains(where: \.isPassthrough) {
            note("\(place).meta", "a holdout: units of its variants with passthrough go on to the next rule")
        }
        // The seed stays that of the key, so that units keep their variants.
        let seed: [JSONObject.Member] =
            experiment.seed.isExactly(id) ? [] : [("seed", .string(experiment.seed))]
        entries.append(Entry(id: id, key: experiment.id, settings: seed + settings, variants: variants))
        return id
    }

    private mutating func note(_ place: String, _ reason: String) {
        notes.append(ConfigurationWarning(place: place.oneLine(most: 300), reason: reason))
    }

    private func freeID(_ key: String) -> String {
        var id = key
        var number = 1
        while entries.contains(where: { $0.id.isExactly(id) }) {
            number += 1
            id = "\(key)-\(number)"
        }
        return id
    }

    private func settings(_ experiment: Experiment, _ targeting: Targeting) -> [JSONObject.Member] {
        // The rule keeps a gate; here it only leaves units out.
        let prerequisites = (targeting.prerequisites + experiment.targeting.prerequisites).map {
            Prerequisite(feature: $0.feature, condition: $0.condition)
        }
        let weights = experiment.variants.map(\.weight)
        let derived = Bucketing.ranges(weights: weights, coverage: experiment.coverage)
        let hasRanges = derived != experiment.ranges
        return JSONObject(present: [
            ("unit", .string(experiment.unit)), ("fallbackUnit", experiment.fallbackUnit.map(JSONValue.string)),
            ("hashVersion", experiment.hashVersion.map { .int($0.rawValue) }),
            (
                "coverage",
                hasRanges || experiment.coverage == 1 ? JSONValue?.none : JSONValue(shortest: experiment.coverage)
            ),
            ("ranges", hasRanges ? .array(experiment.ranges.map(\.json)) : nil),
            ("sticky", experiment.isSticky ? true : nil), ("enabled", experiment.isEnabled ? nil : false),
            ("condition", experiment.targeting.condition.map { .object($0.json) }),
            ("prerequisites", prerequisites.prerequisitesJSON),
            ("filters", experiment.targeting.filters.filtersJSON),
            ("bucketVersion", experiment.bucketVersion == 0 ? nil : .int(experiment.bucketVersion)),
            ("minBucketVersion", experiment.minBucketVersion == 0 ? nil : .int(experiment.minBucketVersion)),
            ("force", experiment.forcedVariant.map(JSONValue.string)),
        ]).members
    }
}

extension GrowthBookExperiments.Variant {
    fileprivate init(_ variant: ExperimentVariant, of feature: String) {
        (name, weight, isPassthrough) = (variant.name, variant.weight, variant.isPassthrough)
        // A document has no variables without a value.
        let values = (variant.values[feature]?.members ?? []).filter { $0.value != .null }
        if !values.isEmpty { self.values = [(feature, .object(JSONObject(unique: values)))] }
        if let isEnabled = variant.enabled[feature] { enabled = [(feature, .bool(isEnabled))] }
    }

    /// Whether the variant says something of a feature.
    fileprivate func overrides(_ feature: String) -> Bool { enabled.contains { $0.name.isExactly(feature) } }
}

extension GrowthBookExperiments.Entry {
    /// Adds the values of another rule's variants.
    /// - Returns: Whether they belong to the same experiment and do not contradict it.
    fileprivate mutating func merge(
        _ settings: [JSONObject.Member], _ variants: [GrowthBookExperiments.Variant], of feature: String
    ) -> Bool {
        guard isSame(settings, variants) else { return false }
        if self.variants.contains(where: { $0.overrides(feature) }) {
            return zip(self.variants, variants).allSatisfy { own, other in
                other.values.allSatisfy { JSONObject(unique: own.values)[$0.name] == $0.value }
                    && other.enabled.allSatisfy { JSONObject(unique: own.enabled)[$0.name] == $0.value }
            }
        }
        for (index, other) in variants.enumerated() {
            self.variants[index].values += other.values
            self.variants[index].enabled += other.enabled
        }
        return true
    }
}
