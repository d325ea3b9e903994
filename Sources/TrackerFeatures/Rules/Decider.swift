/// Something of a layer that gives a value to some contexts only.
package enum Decider: Sendable {
    case rule(CompiledRule)
    case experiment(CompiledExperiment)
    /// The end of a layer's deciders: the time in which the layer's plain value applies.
    case schedule(Schedule)

    /// Whether it decides without a context too.
    var needsNoContext: Bool {
        if case .experiment = self { false } else { true }
    }

    /// Its place among the rules of its feature; all others come after them.
    var position: Int {
        if case .rule(let rule) = self { rule.position } else { .max }
    }
}
