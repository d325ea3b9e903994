package import TrackerCore

/// The changes of a configuration to a service's trackers, computed without them.
package struct ConfigurationPlan: Sendable {
    /// A tracker of the configuration, with its layers below the run-time settings.
    package struct Step: Sendable {
        /// The namespace.
        package let namespace: String
        /// The tracker's bundle in the default.
        package let `default`: ConfigurationBundle?
        /// The tracker's bundle in the document.
        package let remote: ConfigurationBundle?

        /// Whether the document contains the tracker.
        var isRemote: Bool { remote != nil }

        /// Returns the layers of a new tracker.
        package func layers(_ origin: LayerOrigin, experiments: (any AnyObject & Sendable)? = nil) -> TrackerLayers {
            var layers = TrackerLayers()
            layers.adopt(default: `default`, remote: remote, origin: origin, experiments: experiments)
            return layers
        }

        /// The warnings about the tracker's settings, such as those without effect in a service, with their places.
        package var caveats: [ConfigurationError] {
            guard let bundle = remote ?? `default` else { return [] }
            var caveats: [ConfigurationError] = []
            for section in ConfigurationBundle.sections {
                section.caveats(bundle) { field, reason in
                    let place = "\(namespace): \(section.name).\(field)"
                    caveats.append(ConfigurationError(.warning, place: place, reason: reason))
                }
            }
            return caveats
        }
    }

    /// The trackers of the configuration, those of the document first, in its order.
    package let steps: [Step]

    /// The namespaces that the document removes.
    package let removed: [String]

    /// The namespaces whose trackers are kept unchanged, because the configuration no longer names them; sorted.
    package let kept: [String]

    /// The namespaces that the configuration lists, whether they have a tracker or not.
    package let listed: [String]

    /// Plans a configuration.
    /// - Parameters:
    ///   - document: The document; nil for the default only.
    ///   - defaults: The default bundles.
    ///   - existing: The namespaces that have a tracker.
    package init(_ document: Document?, defaults: [ConfigurationBundle], existing: some Sequence<ExactText>) {
        let byNamespace = Dictionary(defaults.map { (ExactText($0.namespace), $0) }) { first, _ in first }
        let bundles = document?.bundles ?? []
        var known = Set<ExactText>(minimumCapacity: bundles.count)
        var (steps, removed): ([Step], [String]) = ([], [])
        steps.reserveCapacity(bundles.count)
        for bundle in bundles {
            let namespace = ExactText(bundle.namespace)
            known.insert(namespace)
            if bundle.network != nil {
                steps.append(Step(namespace: bundle.namespace, default: byNamespace[namespace], remote: bundle))
            } else {
                removed.append(bundle.namespace)
            }
        }
        // A process that starts from this document would create these trackers from the default only, so do the same
        // here.
        for bundle in defaults where bundle.network?.endpoint != nil {
            guard known.insert(ExactText(bundle.namespace)).inserted else { continue }
            steps.append(Step(namespace: bundle.namespace, default: bundle, remote: nil))
        }
        (self.steps, self.removed) = (steps, removed)
        kept = existing.filter { !known.contains($0) }.map(\.text).sorted()
        listed = (document?.bundles ?? defaults).map { $0.namespace }
    }
}
