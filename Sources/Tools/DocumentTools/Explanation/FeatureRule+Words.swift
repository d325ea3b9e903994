package import TrackerFeatures

extension FeatureRule {
    /// The audience of the rule as a phrase: `if {"plan":"pro"}, 20 % of userId`.
    package var audience: String {
        guard isUsable else { return "no context, because the rule is unusable" }
        var words = targeting.words
        if let bucket { words.append(bucket.words) }
        return words.isEmpty ? "all contexts" : words.joined(separator: ", ")
    }

    /// The effect of the rule as a phrase: `enabled, retryLimit = 9`.
    /// - Parameters:
    ///   - feature: The rule's feature.
    ///   - isSecret: Whether a variable is a secret.
    /// - Returns: The words.
    package func effect(on feature: String, isSecret: (VariableKey) -> Bool = { _ in false }) -> String {
        if let experiment { return "what experiment \(experiment.id) gives" }
        var words: [String] = []
        if let isEnabled { words.append(isEnabled ? "enabled" : "disabled") }
        words += values.members.map { name, value in
            "\(name) = \(isSecret(VariableKey(feature, name)) ? JSONValue.hidden.string ?? "" : "\(value)")"
        }
        if !words.isEmpty { return words.joined(separator: ", ") }
        return targeting.prerequisites.contains(where: \.isGate) ? "a gate" : "nothing"
    }
}

extension Targeting {
    /// The parts as phrases; empty for all contexts.
    package var words: [String] {
        var words: [String] = []
        if let condition { words.append("if \(JSONValue.object(condition.json))") }
        words += prerequisites.map(\.words)
        words += filters.map { filter in
            "\(filter.ranges.map(\.words).joined(separator: " and ")) of \(filter.unit ?? "the units") "
                + "by seed \(JSONValue.string(filter.seed))"
        }
        if let schedule { words.append(schedule.words) }
        return words
    }
}

extension Prerequisite {
    fileprivate var words: String {
        let state = condition.map { "has \(JSONValue.object($0.json))" } ?? "is enabled"
        return "if feature \(feature) \(state)\(isGate ? ", else the feature is off" : "")"
    }
}

extension RuleBucket {
    fileprivate var words: String {
        guard hashVersion != nil else { return "no unit, because the hash is unknown" }
        return range.lowerBound == 0
            ? "\(range.upperBound.percent) % of \(unit)" : "\(range.words) of \(unit)"
    }
}

extension Range<Double> {
    fileprivate var words: String { "\(lowerBound.percent) % to \(upperBound.percent) %" }
}

extension Double {
    /// A share in percent, rounded to a bucket.
    package var percent: String { "\(JSONValue(shortest: (self * 10_000).rounded() / 100))" }
}

extension Schedule {
    /// The bounds in the form of a document, in UTC.
    package var members: [JSONObject.Member] {
        [("start", start), ("end", end)].compactMap { name, bound in bound.map { (name, .string($0.text)) } }
    }

    /// The schedule as a phrase: `from 2026-12-01T00:00:00Z until 2027-01-01T00:00:00Z`.
    package var words: String {
        [("from", start), ("until", end)].compactMap { word, bound in bound.map { "\(word) \($0.text)" } }
            .joined(separator: " ")
    }

    /// The reason why the schedule does not apply at a time, in one or two words; nil if it applies.
    package func state(at time: Instant) -> String? {
        switch phase(at: time) {
        case .ahead: "not begun"
        case .current: nil
        case .over: "over"
        }
    }
}
