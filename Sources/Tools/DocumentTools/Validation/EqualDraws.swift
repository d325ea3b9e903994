import TrackerConfig

/// Experiments whose units are drawn by the same hash as those of something else, so that one decides about the other.
///
/// Rules alone may share a seed on purpose, to select the same units first. A rule's default seed is its feature's name and an
/// experiment's is its id, so that a feature and an experiment of one name have one by mistake.
struct EqualDraws {
    /// What decides in which fraction a unit is.
    private struct Draw: Hashable {
        let unit: ExactText
        let seed: ExactText
        let hashVersion: HashVersion
    }

    private var places: [Draw: [String]] = [:]

    init(_ features: [FeatureDefinition], _ experiments: [Experiment]) {
        for feature in features {
            for (index, rule) in feature.rules.enumerated() {
                guard let bucket = rule.bucket, let version = bucket.hashVersion else { continue }
                let draw = Draw(
                    unit: ExactText(bucket.unit), seed: ExactText(bucket.seed), hashVersion: version)
                places[draw, default: []].append("features.\(feature.name.oneLine(most: 200)).rules[\(index)]")
            }
        }
        var warnings: [ConfigurationError] = []
        for (index, experiment) in experiments.enumerated() {
            guard let version = experiment.hashVersion else { continue }
            let draw = Draw(
                unit: ExactText(experiment.unit), seed: ExactText(experiment.seed), hashVersion: version)
            if let other = places[draw]?.first {
                let reason =
                    "it selects units by the same seed \(experiment.seed.excerpt) as \(other), so that one decides about the "
                    + "other; give it a seed of its own"
                warnings.append(ConfigurationError(.warning, place: "experiments[\(index)]", reason: reason))
            }
            places[draw, default: []].append("experiments[\(index)]")
        }
        self.warnings = warnings
    }

    /// What the author should know.
    let warnings: [ConfigurationError]
}
