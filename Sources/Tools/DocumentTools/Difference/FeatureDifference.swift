package import TrackerConfig

/// What differs between two states of a feature.
package struct FeatureDifference: Sendable, Equatable {
    /// A variable that differs.
    package struct Change: Sendable, Equatable {
        /// The variable before.
        package let old: VariableDefinition
        /// The variable after.
        package let new: VariableDefinition
    }

    /// The feature's name.
    package let name: String

    /// Whether it was on; nil if nothing was said.
    package let wasEnabled: Bool?

    /// Whether it is on; nil if nothing is said.
    package let isEnabled: Bool?

    /// Whether it was disabled: then it gave no value.
    package let wasDisabled: Bool

    /// Whether it is disabled.
    package let isDisabled: Bool

    /// What differs in the author's metadata.
    package let metadata: MemberDifference

    /// The variables that are new.
    package let added: [VariableDefinition]

    /// The variables that are gone.
    package let removed: [VariableDefinition]

    /// The variables with another value, or with another title, description or group.
    package let changed: [Change]

    /// What differs in the rules.
    package let rules: RuleDifference

    /// How many units get something else; nil if the feature has no rules before and after.
    package let moves: RuleMoves?

    private let secrets: Set<ExactText>

    /// Compares a feature; nil if nothing differs.
    /// - Parameters:
    ///   - old: The feature before.
    ///   - new: The feature after.
    ///   - surroundings: What decides beside the feature's own rules.
    ///   - isSecret: Whether a variable is a secret.
    init?(
        from old: FeatureDefinition, to new: FeatureDefinition, in surroundings: RuleSurroundings,
        isSecret: (VariableKey) -> Bool = { _ in false }
    ) {
        guard old != new else { return nil }
        let name = new.name
        self.name = name
        secrets = Set(
            (old.variables + new.variables).map(\.name).filter { isSecret(VariableKey(name, $0)) }.map(ExactText.init))
        wasEnabled = old.isEnabled
        isEnabled = new.isEnabled
        (wasDisabled, isDisabled) = (old.isDisabled, new.isDisabled)
        metadata = MemberDifference(from: old.metadata, to: new.metadata)
        let before = Dictionary(old.variables.map { (ExactText($0.name), $0) }) { $1 }
        let after = Set(new.variables.map { ExactText($0.name) })
        added = new.variables.filter { before[exactly: $0.name] == nil }
        removed = old.variables.filter { !after.contains(ExactText($0.name)) }
        changed = new.variables.compactMap { variable in
            guard let old = before[exactly: variable.name], old != variable else { return nil }
            return Change(old: old, new: variable)
        }
        rules = RuleDifference(from: old.rules, to: new.rules, of: name, isSecret: isSecret)
        guard
            wasEnabled != isEnabled || wasDisabled != isDisabled || !metadata.isEmpty || !added.isEmpty
                || !removed.isEmpty || !changed.isEmpty || !rules.isEmpty
        else { return nil }
        let hasRules = !old.rules.isEmpty || !new.rules.isEmpty
        moves = hasRules ? RuleMoves(from: old, to: new, in: surroundings) : nil
    }

    /// How many units get what else, as a sentence; nil if the feature has no rules before and after.
    package var movesSentence: String? {
        moves?.sentence { name in
            secrets.contains(ExactText(name))
                || (added + removed + changed.flatMap { [$0.old, $0.new] }).contains {
                    $0.isEncrypted && $0.name == name
                }
        }
    }

    /// The value of one of the variables; of a secret one only that there is one.
    package func shown(_ variable: VariableDefinition) -> JSONValue {
        variable.isEncrypted || secrets.contains(ExactText(variable.name)) ? .hidden : variable.value
    }
}
