import FoundationEssentials

extension Explainer {
    /// Why a rule is for a context, or is not: its parts in the order in which they are tried, the failing one at the end.
    func reasons(
        of rule: CompiledRule, _ feature: String, _ request: FeatureReader.Request
    ) -> [Step] {
        let targeting = rule.rule.targeting
        var steps: [Step] = []
        if let schedule = rule.schedule, !reader.isCurrent(schedule, request, reasons) { return [step(of: schedule)] }
        for prerequisite in targeting.prerequisites {
            let step = step(of: prerequisite, of: feature, request)
            steps += limited { [step] }
            if step.verdict == .doesNotMatch { return steps }
        }
        guard rule.rule.isUsable else {
            return steps + [
                Step(.condition, rule.rule.id, .doesNotMatch, "the rule has a key or a value that cannot be used")
            ]
        }
        let context = request.context ?? .empty
        if let step = failure(of: targeting.condition, in: context) { return steps + [step] }
        if let condition = targeting.condition {
            steps.append(Step(.condition, "condition", .matches, condition.matchWords))
        }
        if let bucket = rule.rule.bucket {
            let step = step(
                of: bucket.unit, in: context, [bucket.range],
                bucket.hashVersion.map { version in
                    { Bucketing.fraction(of: $0, seed: bucket.seed, version: version) }
                })
            steps.append(step)
            if step.verdict == .doesNotMatch { return steps }
        }
        return steps + filters(targeting.filters, of: rule.rule.bucket?.unit ?? "userId", in: context)
    }

    /// When what does not apply now begins, or when it ended.
    func step(of schedule: Schedule) -> Step {
        func words(_ instant: Instant?) -> String {
            instant.flatMap { Date(milliseconds: $0.milliseconds).iso8601 } ?? "an unknown time"
        }
        let text =
            switch request.time.map(schedule.phase) {
            case .ahead?: "begins at \(words(schedule.start))"
            case .over?: "ended at \(words(schedule.end))"
            case .current?, nil: "the time is not known, because the clock is not set"
            }
        return Step(.schedule, "schedule", .doesNotMatch, text)
    }

    /// What filters say of a context, up to the first that leaves it out.
    func filters(_ filters: [BucketFilter], of unit: String, in context: FeatureContext) -> [Step] {
        var steps: [Step] = []
        for filter in filters {
            let step = step(
                of: filter.unit ?? unit, in: context, filter.ranges,
                filter.hashVersion.map { version in
                    { Bucketing.fraction(of: $0, seed: filter.seed, version: version) }
                }, " by the filter \(filter.seed.excerpt)")
            steps.append(step)
            if step.verdict == .doesNotMatch { break }
        }
        return steps
    }

    /// The clause of a condition that fails; nil if none does.
    func failure(of condition: Condition?, in context: FeatureContext) -> Step? {
        condition?.failure({ context.attribute($0, reasons) }, reasons).map { step(of: $0) }
    }

    func step(of clause: FailedClause) -> Step {
        if clause.path == "$now", let now = clause.value.int.flatMap({ Date(milliseconds: Int64($0)).iso8601 }) {
            return step(of: clause.seeing(.string(now)))
        }
        return Step(
            .condition, clause.path.oneLine(most: 100), .doesNotMatch, clause.words,
            value: clause.value == .null || clause.value == .hidden ? JSONValue?.none : clause.value.abridged,
            operation: clause.operation,
            operand: clause.operand == .hidden ? JSONValue?.none : clause.operand.abridged,
            steps: clause.branches.flatMap { branch in limited { [step(of: branch)] } })
    }

    /// Where the bucket of a unit is, and the ranges that it must be in.
    func step(
        of unit: String, in context: FeatureContext, _ ranges: [Range<Double>], _ hash: ((String) -> Double)?,
        _ origin: String = ""
    ) -> Step {
        guard let id = context.unit(unit)?.id else {
            return Step(.unit, unit, .doesNotMatch, missing(unit, in: context))
        }
        guard let hash else {
            return Step(.unit, unit, .doesNotMatch, "the hash is unknown to this version of the SDK")
        }
        guard reasons.spendHash(of: id, seed: "") else { return Step(.unit, unit, .doesNotMatch, "not explained") }
        let bucket = hash(id)
        let isIn = ranges.contains { $0.contains(bucket) }
        let words = ranges.isEmpty ? "nothing" : ranges.map(\.bucketWords).joined(separator: " and ")
        return Step(
            .unit, unit, isIn ? .matches : .doesNotMatch,
            "\(unit) \(id.excerpt) is at \(bucket.bucketWords)\(origin), covered \(words)",
            value: .double(bucket),
            operand: ranges.count == 1
                ? [.double(ranges[0].lowerBound), .double(ranges[0].upperBound.rounded4)] : nil)
    }

    /// Why a context has no usable id of a unit.
    func missing(_ unit: String, in context: FeatureContext) -> String {
        context.hasLongID(of: unit)
            ? "\(unit): its id has more than \(ReadBudget.maximumUnitLength) bytes and is not used" : "\(unit): missing"
    }

    /// Whether another feature is as a rule or an experiment asks, with the explanation of that feature.
    func step(of prerequisite: Prerequisite, of feature: String?, _ request: FeatureReader.Request) -> Step {
        let (name, isGate) = (prerequisite.feature, prerequisite.isGate ? ", a gate" : "")
        let isMet = reader.meets(prerequisite, of: feature, request, reasons)
        let verdict: Step.Verdict = isMet ? .matches : .doesNotMatch
        func step(_ text: String, _ steps: [Step] = []) -> Step {
            Step(.prerequisite, name, verdict, "feature \(name.excerpt)\(isGate): \(text)", steps: steps)
        }
        var request = request
        if let feature { request.path.append(feature) }
        if request.path.contains(where: { $0.isExactly(name) }) { return step("it waits for itself") }
        guard request.path.count <= Prerequisite.maxDepth, !reasons.hasTooManyPrerequisites, !reasons.isExhausted else {
            return step("it is behind too many other prerequisites of this read, and counts as not met")
        }
        func explanation(_ key: FeatureKey) -> FeatureExplanation {
            self.explanation(of: key, request, reasons) { candidate in
                if case .enabled = key, candidate.content.value.bool == nil {
                    return FeatureError(.wrongType, place: "\(key)", reason: "expected a boolean")
                }
                do throws(FeatureError) {
                    _ = try self.reader.plain(candidate, key)
                    return nil
                } catch { return error }
            }
        }
        guard let condition = prerequisite.condition else {
            let enabled = limited { explanation(.enabled(name)).steps }
            return step(isMet ? "it is enabled" : "it is not enabled", enabled)
        }
        guard !isMet else { return step("it is as required") }
        func attribute(_ member: String) -> JSONValue? {
            guard reasons.spendPrerequisite() else { return nil }
            if member.isExactly("enabled") { return reader.isEnabled(name, nested(request)).map(JSONValue.bool) }
            return reader.value(VariableKey(name, member), nested(request))?.value
        }
        guard var clause = condition.failure(attribute, reasons) else { return step("it is not as required") }
        let member = clause.attribute
        let isEnabled = member.isExactly("enabled")
        let hasSecret = request.layers.variables(of: name).contains { request.layers.isSecret(VariableKey(name, $0)) }
        if hasSecret, !isEnabled { clause = clause.hidden }
        let named = request.layers.variables(of: name).contains { $0.isExactly(member) } || isEnabled
        let parts =
            named
            ? limited { explanation(isEnabled ? .enabled(name) : .variable(VariableKey(name, member))).steps } : []
        return step(clause.words, limited { [self.step(of: clause)] } + parts)
    }

    private func nested(_ request: FeatureReader.Request) -> FeatureReader.Request {
        var request = request
        request.budget = reasons
        return request
    }
}

extension Double {
    /// A bucket or the bound of a range in its four decimals.
    fileprivate var rounded4: Double { (self * 10_000).rounded() / 10_000 }

    fileprivate var bucketWords: String { "\(JSONValue(shortest: rounded4))" }
}

extension Range<Double> {
    /// "0 to 0.25" of a rule's coverage, which itself belongs to it; "0.5 to below 1" of others.
    fileprivate var bucketWords: String {
        if isEmpty { return "nothing" }
        let end = upperBound == upperBound.rounded4.nextUp ? "" : "below "
        return "\(lowerBound.bucketWords) to \(end)\(upperBound.bucketWords)"
    }
}

extension Condition {
    /// The most attributes that are named.
    private static let maxNames = 3

    /// That the condition holds, with its attributes: "email and plan match".
    fileprivate var matchWords: String {
        var names: [String] = []
        Self.addNames(in: json, to: &names)
        guard !names.isEmpty else { return "the condition holds" }
        let shown = names.prefix(Self.maxNames).map { $0 == "$now" ? "the time" : $0.oneLine(most: 100) }
        if names.count > shown.count {
            return "\(shown.joined(separator: ", ")) and \(names.count - shown.count) more match"
        }
        let first = shown.dropLast().joined(separator: ", ")
        return first.isEmpty ? "\(shown[0]) matches" : "\(first) and \(shown[shown.count - 1]) match"
    }

    private static func addNames(in json: JSONObject, to names: inout [String]) {
        for (name, operand) in json.members {
            if let elements = operand.array, ["$and", "$or", "$nor"].contains(name) {
                for element in elements { if let object = element.object { addNames(in: object, to: &names) } }
            } else if name == "$not", let object = operand.object {
                addNames(in: object, to: &names)
            } else if !names.contains(where: { $0.isExactly(name) }) {
                names.append(name)
            }
        }
    }
}
