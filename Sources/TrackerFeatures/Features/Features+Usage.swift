extension Features {
    /// The number and the time of each feature's evaluations in this process, sorted by name; features that were not
    /// evaluated are listed too, so that unused flags can be found. Of the features that no source has any more, the
    /// last 10,000 are remembered.
    package var usage: [FeatureUsage] {
        let usages = store.usage.update(at: experiments.parts.time.now)
        let names = Set(store.layers.names.map(ExactText.init)).union(usages.keys)
        return names.sorted().map { usages[$0] ?? FeatureUsage(feature: $0.text) }
    }

    /// The number of reads that failed: their value had another type than the requested one, could not be decrypted, or
    /// was rejected because the read would take too many steps or a unit's id is too long.
    public var readFailures: Int { store.failures.counter.total }

    /// The number of reads and overrides of features, variables, experiments and variants that no source has. The first
    /// of each name is a warning in the log. They are not counted before a document is applied or another source has
    /// features.
    public var unknownNames: Int { store.unknownNames.counter.total }
}
