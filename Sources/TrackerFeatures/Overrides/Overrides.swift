import FoundationEssentials

/// The overrides, with a different target each.
package struct Overrides: Sendable {
    /// The maximum number of overrides in a service.
    static let maximumCount = 10_000

    /// The overrides, including those without a value, whose removal could not be written to the file.
    private var all: [FeatureOverride.Target: FeatureOverride] = [:]

    /// The override of a target; nil if there is none.
    package subscript(target: FeatureOverride.Target) -> FeatureOverride? {
        guard var override = all[target], override.value != nil else { return nil }
        override.isUnsaved = false
        return override
    }

    /// The number of overrides.
    var count: Int { all.values.count { $0.value != nil } }

    /// The overrides, features with their variables by name, then experiments.
    package var inOrder: [FeatureOverride] {
        all.keys.sorted().compactMap { self[$0] }
    }

    /// The time of the next expiry.
    var nextExpiry: Date? { all.values.compactMap { $0.value == nil ? nil : $0.expiry }.min() }

    /// Sets an override, or removes it if there is no value.
    mutating func put(_ override: FeatureOverride) {
        all[override.target] = override.value != nil || override.isUnsaved ? override : nil
    }

    /// Removes expired overrides.
    /// - Parameter now: The time, in milliseconds since 1970.
    mutating func removeExpired(at now: Int64) { all = all.filter { !$0.value.isExpired(at: now) } }

    /// Removes all overrides.
    /// - Parameter isUnsaved: Whether a file still has them.
    mutating func removeAll(isUnsaved: Bool) {
        for var override in all.values {
            (override.value, override.isUnsaved) = (nil, isUnsaved)
            put(override)
        }
    }

    /// Copies the overrides that the file does not have.
    mutating func takeUnsaved(from other: Overrides) {
        for override in other.all.values where override.isUnsaved { put(override) }
    }

    /// Marks the overrides that the file has.
    mutating func noteSaved(_ saved: Overrides) {
        // Another thread may have changed an override again without writing it.
        for (target, var override) in all where override.isUnsaved && saved[target] == self[target] {
            override.isUnsaved = false
            put(override)
        }
    }

    /// The overrides that differ from earlier ones, in order.
    func changes(since old: Overrides) -> [(before: FeatureOverride?, after: FeatureOverride?)] {
        Set(old.all.keys).union(all.keys).sorted().map { (old[$0], self[$0]) }.filter { $0 != $1 }
    }

    /// The features and variables in the form of definitions.
    var definitions: [FeatureDefinition] {
        var features: [(name: String, isEnabled: Bool?, variables: [VariableDefinition])] = []
        for override in inOrder {
            guard let feature = override.feature, let value = override.value else { continue }
            if features.last.map({ !$0.name.isExactly(feature) }) ?? true { features.append((feature, nil, [])) }
            let last = features.count - 1
            if let variable = override.variable {
                features[last].variables.append(VariableDefinition(name: variable, value: value))
            } else {
                features[last].isEnabled = value.bool
            }
        }
        return features.map { FeatureDefinition(name: $0.name, isEnabled: $0.isEnabled, variables: $0.variables) }
    }
}
