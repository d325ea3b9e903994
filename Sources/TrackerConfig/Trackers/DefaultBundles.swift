import TrackerCore

/// The default bundles of the service's code.
enum DefaultBundles {
    /// Validates the bundles and clamps their numbers.
    /// - Throws: For programmer errors.
    static func check(
        _ bundles: [ConfigurationBundle]
    ) throws(ConfigurationError) -> (bundles: [ConfigurationBundle], warnings: [ConfigurationError]) {
        var checked: [ConfigurationBundle] = []
        var warnings: [ConfigurationError] = []
        for (index, original) in bundles.enumerated() {
            var bundle = original
            let place = "default[\(index)]"
            if let fault = ConfigurationBundle.fault(ofNamespace: bundle.namespace) {
                throw ConfigurationError(.outOfRange, place: "\(place).namespace", reason: fault)
            }
            guard !checked.contains(where: { $0.namespace.isExactly(bundle.namespace) }) else {
                throw ConfigurationError(
                    .duplicateNamespace, place: "\(place).namespace",
                    reason: "\(bundle.namespace.excerpt) is the namespace of another bundle too")
            }
            // The endpoint may come from the document; the other settings are checked all the same.
            var whole = bundle
            if bundle.network?.endpoint == nil {
                whole.network = bundle.network ?? NetworkConfiguration()
                whole.network?.endpoint = "https://collector"
            }
            var layers = TrackerLayers()
            layers.adopt(default: whole, remote: nil, origin: LayerOrigin())
            do throws(ConfigurationError) {
                try bundle.check()
                _ = try EffectiveSettings(namespace: bundle.namespace, layers: layers)
            } catch {
                throw ConfigurationError(error.code, place: "\(place).\(error.place)", reason: error.reason)
            }
            bundle.clamp { field, reason in
                warnings.append(ConfigurationError(.warning, place: "\(place).\(field)", reason: reason))
            }
            checked.append(bundle)
        }
        return (checked, warnings)
    }
}
