import FoundationEssentials

extension Evaluator {
    /// Explains a read for tools, without checking the type of a variable and without decryption.
    package func explanation(of key: FeatureKey) -> FeatureExplanation {
        key.variable == nil
            ? explanation(of: key, as: Bool.self) : explanation(of: key, as: JSONValue.self, decrypts: false)
    }

    /// Explains a read.
    /// - Parameters:
    ///   - key: The variable, or whether a feature is enabled.
    ///   - type: The requested type of the value.
    ///   - decrypts: Whether the value is decrypted and converted; true by default.
    /// - Returns: The explanation.
    func explanation<Value: Decodable>(
        of key: FeatureKey, as type: Value.Type, decrypts: Bool = true
    ) -> FeatureExplanation {
        let trace = EvaluationTrace()
        let evaluator = explained(by: trace)
        let isSecret = if case .variable(let key) = key { layers.isSecret(key) } else { false }
        var (found, error): (Candidate?, FeatureError?)
        func refusal() -> FeatureError? { budget.fault.map { FeatureError($0, place: "\(key)") } }
        let ending = evaluator.resolve(key) { candidate -> Never? in
            let value = isSecret ? JSONValue?.none : candidate.value.abridged
            if decrypts, let fault = problem(candidate, key, as: type) {
                trace.received = (.unreadable, value, fault.reason)
                if found == nil, error == nil { error = fault }
            } else if found != nil {
                trace.received = (.overridden, value, "")
            } else {
                trace.received = (.gives, value, "")
                if error == nil { error = refusal() }
                found = candidate
            }
            // Continue with the next value, because the explanation names it too.
            return nil
        }.ending
        if found == nil, error == nil { error = refusal() }
        trace.received = (found == nil ? .gives : .overridden, nil, "")
        trace.endSource(.fallback, at: trace.steps.count)
        let reason = error != nil ? .error : found?.reason ?? (ending == .disabled ? .disabled : .default)
        return FeatureExplanation(
            feature: key.feature, variable: key.variable, value: isSecret ? nil : found?.value,
            source: found?.source ?? .fallback, reason: reason, rule: found?.rule, error: error.map { "\($0)" },
            isSecret: isSecret, steps: trace.steps)
    }

    /// Explains the result of an experiment for the context, whichever values its variants have.
    package func step(of experiment: CompiledExperiment) -> FeatureExplanation.Step {
        let trace = EvaluationTrace()
        let decision = context.map { self.decision(of: experiment, nil, nil, $0) }
        trace.add(experiment, decision?.variant?.name) {
            decision.map { words($0, of: experiment, nil, context ?? .empty) } ?? "experiments need a context"
        }
        return trace.steps[0]
    }

    /// The conditions of a rule that the context meets: "email matches; userId 'u-1' is at 0.6312, covered 0 to 0.7".
    func matchWords(_ rule: CompiledRule) -> String {
        let prerequisites = rule.prerequisites.map { prerequisite in
            "feature \(prerequisite.feature.excerpt): it is \(prerequisite.condition == nil ? "enabled" : "as required")"
        }
        let buckets = rule.bucket.map { [words($0)] } ?? []
        let filters = rule.filters.map { words($0, of: rule.bucket?.unit ?? "userId") }
        let condition = rule.condition.map { [$0.matchWords] } ?? []
        return (prerequisites + condition + buckets + filters).joined(separator: "; ")
    }

    /// An obstacle as a phrase: "email: missing".
    func words(_ obstacle: Obstacle, _ rule: CompiledRule, of feature: String) -> String {
        if let fault = budget.fault { return "\(fault)" }
        return switch obstacle {
        case .schedule: words(rule.schedule)
        case .unusable: "the rule has a key or a value that cannot be used"
        case .condition: words(rule.condition)
        case .bucket: rule.bucket.map { words($0) } ?? ""
        case .prerequisite(let place): words(rule.prerequisites[place], of: feature)
        case .filter(let place): words(rule.filters[place], of: rule.bucket?.unit ?? "userId")
        }
    }

    /// The beginning of a schedule that has not begun, or the end of one that is over.
    private func words(_ schedule: Schedule?) -> String {
        func words(_ instant: Instant?) -> String { instant?.text ?? "an unknown time" }
        return switch moment.flatMap({ schedule?.phase(at: $0) }) {
        case .ahead?: "begins at \(words(schedule?.start))"
        case .over?: "ended at \(words(schedule?.end))"
        case .current?, nil: "the time is not known, because the clock is not set"
        }
    }

    private func words(_ condition: Condition?) -> String {
        condition?.failure((context ?? .empty).attribute, budget) ?? "the condition does not hold"
    }

    private func words(_ bucket: RuleBucket) -> String {
        words(bucket.unit, bucket.seed, bucket.hashVersion, [bucket.range])
    }

    private func words(_ filter: BucketFilter, of unit: String) -> String {
        words(
            filter.unit ?? unit, filter.seed, filter.hashVersion, filter.ranges, " by the filter \(filter.seed.excerpt)"
        )
    }

    /// The bucket of a unit, and the ranges that must contain it: "userId 'u-1' is at 0.6312, covered 0 to 0.25".
    private func words(
        _ unit: String, _ seed: String, _ version: HashVersion?, _ ranges: [Range<Double>], _ origin: String = ""
    ) -> String {
        guard let id = context?.unit(unit)?.id else { return missing(unit) }
        guard let version else { return "the hash is unknown to this version of the SDK" }
        let bucket = Bucketing.fraction(of: id, seed: seed, version: version).bucketWords
        let covered = ranges.isEmpty ? "nothing" : ranges.map(\.bucketWords).joined(separator: " and ")
        return "\(unit) \(id.excerpt) is at \(bucket)\(origin), covered \(covered)"
    }

    /// The reason why the context has no usable id of a unit.
    private func missing(_ unit: String) -> String {
        context?.hasLongID(of: unit) ?? false
            ? "\(unit): its id has more than \(ReadBudget.maximumUnitLength) bytes and is not used" : "\(unit): missing"
    }

    private func words(_ prerequisite: Prerequisite, of feature: String?) -> String {
        let reason =
            if feature?.isExactly(prerequisite.feature) ?? false {
                "it waits for itself"
            } else if budget.hasTooManyPrerequisites {
                "it is behind too many other prerequisites of this read, and counts as not met"
            } else {
                prerequisite.condition == nil ? "it is not enabled" : "it is not as required"
            }
        return "feature \(prerequisite.feature.excerpt)\(prerequisite.isGate ? ", a gate" : ""): \(reason)"
    }

    /// The result of an experiment for a context: "variant 'a', by the hash, userId 'u-1' is at 0.61, covered 0 to
    /// below 0.7".
    func words(
        _ decision: VariantDecision, of experiment: CompiledExperiment, _ feature: String?, _ context: FeatureContext
    ) -> String {
        let content = experiment.experiment
        guard let variant = decision.variant else { return reason(decision, experiment, feature, context) }
        let origin: String
        switch decision.reason {
        case .forced:
            let isOwn = context.overrides?.variant(of: experiment.id).flatMap(experiment.variant) != nil
            let isOverridden = layers.forced(experiment.id).flatMap(experiment.variant) != nil
            origin = "forced by \(isOwn ? "the request" : isOverridden ? "an override" : "the document")"
        case .sticky:
            let date = experiments.storedTime(of: experiment, variant.name, for: context)
            origin = date.map { "stored \(Self.words(of: $0))" } ?? "stored"
        default:
            if let replaced = decision.unstored?.replaced {
                origin = "drawn anew, because the stored \(replaced.excerpt) is no longer a variant"
            } else {
                let ranges = zip(content.variants, content.ranges).filter { $0.0.name == variant.name }.map(\.1)
                let bucket = words(decision.unit?.name ?? content.unit, content.seed, content.hashVersion, ranges)
                origin =
                    "by the hash, \(decision.unstored == nil ? "" : "and stored at the first exposure, ")\(bucket)"
            }
        }
        return "variant \(variant.name.excerpt), \(origin)"
    }

    /// The reason why an experiment gives no variant.
    private func reason(
        _ decision: VariantDecision, _ experiment: CompiledExperiment, _ feature: String?, _ context: FeatureContext
    ) -> String {
        let content = experiment.experiment
        switch decision.reason {
        case .disabled: return "the experiment is disabled"
        case .scheduled: return words(content.targeting.schedule)
        case .unusable: return "the experiment has a key or a value that cannot be used"
        case .filtered: return audience(of: content, context)
        case .condition where decision.unit == nil: return "the condition in code does not hold"
        case .condition: return words(content.targeting.condition)
        case .prerequisite:
            let unmet = content.targeting.prerequisites.first { !meets($0, of: feature) }
            return unmet.map { words($0, of: feature) } ?? "a prerequisite is not met"
        case .noUnit: return missing(content.unit)
        case .notCovered:
            let unit = decision.unit?.name ?? content.unit
            let filter = content.targeting.filters.first { filter in
                !(context.unit(filter.unit ?? unit).map { filter.contains($0.id) } ?? false)
            }
            return filter.map { words($0, of: unit) }
                ?? words(unit, content.seed, content.hashVersion, content.ranges.filter { !$0.isEmpty })
        case .blocked: return "the unit's variant or an earlier assignment is blocked"
        case .notLoaded: return "the store of assignments has not answered for the unit"
        case .refused: return budget.fault.map { "\($0)" } ?? missing(content.unit)
        default: return decision.reason.rawValue
        }
    }

    private func audience(of experiment: Experiment, _ context: FeatureContext) -> String {
        func words(_ name: String, _ value: String?, _ wanted: [String]?) -> String? {
            wanted.map {
                "\(name): \(value?.excerpt ?? "missing"), of \(JSONValue.array($0.map(JSONValue.string)).inWords)"
            }
        }
        let parts = [
            words("country", context.country, experiment.countries),
            words("language", context.language, experiment.languages),
        ]
        return parts.compactMap(\.self).joined(separator: "; ") + " take part"
    }

    private static func words(of date: Int64) -> String { Date(milliseconds: date).iso8601 ?? "at an unknown time" }
}

extension Double {
    /// The bucket or the bound of a range, rounded to four decimals.
    fileprivate var rounded4: Double { (self * 10_000).rounded() / 10_000 }

    fileprivate var bucketWords: String { "\(JSONValue(shortest: rounded4))" }
}

extension Range<Double> {
    /// "0 to 0.25" for a rule's coverage, which includes its bound; "0.5 to below 1" for other ranges.
    fileprivate var bucketWords: String {
        if isEmpty { return "nothing" }
        let end = upperBound == upperBound.rounded4.nextUp ? "" : "below "
        return "\(lowerBound.bucketWords) to \(end)\(upperBound.bucketWords)"
    }
}

extension Condition {
    /// The maximum number of attributes to name.
    private static let maxNames = 3

    /// A phrase that the condition holds, with its attributes: "email and plan match".
    fileprivate var matchWords: String {
        let names = json.members.map(\.name).filter { !$0.hasPrefix("$") }
        guard let last = names.last, names.count == json.count else { return "the condition holds" }
        if names.count == 1 { return "\(last.oneLine(most: 100)) matches" }
        let shown = names.prefix(min(Self.maxNames, names.count - 1)).map { $0.oneLine(most: 100) }.joined(
            separator: ", ")
        let rest = names.count - min(Self.maxNames, names.count - 1)
        return "\(shown) and \(rest == 1 ? last.oneLine(most: 100) : "\(rest) more") match"
    }
}
