/// Something of a layer that gives a value to some contexts only.
package enum Decider: Sendable {
    case rule(CompiledRule)
    case experiment(CompiledExperiment)

    /// Whether the context alone decides, without other features, experiments or anything stored.
    var dependsOnContextAlone: Bool {
        if case .rule(let rule) = self { rule.dependsOnContextAlone } else { false }
    }
}
