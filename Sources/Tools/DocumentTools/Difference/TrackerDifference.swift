package import TrackerConfig

/// What a newer configuration changes of one tracker's settings.
package struct TrackerDifference: Sendable, Equatable {
    /// One setting.
    package struct Setting: Sendable, Equatable {
        /// Its whole name, such as `subject.userId`.
        package let field: String
        /// The value before and its layer; secrets are left out.
        package let old: SettingExplanation
        /// The value after and its layer.
        package let new: SettingExplanation
        /// Whether the value in effect differs, and not only its layer; where both read alike, a secret differs.
        package let isEffective: Bool
    }

    /// The tracker's namespace.
    package let namespace: String

    /// The settings that have another value or get it from another layer, in the order of documents.
    package let settings: [Setting]

    /// Compares the layers of one tracker.
    init(_ namespace: String, from old: TrackerLayers, to new: TrackerLayers) {
        self.namespace = namespace
        let effective = new.settingsThatDiffer(from: old)
        settings = zip(old.explanations, new.explanations).compactMap { old, new in
            let isEffective = effective.contains(new.field)
            guard isEffective || old.source != new.source else { return nil }
            return Setting(
                field: new.field, old: old.alone, new: new.alone, isEffective: isEffective)
        }
    }
}
