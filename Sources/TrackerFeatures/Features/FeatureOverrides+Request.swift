extension FeatureOverrides {
    /// Returns overrides for one request, for ``FeatureContext/overrides``.
    ///
    /// ```swift
    /// var context = FeatureContext(userID: "u-1")
    /// context.overrides = try setup.features.overrides.forRequest([
    ///     "enabled": ["express": true], "values": ["checkout": ["retryLimit": 9]], "variants": ["checkout_01": "fast"],
    /// ])
    /// ```
    ///
    /// They have precedence over all other sources in reads for that context, as ``FeatureSource/request``. If a value
    /// cannot be read as the requested type, or the experiment does not have a variant, the next source applies. Only
    /// code that has authenticated the tester may create them, because they can set every variable, including secret
    /// ones.
    /// - Parameter json: The overrides: whether features are `enabled`, `values` by feature and variable, and
    ///   `variants` by experiment; at most 100 names and 8,192 bytes. A name that no source has counts in
    ///   ``Features/unknownNames``.
    /// - Returns: The overrides.
    /// - Throws: ``FeatureError`` with the place of the invalid value.
    public func forRequest(_ json: JSONObject) throws(FeatureError) -> RequestOverrides {
        let overrides = try RequestOverrides.checked(json)
        for override in overrides { noteUnknown(override) }
        return RequestOverrides(checked: json)
    }

    /// Counts and logs an override of a name that no source has.
    func noteUnknown(_ override: FeatureOverride) {
        let layers = store.layers
        let experiment = override.experiment.map { layers.experiments.experiment($0)?.experiment }
        let fault: String? =
            switch (override.key, experiment) {
            case (let key?, _): layers.isKnown(.variable(key)) ? nil : "no source has this variable"
            case (nil, nil): layers.has(override.feature ?? "") ? nil : "no source has this feature"
            case (nil, .some(nil)): "no source has this experiment"
            case (nil, let experiment??):
                experiment.variants.contains { override.value?.string?.isExactly($0.name) ?? false }
                    ? nil
                    : "the experiment has no variant \(override.value?.string?.excerpt ?? "") and ignores the override"
            }
        guard layers.isComparable, let fault else { return }
        let line = "override of \(override.name.oneLine(most: 200)): \(fault)"
        unknownNames.count(line, log, line)
    }
}
