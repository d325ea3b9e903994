package import TrackerConfig
package import TrackerCore

/// The trackers of a document and a default with all their layers, resolved without a service.
package struct ResolvedConfiguration: Sendable {
    /// One tracker.
    package struct ResolvedTracker: Sendable {
        /// The tracker's namespace.
        package let namespace: String
        /// The tracker's layers, without settings at run time.
        package let layers: TrackerLayers
    }

    /// The document's version; nil if only the default is used.
    package let version: Int?

    /// The trackers, those of the document first, in its order.
    package let trackers: [ResolvedTracker]

    /// The namespaces that the document removes.
    package let removed: [String]

    /// The namespaces of the default that have no endpoint in either document, and therefore no tracker.
    package let withoutEndpoint: [String]

    /// Settings without effect in a service.
    package let warnings: [ConfigurationError]

    /// Resolves a configuration.
    /// - Parameters:
    ///   - document: The document; nil for the default only.
    ///   - defaults: The default bundles, validated.
    package init(_ document: Document?, defaults: [ConfigurationBundle]) {
        let plan = ConfigurationPlan(document, defaults: defaults, existing: [])
        version = document?.version
        trackers = plan.steps.map { step in
            let origin = LayerOrigin(version: step.remote == nil ? nil : document?.version)
            return ResolvedTracker(namespace: step.namespace, layers: step.layers(origin))
        }
        removed = plan.removed
        let known = Set((plan.steps.map(\.namespace) + plan.removed).map(ExactText.init))
        withoutEndpoint = defaults.map(\.namespace).filter { !known.contains(ExactText($0)) }
        warnings = plan.steps.flatMap(\.caveats)
    }
}
