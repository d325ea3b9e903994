import FoundationEssentials

/// What is overridden.
package struct OverrideSet: Sendable, Equatable {
    package var enabled: [ExactText: Bool] = [:]
    package var variables: [VariableKey: VariableContent] = [:]
    /// Forced variants by the experiment's id.
    package var variants: [ExactText: String] = [:]
    /// What is kept about the overrides; a file that was written by hand need not have any of it.
    var records: [OverrideTarget: OverrideRecord] = [:]

    /// The most overrides that a service sets.
    static let maximumCount = 10_000

    /// The number of overrides.
    var count: Int { enabled.count + variables.count + variants.count }

    /// All that is overridden, in order.
    var targets: [OverrideTarget] {
        (enabled.keys.map(OverrideTarget.enabled) + variables.keys.map(OverrideTarget.variable)
            + variants.keys.map(OverrideTarget.variant)).sorted()
    }

    /// The value of an override, as it is kept; nil if there is none.
    func value(of target: OverrideTarget) -> JSONValue? {
        switch target {
        case .enabled(let feature): enabled[feature].map(JSONValue.bool)
        case .variable(let key): variables[key]?.value
        case .variant(let experiment): variants[experiment].map(JSONValue.string)
        }
    }

    /// Sets or removes an override.
    /// - Parameters:
    ///   - value: The value, of the target's type; nil removes the override.
    ///   - target: What to override.
    ///   - record: What to keep about it.
    mutating func set(_ value: JSONValue?, for target: OverrideTarget, _ record: OverrideRecord? = nil) {
        switch target {
        case .enabled(let feature): enabled[feature] = value?.bool
        case .variable(let key): variables[key] = value.map { VariableContent(value: $0, isEncrypted: false) }
        case .variant(let experiment): variants[experiment] = value?.string
        }
        records[target] = value == nil ? nil : record
    }

    /// Takes what another set has for some targets, be it nothing.
    mutating func take(_ targets: Set<OverrideTarget>, from other: OverrideSet) {
        for target in targets { set(other.value(of: target), for: target, other.records[target]) }
    }

    /// Whether another set has the same for a target.
    func agrees(with other: OverrideSet, on target: OverrideTarget) -> Bool {
        value(of: target) == other.value(of: target) && records[target] == other.records[target]
    }

    /// The first time at which an override is to be removed.
    var nextExpiry: Date? { records.values.compactMap(\.details.expiry).min() }

    /// Finds the overrides whose time is over.
    /// - Parameter now: The time, in milliseconds since 1970.
    /// - Returns: The overrides, in order.
    func expired(at now: Int64) -> [OverrideTarget] {
        records.filter { $0.value.isExpired(at: now) }.keys.sorted()
    }

    /// Removes the overrides whose time is over.
    /// - Parameter now: The time, in milliseconds since 1970.
    mutating func removeExpired(at now: Int64) {
        for target in expired(at: now) { set(nil, for: target) }
    }

    /// The features and variables, as a provider says them; sorted, so that equal sets are equal files.
    var definitions: [FeatureDefinition] {
        var definitions: [ExactText: [VariableDefinition]] = [:]
        for feature in enabled.keys { definitions[feature] = [] }
        for (key, content) in variables {
            definitions[ExactText(key.feature), default: []].append(
                VariableDefinition(name: key.variable, value: content.value, isEncrypted: content.isEncrypted))
        }
        return definitions.sorted { $0.key < $1.key }.map { feature, variables in
            FeatureDefinition(
                name: feature.text, isEnabled: enabled[feature],
                variables: variables.sorted { ExactText($0.name) < ExactText($1.name) })
        }
    }
}
