import TrackerConfig

/// The steps that reads of a document's features take with long texts, so that an author learns of the bound of a read before
/// a user's request does.
struct ReadCost {
    /// The longest texts that are reckoned with, as the warning says.
    static let usualLength = 1000

    /// The steps of each feature's own rules and experiments.
    private var own: [ExactText: Int] = [:]

    /// The features that each feature's rules and experiments ask for, as often as they do.
    private var asked: [ExactText: [ExactText]] = [:]

    init(_ features: [FeatureDefinition], _ experiments: [Experiment]) {
        for feature in features {
            for rule in feature.rules {
                add(rule.targeting, of: ExactText(feature.name), ReadBudget.ruleSteps + Self.hash(rule.bucket?.seed))
                if let experiment = rule.experiment { add(experiment, of: ExactText(feature.name)) }
            }
        }
        for experiment in experiments {
            let features = experiment.variants.flatMap { Array($0.overrides.keys) + Array($0.enabledFeatures.keys) }
            for feature in Set(features) { add(experiment, of: feature) }
        }
    }

    private mutating func add(_ experiment: Experiment, of feature: ExactText) {
        let steps = ReadBudget.ruleSteps + experiment.variants.count / 8 + Self.hash(experiment.seed)
        add(experiment.targeting, of: feature, steps)
    }

    private mutating func add(_ targeting: Targeting, of feature: ExactText, _ steps: Int) {
        let filters = targeting.filters.reduce(0) { $0 + Self.hash($1.seed) }
        let conditions = ([targeting.condition] + targeting.prerequisites.map(\.condition)).compactMap { $0 }
        own[feature, default: 0] += steps + filters + conditions.reduce(0) { $0 + $1.usualSteps }
        asked[feature, default: []] += targeting.prerequisites.map { ExactText($0.feature) }
    }

    private static func hash(_ seed: String?) -> Int {
        seed.map { ($0.utf8.count + ReadBudget.maximumUnitLength) / 8 } ?? 0
    }

    /// The features of which a read may be given up, with its steps.
    var excessive: [(feature: String, steps: Int)] {
        // Of a chain, ten prerequisites are evaluated, and a thousand in all.
        let most = (own.values.max() ?? 0) * (1 + Prerequisite.maxEvaluations)
        var total = own
        for _ in 0..<Prerequisite.maxDepth {
            let behind = total
            for (feature, others) in asked {
                let steps = others.reduce(own[feature] ?? 0) { min($0 + (behind[$1] ?? 0), most) }
                total[feature] = steps
            }
        }
        return total.filter { $0.value > ReadBudget.maximumSteps }.sorted { $0.key < $1.key }
            .map { ($0.key.text, $0.value) }
    }

    /// What the author should know.
    var warnings: [ConfigurationError] {
        excessive.map { feature, steps in
            let reason =
                "a read of all its values takes about \(steps) steps if attributes are texts of \(Self.usualLength) "
                + "characters; at \(ReadBudget.maximumSteps) the read stops, and the values for all contexts apply"
            return ConfigurationError(.warning, place: "features.\(feature.oneLine(most: 200))", reason: reason)
        }
    }
}
