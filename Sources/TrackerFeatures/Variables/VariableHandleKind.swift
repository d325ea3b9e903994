/// What a handle may remember of its variable.
enum VariableHandleKind: Sendable {
    /// The value: it is the same for all contexts.
    case plain
    /// The value without a context; with one, experiments decide.
    case experiments
    /// The rules with their values: these and the context alone decide.
    case rules
    /// Nothing: other features, or experiments beside rules, decide.
    case unresolved
}

extension FeatureLayers {
    /// What a handle may remember of a variable.
    func handleKind(of key: VariableKey) -> VariableHandleKind {
        let deciders = deciders(of: .variable(key))
        guard deciders.count > 0 else { return .plain }
        var (hasRules, hasOthers) = (false, false)
        for index in 0..<deciders.count {
            guard let list = deciders[index]?.value else { continue }
            for decider in list {
                switch decider {
                case .rule(let rule):
                    hasRules = true
                    if !rule.dependsOnContextAlone { hasOthers = true }
                case .experiment: hasOthers = true
                }
            }
        }
        if hasRules { return hasOthers ? .unresolved : .rules }
        return .experiments
    }
}
