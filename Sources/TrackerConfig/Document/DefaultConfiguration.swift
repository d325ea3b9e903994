import TrackerFeatures

/// The default configuration that a service ships.
package struct DefaultConfiguration: Sendable {
    /// The bundles of its trackers.
    package let bundles: [ConfigurationBundle]
    package var features: [FeatureDefinition] = []
    package var experiments: [Experiment] = []
    package var meta = JSONObject()
    /// The warnings of its document.
    package var warnings: [ConfigurationError] = []

    package init(bundles: [ConfigurationBundle]) {
        self.bundles = bundles
    }

    package init(_ document: Document) {
        bundles = document.bundles
        features = document.features
        experiments = document.experiments
        meta = document.meta
        warnings = document.warnings
    }

    package var isEmpty: Bool { bundles.isEmpty && features.isEmpty && experiments.isEmpty && meta.isEmpty }
}
