/// The steps of a read in the order of evaluation, for explanations.
final class EvaluationTrace {
    typealias Step = FeatureExplanation.Step

    /// The maximum number of steps in an explanation.
    private static let maxSteps = 1000

    private(set) var steps: [Step] = []

    /// The result of the value that was last offered; nil if none was offered since the last step.
    var received: (verdict: Step.Verdict, value: JSONValue?, text: String)?

    /// Adds a rule.
    /// - Parameters:
    ///   - rule: The rule.
    ///   - verdict: The outcome if the rule gives no value, or is a gate.
    ///   - text: The reason.
    func add(_ rule: CompiledRule, _ verdict: Step.Verdict, _ text: () -> String) {
        add(verdict, text) { $0.rule = rule.rule.id }
    }

    /// Adds an experiment.
    /// - Parameters:
    ///   - experiment: The experiment.
    ///   - variant: The variant of the context; nil if there is none.
    ///   - text: The reason.
    func add(_ experiment: CompiledExperiment, _ variant: String?, _ text: () -> String) {
        add(variant == nil ? .doesNotMatch : .noValue, text) { ($0.experiment, $0.variant) = (experiment.id, variant) }
    }

    private func add(_ verdict: Step.Verdict, _ text: () -> String, _ name: (inout Step) -> Void) {
        let received = received
        self.received = nil
        guard steps.count < Self.maxSteps else { return }
        let words = [text(), received?.text ?? ""].filter { !$0.isEmpty }.joined(separator: ": ")
        let outcome = verdict == .blocks ? verdict : received?.verdict ?? verdict
        var step = Step(outcome, words, value: received?.value)
        name(&step)
        steps.append(step)
    }

    /// Adds a source before its rules and experiments.
    /// - Parameters:
    ///   - source: The source.
    ///   - start: The number of steps before those of the source.
    ///   - verdict: The outcome if it gives no value for all contexts.
    ///   - text: The reason.
    func endSource(_ source: FeatureSource, at start: Int, _ verdict: Step.Verdict = .noValue, _ text: String = "") {
        let step = Step(received?.verdict ?? verdict, received?.text ?? text, value: received?.value, source: source)
        received = nil
        steps.insert(step, at: start)
    }
}
