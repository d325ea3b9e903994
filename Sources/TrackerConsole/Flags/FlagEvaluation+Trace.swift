import TrackerFeatures

extension FlagEvaluation {
    /// Adds data of an explanation: the variants that do not set the flag's value, as metadata such as
    /// `"experiment.checkout_01": "control"`, and the explanation itself if it was requested.
    func explain(_ place: FeatureKey, isTraced: Bool, in json: inout JSONObject) {
        // If a rule or a variant sets the value, the answer already names it.
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
