import FoundationEssentials

extension Explainer {
    /// What an experiment gives to the context of a read.
    func step(of experiment: CompiledExperiment, of rule: CompiledRule?, _ read: Read) -> Step {
        step(of: experiment, of: rule, read.key.feature, read.request, read.budget) { variant, evaluation in
            guard !variant.variant.isPassthrough, let value = variant.value(of: read.key) else { return nil }
            return read.receive(value, variant.source, evaluation.isFromStore ? .cached : .split, rule?.rule.id)
        }
    }

    /// What an experiment gives to a context.
    /// - Parameters:
    ///   - experiment: The experiment.
    ///   - rule: The rule that names it; nil for none.
    ///   - feature: The feature that is read; nil if the experiment is evaluated by its id.
    ///   - request: The layers and the context.
    ///   - budget: The budget of the read.
    ///   - receive: Receives the variant's value; returns nil if it has none.
    /// - Returns: The step.
    func step(
        of experiment: CompiledExperiment, of rule: CompiledRule?, _ feature: String?, _ request: FeatureReader.Request,
        _ budget: ReadBudget, _ receive: (CompiledVariant, Evaluation) -> Received?
    ) -> Step {
        guard let context = request.context else {
            return Step(.experiment, experiment.id, .doesNotMatch, "experiments need a context")
        }
        let evaluation = reader.decision(of: experiment, of: rule, feature, for: context, request, budget)
        guard let variant = evaluation.variant else {
            let parts = parts(of: experiment, feature, evaluation, context, request)
            return Step(
                .experiment, experiment.id, .doesNotMatch,
                reason(evaluation, of: experiment, context, parts.last?.text ?? ""), steps: parts)
        }
        let received = receive(variant, evaluation)
        let origin = origin(of: evaluation, experiment, context, request)
        let text = "variant \(variant.name.excerpt), \(origin)"
        return Step(
            .experiment, experiment.id, received?.verdict ?? .noValue,
            received.map { $0.text.isEmpty ? text : "\(text): \($0.text)" } ?? text, value: received?.value,
            variant: variant.name, steps: parts(of: experiment, feature, evaluation, context, request))
    }

    /// How a unit came to its variant.
    private func origin(
        of evaluation: Evaluation, _ experiment: CompiledExperiment, _ context: FeatureContext,
        _ request: FeatureReader.Request
    ) -> String {
        switch evaluation.reason {
        case .forced:
            if context.forced(experiment) != nil { return "forced by the request" }
            return request.layers.forced(experiment.id).flatMap(experiment.variant) != nil
                ? "forced by an override" : "forced by the document"
        case .sticky:
            guard let unit = evaluation.unit else { return "stored" }
            if let stored = reader.experiments.storedAssignment(of: experiment, for: unit),
                stored.variant.isExactly(evaluation.variant?.name ?? "")
            {
                return "stored \(Self.words(of: stored.date))"
            }
            return "stored for \(experiment.experiment.fallbackUnit ?? "another unit")"
        default:
            guard let unstored = evaluation.unstored, let unit = evaluation.unit else { return "by the hash" }
            guard let replaced = unstored.replaced else { return "by the hash, and stored at the first exposure" }
            let stored = reader.experiments.storedAssignment(of: experiment, for: unit)
            let since = stored.map { " of \(Self.words(of: $0.date))" } ?? ""
            let why = experiment.variant(replaced) == nil ? "is no longer a variant" : "has expired"
            return "drawn anew, because the stored \(replaced.excerpt)\(since) \(why)"
        }
    }

    /// Why an experiment gives no variant.
    private func reason(
        _ evaluation: Evaluation, of experiment: CompiledExperiment, _ context: FeatureContext, _ part: String
    ) -> String {
        switch evaluation.reason {
        case .disabled: "the experiment is disabled"
        case .scheduled: experiment.experiment.targeting.schedule.map { step(of: $0).text } ?? "it is not its time"
        case .unusable: "the experiment has a key or a value that cannot be used"
        case .filtered: audience(of: experiment.experiment, context)
        case .condition where evaluation.unit == nil: "the condition in code does not hold"
        case .noUnit: missing(experiment.experiment.unit, in: context)
        case .blocked: "the unit's variant or an earlier assignment is blocked"
        case .notLoaded: "the store of assignments has not answered for the unit"
        case .refused: "the read takes too many steps, or the id of the unit is too long"
        default: part.isEmpty ? evaluation.reason.rawValue : part
        }
    }

    private func audience(of experiment: Experiment, _ context: FeatureContext) -> String {
        func words(_ name: String, _ value: String?, _ wanted: [String]?) -> String? {
            wanted.map { wanted in
                let list = JSONValue.array(wanted.map(JSONValue.string)).inWords
                return value.map { "\(name): \($0.excerpt), of \(list)" } ?? "\(name): missing, of \(list)"
            }
        }
        return [
            words("country", context.country, experiment.countries),
            words("language", context.language, experiment.languages),
        ].compactMap(\.self).joined(separator: "; ") + " take part"
    }

    /// The parts that decided, the failing one at the end.
    private func parts(
        of experiment: CompiledExperiment, _ feature: String?, _ evaluation: Evaluation, _ context: FeatureContext,
        _ request: FeatureReader.Request
    ) -> [Step] {
        guard let unit = evaluation.unit else { return [] }
        let targeting = experiment.experiment.targeting
        switch evaluation.reason {
        case .condition: return failure(of: targeting.condition, in: context).map { [$0] } ?? []
        case .prerequisite:
            for prerequisite in targeting.prerequisites {
                let step = step(of: prerequisite, of: feature, request)
                if step.verdict == .doesNotMatch { return limited { [step] } }
            }
            return []
        case .notCovered:
            let filters = filters(targeting.filters, of: unit.name, in: context)
            if filters.last?.verdict == .doesNotMatch { return filters }
            return filters + [bucket(of: unit, experiment, nil, context)]
        case .assigned where evaluation.unstored?.replaced == nil:
            return [bucket(of: unit, experiment, evaluation.variant, context)]
        default: return []
        }
    }

    private func bucket(
        of unit: ExperimentUnit, _ experiment: CompiledExperiment, _ variant: CompiledVariant?,
        _ context: FeatureContext
    ) -> Step {
        let pairs = zip(experiment.experiment.variants, experiment.experiment.ranges)
        let ranges = pairs.filter { pair in variant.map { $0.name.isExactly(pair.0.name) } ?? true }.map(\.1)
        let version = experiment.experiment.hashVersion
        let seed = experiment.experiment.seed
        return step(
            of: unit.name, in: context, ranges,
            version.map { version in { Bucketing.fraction(of: $0, seed: seed, version: version) } })
    }

    private static func words(of date: Int64) -> String { Date(milliseconds: date).iso8601 ?? "at an unknown time" }
}
