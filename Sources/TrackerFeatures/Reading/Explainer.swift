/// Explains a read with the parts that decide it.
///
/// The budget of the read pays for what decides, in the order of a read, so that an explanation ends as the read does. A second
/// one pays for the reasons.
final class Explainer {
    typealias Step = FeatureExplanation.Step

    /// The most steps of one explanation.
    private static let maxSteps = 1000

    let reader: FeatureReader
    /// The read, which records nothing.
    let request: FeatureReader.Request
    /// The budget of the reasons.
    let reasons: ReadBudget
    private var stepsLeft = maxSteps

    /// Explains a read.
    /// - Parameters:
    ///   - reader: The reader.
    ///   - request: The read.
    ///   - budget: The budget of the read.
    ///   - reasons: The budget of the reasons.
    init(_ reader: FeatureReader, _ request: FeatureReader.Request, _ budget: ReadBudget, reasons: ReadBudget) {
        var request = request
        request.records = false
        request.budget = budget
        // The reasons are of the moment of the read.
        if request.time == nil, request.layers.usesTime { request.time = reader.experiments.clock.now }
        if let time = request.time { _ = reasons.time { time } }
        (self.reader, self.request, self.reasons) = (reader, request, reasons)
    }

    /// Makes steps if the explanation has room for one more.
    func limited(_ make: () -> [Step]) -> [Step] {
        guard stepsLeft > 0 else { return [] }
        stepsLeft -= 1
        return make()
    }

    /// What a read found so far.
    private struct Finding {
        var candidate: Candidate?
        var reason = EvaluationReason.default
        var error: FeatureError?
    }

    /// Explains a key.
    /// - Parameters:
    ///   - key: The variable, or whether a feature is enabled.
    ///   - request: The layers and the context; it records nothing.
    ///   - budget: The budget of the read.
    ///   - problem: Why a value cannot be read; nil if it can.
    /// - Returns: The explanation.
    func explanation(
        of key: FeatureKey, _ request: FeatureReader.Request, _ budget: ReadBudget,
        _ problem: @escaping (Candidate) -> FeatureError?
    ) -> FeatureExplanation {
        var finding = Finding()
        let isSecret = if case .variable(let key) = key { request.layers.isSecret(key) } else { false }
        func refusal() -> FeatureError? { budget.fault.map { FeatureError($0, place: "\(key)") } }
        /// As `FeatureReader.detail` does.
        func receive(_ candidate: Candidate) -> Received {
            let value = isSecret ? JSONValue?.none : candidate.content.value.abridged
            if let problem = problem(candidate) {
                if finding.candidate == nil, finding.error == nil { finding.error = problem }
                return Received(verdict: .unreadable, value: value, text: problem.reason)
            }
            guard finding.candidate == nil else { return Received(verdict: .overridden, value: value) }
            if finding.error == nil { finding.error = refusal() }
            finding.candidate = candidate
            finding.reason = finding.error == nil ? candidate.reason : .error
            return Received(verdict: .gives, value: value)
        }
        var steps: [Step] = []
        if let own = reader.override(of: key, request) {
            let received = receive(own)
            steps.append(Step(.source, "\(own.source)", received.verdict, received.text, value: received.value))
        } else if request.context?.hasOverrides ?? false {
            steps.append(Step(.source, "\(FeatureSource.request)", .noValue))
        }
        let sources = sources(of: key, request, budget, receive)
        steps += sources.steps
        let found = finding.candidate
        if found == nil {
            if finding.error == nil { finding.error = refusal() }
            finding.reason = finding.error != nil ? .error : sources.isDisabled ? .disabled : .default
        }
        steps.append(Step(.source, "\(FeatureSource.fallback)", found == nil ? .gives : .overridden))
        return FeatureExplanation(
            feature: key.feature, variable: key.variable, value: isSecret ? JSONValue?.none : found?.content.value,
            source: found?.source ?? .fallback, reason: finding.reason, rule: found?.rule,
            error: finding.error.map { "\($0)" }, isSecret: isSecret, steps: steps)
    }

    /// How a value was received.
    struct Received {
        let verdict: Step.Verdict
        let value: JSONValue?
        var text = ""
    }

    /// What a layer has for a key.
    private struct Part {
        var steps: [Step] = []
        var plain: Received?
        var end: End?
    }

    /// Why rules and experiments end before the plain value of their layer.
    private enum End {
        /// A gate is not met.
        case blocked
        /// It is not the time of the feature's definition.
        case scheduled
        /// The feature is disabled, so that lower layers do not count either.
        case disabled
    }

    private func sources(
        of key: FeatureKey, _ request: FeatureReader.Request, _ budget: ReadBudget,
        _ receive: @escaping (Candidate) -> Received
    ) -> (steps: [Step], isDisabled: Bool) {
        var parts: [LayerRank: Part] = [:]
        var hasDeciders = false
        let decision = reader.descend(key, request.layers, request.layers.decided(key)) { source, layer in
            var part = parts[layer.rank] ?? Part()
            defer { parts[layer.rank] = part }
            switch source {
            case .deciders(let deciders, let isEncrypted):
                hasDeciders = hasDeciders || request.context != nil || deciders.contains(where: \.needsNoContext)
                let read = Read(
                    key: key, request: request, budget: budget, layer: layer, isEncrypted: isEncrypted, receive: receive
                )
                let decided = decide(deciders, read)
                part.steps += decided.steps
                part.end = decided.end
                switch decided.end {
                case nil: return .none
                case .blocked?, .scheduled?: return .blocked
                case .disabled?: return .disabled
                }
            case .plain(let content):
                part.plain = receive(
                    Candidate(
                        content: content, source: layer.source, decrypt: layer.decrypt, rank: layer.rank,
                        reason: hasDeciders ? .default : .static, rule: nil))
                return .none
            }
        }
        let steps = request.layers.inOrder.map { layer in
            let part = parts[layer.rank] ?? Part()
            let (name, plain) = ("\(layer.source)", part.plain)
            switch part.end {
            case .blocked?: return Step(.source, name, .blocks, steps: part.steps)
            case .scheduled?: return Step(.source, name, .noValue, steps: part.steps)
            case .disabled?: return Step(.source, name, .blocks, "it is disabled", steps: part.steps)
            case nil:
                return Step(
                    .source, name, plain?.verdict ?? .noValue, plain?.text ?? "", value: plain?.value, steps: part.steps
                )
            }
        }
        return (steps, decision == .disabled)
    }

    /// A read of a layer's rules and experiments.
    struct Read {
        let key: FeatureKey
        let request: FeatureReader.Request
        let budget: ReadBudget
        let layer: FeatureLayers.Layer
        let isEncrypted: Bool
        let receive: (Candidate) -> Received

        func receive(_ value: JSONValue, _ source: FeatureSource, _ reason: EvaluationReason, _ rule: String?)
            -> Received
        {
            receive(
                Candidate(
                    content: VariableContent(value: value, isEncrypted: isEncrypted), source: source,
                    decrypt: layer.decrypt, rank: layer.rank, reason: reason, rule: rule))
        }
    }

    private func decide(_ deciders: DeciderList, _ read: Read) -> (steps: [Step], end: End?) {
        var steps: [Step] = []
        for decider in deciders {
            switch decider {
            case .schedule(let schedule):
                guard !reader.isCurrent(schedule, read.request, read.budget) else { continue }
                return (steps + [step(of: schedule)], .scheduled)
            case .experiment(let experiment):
                let step = step(of: experiment, of: nil, read)
                steps += limited { [step] }
            case .rule(let rule):
                switch reader.admits(rule, of: read.key.feature, read.request, read.budget) {
                case .isDisabled: return (steps, .disabled)
                case .doesNotMatch where rule.isOff: break
                case .isBlocked:
                    let received: Received? =
                        if case .enabled = read.key {
                            read.receive(false, read.layer.source, .disabled, rule.rule.id)
                        } else {
                            nil
                        }
                    steps += limited {
                        let reasons = self.reasons(of: rule, read.key.feature, read.request)
                        return [
                            Step(
                                .rule, rule.rule.id, .blocks, reasons.last?.text ?? "", value: received?.value,
                                steps: reasons)
                        ]
                    }
                    return (steps, .blocked)
                case .doesNotMatch:
                    steps += limited {
                        let reasons = self.reasons(of: rule, read.key.feature, read.request)
                        let text = read.budget.fault.map { "\($0)" } ?? reasons.last?.text ?? ""
                        return [Step(.rule, rule.rule.id, .doesNotMatch, text, steps: reasons)]
                    }
                case .matches:
                    // What decides comes before the reasons, and must not depend on their room.
                    var received: Received?
                    var inner: [Step] = []
                    if let experiment = rule.experiment {
                        inner = [step(of: experiment, of: rule, read)]
                    } else if let value = rule.value(of: read.key) {
                        received = read.receive(value, read.layer.source, rule.reason, rule.rule.id)
                    }
                    steps += limited {
                        [
                            Step(
                                .rule, rule.rule.id, received?.verdict ?? .matches, received?.text ?? "",
                                value: received?.value,
                                steps: self.reasons(of: rule, read.key.feature, read.request) + inner)
                        ]
                    }
                }
            }
        }
        return (steps, nil)
    }
}

extension FeatureKey {
    /// The variable's name; nil for whether the feature is enabled.
    fileprivate var variable: String? {
        if case .variable(let key) = self { key.variable } else { nil }
    }
}
