/// The default bundles as the programmer wrote them.
enum DefaultBundles {
    /// Checks the bundles and brings their numbers into their bounds.
    /// - Throws: For what the programmer got wrong.
    static func check(
        _ bundles: [ConfigurationBundle]
    ) throws(ConfigurationError) -> (bundles: [ConfigurationBundle], warnings: [ConfigurationWarning]) {
        var checked: [ConfigurationBundle] = []
        var warnings: [ConfigurationWarning] = []
        for (index, original) in bundles.enumerated() {
            var bundle = original
            let place = "default[\(index)]"
            guard 1...4096 ~= bundle.namespace.count else {
                let reason = "expected 1 to 4,096 characters, found \(bundle.namespace.count)"
                throw ConfigurationError(.outOfRange, place: "\(place).namespace", reason: reason)
            }
            guard !checked.contains(where: { $0.namespace == bundle.namespace }) else {
                throw ConfigurationError(
                    .duplicateNamespace, place: "\(place).namespace",
                    reason: "\(bundle.namespace.excerpt) is the namespace of another bundle too")
            }
            if let endpoint = bundle.network?.endpoint {
                do throws(ConfigurationError) {
                    _ = try EndpointURL(collector: endpoint)
                } catch {
                    throw ConfigurationError(error.code, place: "\(place).network.endpoint", reason: error.reason)
                }
            }
            for section in SectionTable.all {
                section.clamp(&bundle) { field, reason in
                    warnings.append(ConfigurationWarning(place: "\(place).\(section.name).\(field)", reason: reason))
                }
            }
            checked.append(bundle)
        }
        return (checked, warnings)
    }
}
