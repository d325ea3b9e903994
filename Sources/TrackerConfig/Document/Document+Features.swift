extension FeatureStore.Remote {
    /// The features and experiments of a document.
    package init(_ document: Document) {
        self.init(version: document.version, features: document.features, experiments: document.experiments)
    }
}
