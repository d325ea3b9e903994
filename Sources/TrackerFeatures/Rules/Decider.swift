/// Something of a layer that gives a value to some contexts only.
package enum Decider: Sendable {
    case rule(CompiledRule)
    case experiment(CompiledExperiment)

    /// Whether it is a rule, which is tried without a context too.
    var isRule: Bool {
        if case .rule = self { true } else { false }
    }

    /// Its place among the rules of its feature; experiments come after all of them.
    var position: Int {
        if case .rule(let rule) = self { rule.position } else { .max }
    }
}
