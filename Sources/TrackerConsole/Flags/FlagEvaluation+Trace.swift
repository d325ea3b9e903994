import TrackerConfig

extension FlagEvaluation {
    /// Adds what only an explanation knows: the variants that leave a flag's value as it is, as metadata such as
    /// `"experiment.checkout_01": "control"`, and the explanation itself if it is asked for.
    func explain(_ place: FeatureKey, isTraced: Bool, in json: inout JSONObject) {
        // Of a value that a rule or a variant gives, the answer says which.
        let isPassedOn = json["reason"] == "UNKNOWN"
        guard isTraced || isPassedOn else { return }
        let explanation = snapshot.evaluate(for: context, records: false) { $0.explanation(of: place) }
        if isPassedOn, !explanation.variants.isEmpty {
            var metadata = json["metadata"]?.object ?? JSONObject()
            for (experiment, variant) in explanation.variants.sorted(by: { $0.key < $1.key }) {
                metadata["experiment.\(experiment)"] = .string(variant)
            }
            json["metadata"] = .object(metadata)
        }
        if isTraced { json["trace"] = .object(explanation.json) }
    }
}
