import DocumentTools
import TrackerConfig

/// The experiments of a document, made of those of GrowthBook's rules.
///
/// Rules of several features may belong to one experiment: then its variants override variables of all of them.
struct GrowthBookExperiments {
    /// What rules of one experiment have in common.
    private struct Shape: Hashable {
        let key: ExactText
        let seed: ExactText
        let settings: JSONObject
        let names: [ExactText]
        let weights: [Double?]
        let passthroughs: [Bool]
    }

    /// The experiments of one shape. There are several if rules of one feature contradict each other.
    private struct Group {
        /// The places of the experiments in the list of all.
        var entries: [Int] = []
        /// The places by what the variants say of a feature. They are the first of ``entries``.
        var features: [ExactText: [[Content]: Int]] = [:]
    }

    /// What a variant says of a feature.
    private struct Content: Hashable {
        let values: JSONObject
        let isEnabled: Bool?

        init(_ variant: ExperimentVariant, of feature: ExactText) {
            // A document has no variables without a value.
            values = JSONObject(unique: (variant.overrides[feature]?.members ?? []).filter { $0.value != .null })
            isEnabled = variant.enabledFeatures[feature]
        }
    }

    private struct Variant {
        let name: String
        let weight: Double?
        let isPassthrough: Bool
        private var values: [JSONObject.Member] = []
        private var enabled: [JSONObject.Member] = []

        init(_ variant: ExperimentVariant) {
            (name, weight, isPassthrough) = (variant.name, variant.weight, variant.isPassthrough)
        }

        mutating func add(_ content: Content, of feature: String) {
            if !content.values.isEmpty { values.append((feature, .object(content.values))) }
            if let isEnabled = content.isEnabled { enabled.append((feature, .bool(isEnabled))) }
        }

        var json: JSONValue {
            .object(
                JSONObject(present: [
                    ("name", .string(name)), ("weight", weight.map { JSONValue(shortest: $0) }),
                    ("values", values.isEmpty ? nil : .object(JSONObject(unique: values))),
                    ("enabled", .object(JSONObject(unique: enabled))), ("passthrough", isPassthrough ? true : nil),
                ]))
        }
    }

    private struct Entry {
        let id: String
        let settings: [JSONObject.Member]
        var variants: [Variant]
    }

    private var entries: [Entry] = []
    private var groups: [Shape: Group] = [:]
    private var ids: Set<ExactText> = []
    /// The highest number that an id of each key has.
    private var numbers: [ExactText: Int] = [:]

    /// What means something else in a document.
    private(set) var notes: [ConfigurationError] = []

    /// Whether there is no experiment.
    var isEmpty: Bool { entries.isEmpty }

    /// The experiments as a document has them.
    var json: [JSONValue] {
        entries.map { entry in
            let variants = JSONValue.array(entry.variants.map(\.json))
            return .object(JSONObject(unique: [("id", .string(entry.id))] + entry.settings + [("variants", variants)]))
        }
    }

    /// Adds the experiment of a rule.
    /// - Parameters:
    ///   - experiment: The experiment.
    ///   - feature: The rule's feature.
    ///   - place: The rule's place in the payload.
    /// - Returns: The id that the rule refers to.
    mutating func add(_ experiment: Experiment, of feature: String, _ place: String) -> String {
        let shape = Shape(
            key: ExactText(experiment.id), seed: ExactText(experiment.seed),
            settings: JSONObject(unique: Self.settings(experiment)),
            names: experiment.variants.map { ExactText($0.name) }, weights: experiment.variants.map(\.weight),
            passthroughs: experiment.variants.map(\.isPassthrough))
        let name = ExactText(feature)
        let contents = experiment.variants.map { Content($0, of: name) }
        if let index = groups[shape]?.features[name]?[contents] { return entries[index].id }
        let known = groups[shape]?.features[name]?.count ?? 0
        let free = groups[shape].flatMap { known < $0.entries.count ? $0.entries[known] : nil }
        let index = free ?? append(experiment, shape, place)
        groups[shape, default: Group()].features[name, default: [:]][contents] = index
        for (number, content) in contents.enumerated() { entries[index].variants[number].add(content, of: feature) }
        return entries[index].id
    }

    /// Adds an experiment that has no values for any feature yet.
    /// - Returns: Its place in the list.
    private mutating func append(_ experiment: Experiment, _ shape: Shape, _ place: String) -> Int {
        let id = freeID(experiment.id)
        if !id.isExactly(experiment.id) {
            let reason =
                "another rule has an experiment with the key \(experiment.id.excerpt) and other settings or values; this one "
                + "becomes \(id.excerpt)"
            note("\(place).key", reason)
        }
        if experiment.keepsVariants {
            let reason =
                "sticky: a unit that the condition, filters or prerequisites leave out gets the default, and not its stored "
                + "variant as in GrowthBook"
            note(place, reason)
        }
        if experiment.variants.contains(where: \.isPassthrough) {
            note("\(place).meta", "a holdout: units of its variants with passthrough continue with the next rule")
        }
        // The seed stays that of the key, so that units keep their variants.
        let seed: [JSONObject.Member] = experiment.seed.isExactly(id) ? [] : [("seed", .string(experiment.seed))]
        entries.append(
            Entry(id: id, settings: seed + shape.settings.members, variants: experiment.variants.map(Variant.init)))
        let index = entries.count - 1
        groups[shape, default: Group()].entries.append(index)
        return index
    }

    private mutating func note(_ place: String, _ reason: String) {
        notes.append(ConfigurationError(.warning, place: place.oneLine(most: 300), reason: reason))
    }

    private mutating func freeID(_ key: String) -> String {
        var id = key
        var number = numbers[exactly: key] ?? 1
        while !ids.insert(ExactText(id)).inserted {
            number += 1
            id = "\(key)-\(number)"
        }
        numbers[exactly: key] = number
        return id
    }

    private static func settings(_ experiment: Experiment) -> [JSONObject.Member] {
        let exceptions = experiment.exceptions
        let hasCoverage = experiment.coverage != 1 && !exceptions.contains { $0.name == "ranges" }
        let own: [(String, JSONValue?)] = [
            ("unit", .string(experiment.unit)), ("hashVersion", experiment.hashVersion.json),
            ("coverage", hasCoverage ? JSONValue(shortest: experiment.coverage) : JSONValue?.none),
            ("sticky", experiment.keepsVariants ? true : nil),
        ]
        return JSONObject(present: own).members + experiment.targeting.members + exceptions
    }
}

extension Experiment {
    /// Whether units keep their variants. GrowthBook's SDKs have an option for it, which only these settings show in a payload.
    fileprivate var keepsVariants: Bool {
        isSticky && (fallbackUnit != nil || bucketVersion > 0 || minBucketVersion > 0)
    }
}
