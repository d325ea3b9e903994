/// What a handle may remember of its variable.
enum VariableHandleKind: Sendable {
    /// The value: it is the same for all contexts.
    case plain
    /// The value without a context; with one, experiments decide.
    case experiments
    /// The rules with their values: these and the context alone decide.
    case rules
    /// Nothing: other features, the time, or experiments beside rules decide.
    case unresolved

    /// What a handle may remember of a variable that rules and experiments decide.
    init(_ deciders: LayerValues<DeciderList>) {
        var (hasRules, hasOthers) = (false, false)
        for index in 0..<deciders.count {
            guard let list = deciders[index]?.value else { continue }
            for decider in list {
                switch decider {
                case .rule(let rule):
                    hasRules = true
                    if !rule.dependsOnContextAlone { hasOthers = true }
                case .experiment: hasOthers = true
                case .schedule: (hasRules, hasOthers) = (true, true)
                }
            }
        }
        self = !hasRules ? .experiments : hasOthers ? .unresolved : .rules
    }
}
