import TrackerFeatures

extension GrowthBookReader {
    /// Reads an experiment that stands alone, as GrowthBook's `run` takes it.
    /// - Parameters:
    ///   - node: The experiment.
    ///   - place: The place of the experiment, for warnings.
    /// - Returns: The experiment; nil if it has no variations.
    /// - Throws: An error if it is not an object.
    mutating func experiment(_ node: JSONNode, _ place: String) throws(ConfigurationError) -> Experiment? {
        let fields = fields(try decoder.object(node, place), place, kind: .experiment)
        guard !fields.variations.isEmpty else { return nil }
        let targeting = Targeting(
            condition: fields.condition, prerequisites: fields.prerequisites,
            filters: fields.filters ?? fields.namespaces)
        let key = fields.key ?? ""
        return experiment(key, fields, targeting, of: key, place)
    }

    /// Makes an experiment of a rule with variations, of which there is one at least.
    mutating func experiment(
        _ key: String, _ fields: GrowthBookFields, _ targeting: Targeting, of feature: String, _ place: String
    ) -> Experiment {
        let names = fields.variations.indices.map { index in
            fields.meta.indices.contains(index) ? fields.meta[index].key ?? "\(index)" : "\(index)"
        }
        var isUsable = fields.isUsable
        if Set(names.map(ExactText.init)).count < names.count {
            decoder.warn(
                "\(place).meta", "two variations have one key, so \(GrowthBookFields.matchesNone)", fields.offset)
            isUsable = false
        }
        if fields.variations.count < 2 {
            let reason = "fewer than two variations, so \(GrowthBookFields.matchesNone)"
            decoder.warn("\(place).variations", reason, fields.offset)
            isUsable = false
        }
        let weights = usableWeights(fields, place)
        let variants = fields.variations.enumerated().map { index, value in
            ExperimentVariant(
                name: names[index], weight: weights?[index],
                overrides: [ExactText(feature): value.growthBookVariables],
                enabledFeatures: [ExactText(feature): value.isTruthy],
                isPassthrough: fields.meta.indices.contains(index) && fields.meta[index].isPassthrough)
        }
        let coverage = min(max(fields.coverage ?? 1, 0), 1)
        let forced = fields.forcedIndex.map { names.indices.contains($0) ? names[$0] : nil }
        // A number without a variation forces none, and a stopped experiment gives no other variant than a forced one.
        let isEnabled = fields.isActive && (forced.map { $0 != nil } ?? !fields.isStopped)
        return Experiment(
            id: key, unit: fields.unit, seed: fields.seed, hashVersion: fields.hashVersion, coverage: coverage,
            isSticky: options.usesStickyBuckets && !fields.disablesStickiness, countries: nil, languages: nil,
            targeting: targeting, isEnabled: isEnabled,
            ranges: fields.ranges.map { ranges in
                names.indices.map { ranges.indices.contains($0) ? ranges[$0] : 0..<0 }
            },
            fallbackUnit: fields.fallbackUnit, bucketVersion: fields.bucketVersion,
            minBucketVersion: fields.minBucketVersion, blockedVariants: [], forcedVariant: forced ?? nil,
            stickyLifetime: nil, isUsable: isUsable, keepsVariantOutsideTargeting: true, variants: variants)
    }

    /// The weights that GrowthBook uses; nil for equal ones.
    private mutating func usableWeights(_ fields: GrowthBookFields, _ place: String) -> [Double]? {
        guard let weights = fields.weights, fields.ranges == nil else { return nil }
        let sum = weights.reduce(0, +)
        guard weights.count == fields.variations.count, 0.99...1.01 ~= sum else {
            let reason = "expected one for each variation, and a sum of 1; equal weights are used, as by GrowthBook"
            decoder.warn("\(place).weights", reason, fields.offset)
            return nil
        }
        return weights
    }
}
