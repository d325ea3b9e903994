/// What a service ships with.
struct DefaultConfiguration: Sendable {
    let bundles: [ConfigurationBundle]
    var features: [FeatureDefinition] = []
    var experiments: [Experiment] = []
    var meta = JSONObject()

    init(bundles: [ConfigurationBundle]) {
        self.bundles = bundles
    }

    init(_ document: Document) {
        bundles = document.bundles
        features = document.features
        experiments = document.experiments
        meta = document.meta
    }

    var isEmpty: Bool { bundles.isEmpty && features.isEmpty && experiments.isEmpty && meta.isEmpty }
}
