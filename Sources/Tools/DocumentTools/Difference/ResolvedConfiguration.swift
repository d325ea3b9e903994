package import TrackerConfig

/// The trackers that a document and a default give a service, with all their layers; worked out without a service.
package struct ResolvedConfiguration: Sendable {
    /// One tracker.
    package struct ResolvedTracker: Sendable {
        /// Its namespace.
        package let namespace: String
        /// What its layers say; nothing was set at run time.
        package let layers: TrackerLayers
    }

    /// The document's version; nil where the default alone is used.
    package let version: Int?

    /// The trackers, those of the document first, in its order.
    package let trackers: [ResolvedTracker]

    /// The namespaces that the document removes.
    package let removed: [String]

    /// The namespaces of the default that no document gives an endpoint, and that have no tracker therefore.
    package let withoutEndpoint: [String]

    /// Settings without effect in a service.
    package let warnings: [ConfigurationError]

    /// Works out a configuration.
    /// - Parameters:
    ///   - document: The document; nil stands for the default alone.
    ///   - defaults: The default bundles, checked.
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
