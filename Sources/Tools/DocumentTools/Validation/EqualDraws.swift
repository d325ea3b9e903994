import TrackerFeatures

/// Experiments that share the hash of another experiment or rule, so that both select the same units.
///
/// Rules may share a seed on purpose, to select the same units first. A rule's default seed is its feature's name and
/// an experiment's is its id, so a feature and an experiment with the same name share a seed by mistake.
struct EqualDraws {
    /// The inputs of the hash apart from the unit's id.
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

    /// The warnings, each at an experiment.
    let warnings: [ConfigurationError]
}
