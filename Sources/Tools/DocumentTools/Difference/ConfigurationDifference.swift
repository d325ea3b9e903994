package import TrackerConfig

/// What a service that has one document does when another follows: a pure value, for command lines and consoles.
package struct ConfigurationDifference: Sendable {
    /// What the service does with the newer document.
    package let decision: VersionDecision

    /// Whether the service used the older document at all; it starts with its default where that has no lower version.
    package let isOldInUse: Bool

    /// The version that is in use before.
    package let oldVersion: Int?

    /// The newer document's version.
    package let newVersion: Int

    /// Whether the version grows by more than 1,000,000: what looks like a typing error cannot be taken back.
    package var isVersionJump: Bool { oldVersion.map { newVersion - $0 > 1_000_000 } ?? false }

    /// The trackers that are new.
    package let added: [ResolvedConfiguration.ResolvedTracker]

    /// The namespaces whose trackers are removed.
    package let removed: [String]

    /// The namespaces that are no longer named: their trackers stay as they were until their process ends.
    package let kept: [String]

    /// The trackers of ``removed`` and ``kept`` as they were.
    package let dropped: [ResolvedConfiguration.ResolvedTracker]

    /// The trackers with other settings.
    package let changed: [TrackerDifference]

    /// The namespaces whose trackers have the same settings from the same layers.
    package let untouched: [String]

    /// What differs in `meta`.
    package let meta: MemberDifference

    /// What differs in the segments.
    package let segments: NamedDifference<SegmentDifference>

    /// What differs in the features that the service has, those of the default included.
    package let features: NamedDifference<FeatureDifference>

    /// The features that are no longer in the document and that the default has, as the default has them.
    package let returned: [FeatureDefinition]

    /// What differs in the experiments, and how many units move.
    package let experiments: NamedDifference<ExperimentDifference>

    /// The part of the fleet that the newer document is for, 0…100 percent.
    package let percent: Double

    /// What differs in the rollout, by the keys of the document.
    package let rollout: MemberDifference

    /// Whether nothing differs, the version included.
    package var isEmpty: Bool {
        oldVersion == newVersion && added.isEmpty && removed.isEmpty && kept.isEmpty && changed.isEmpty && meta.isEmpty
            && segments.isEmpty && features.isEmpty && returned.isEmpty && experiments.isEmpty && rollout.isEmpty
    }

    /// Compares two documents; what differs is what would follow if the newer one were adopted, whether it is or not.
    /// - Parameters:
    ///   - old: The document that the service has; nil if it has its default alone.
    ///   - new: The document that follows.
    ///   - default: What the service ships with, its bundles checked.
    ///   - defaultVersion: The default's version; nil is lower than every document's.
    ///   - isSecret: Whether a variable is a secret elsewhere than in both documents and the default.
    package init(
        from old: Document?, to new: Document, default: DefaultConfiguration = DefaultConfiguration(bundles: []),
        defaultVersion: Int? = nil, isSecret: (VariableKey) -> Bool = { _ in false }
    ) {
        let defaults = `default`.bundles
        let used = old.flatMap { $0.version > defaultVersion ?? -1 ? $0 : nil }
        isOldInUse = used != nil
        oldVersion = used?.version ?? defaultVersion
        newVersion = new.version
        decision = VersionDecision(on: new, over: (oldVersion, used?.digest), defaultVersion: defaultVersion)
        let before = ResolvedConfiguration(used, defaults: defaults)
        let after = ResolvedConfiguration(new, defaults: defaults)
        let existing = Dictionary(uniqueKeysWithValues: before.trackers.map { (ExactText($0.namespace), $0) })
        kept = ConfigurationPlan(new, defaults: defaults, existing: existing.keys).kept
        removed = after.removed.filter { existing[exactly: $0] != nil }
        dropped = (removed + kept).compactMap { existing[exactly: $0] }
        added = after.trackers.filter { existing[exactly: $0.namespace] == nil }
        var changed: [TrackerDifference] = []
        var untouched: [String] = []
        for tracker in after.trackers {
            guard let old = existing[exactly: tracker.namespace] else { continue }
            let difference = TrackerDifference(tracker.namespace, from: old.layers, to: tracker.layers)
            if difference.settings.isEmpty {
                untouched.append(tracker.namespace)
            } else {
                changed.append(difference)
            }
        }
        self.changed = changed
        self.untouched = untouched
        meta = MemberDifference(from: used?.meta ?? `default`.meta, to: new.meta)
        // What is encrypted in one of them is a secret in all: the other may be from before it was one.
        let secrets = (`default`.features + (old?.features ?? []) + new.features).secrets
        func isHidden(_ key: VariableKey) -> Bool { secrets.contains(key) || isSecret(key) }
        let defaultFeatures = `default`.features
        let effective = (
            EffectiveFeatures(used?.features, default: defaultFeatures),
            EffectiveFeatures(new.features, default: defaultFeatures)
        )
        let (oldFeatures, newFeatures) = (effective.0.all, effective.1.all)
        let documentNames = Set((used?.features ?? []).map { ExactText($0.name) })
        returned = effective.1.onlyDefault.filter { documentNames.contains(ExactText($0.name)) }
        let oldExperiments = used?.experiments ?? `default`.experiments
        let surroundings = RuleSurroundings(
            from: oldFeatures, to: newFeatures, experiments: (oldExperiments, new.experiments),
            default: `default`.features)
        features = NamedDifference(from: oldFeatures, to: newFeatures, by: \.name) {
            FeatureDifference(from: $0, to: $1, in: surroundings, isSecret: isHidden)
        }
        experiments = NamedDifference(from: oldExperiments, to: new.experiments, by: \.id) {
            ExperimentDifference(from: $0, to: $1, isSecret: isHidden)
        }
        segments = NamedDifference(from: used?.segments.members ?? [], to: new.segments.members, by: \.name) {
            SegmentDifference(from: $0, to: $1)
        }
        percent = new.rollout?.percent ?? 100
        rollout = MemberDifference(
            from: used?.rollout?.members ?? JSONObject(), to: new.rollout?.members ?? JSONObject())
    }
}

extension [FeatureDefinition] {
    /// The encrypted variables.
    fileprivate var secrets: Set<VariableKey> {
        Set(flatMap { feature in feature.variables.filter(\.isEncrypted).map { VariableKey(feature.name, $0.name) } })
    }
}

extension Rollout {
    fileprivate var members: JSONObject {
        var members: JSONObject = ["percent": JSONValue(shortest: percent)]
        members["seed"] = seed.map(JSONValue.string)
        members["bakeSeconds"] = JSONValue(shortest: bakeTime / .seconds(1))
        members["maxFailureRate"] = JSONValue(shortest: maxFailureRate)
        return members
    }
}
