import TrackerConfig

extension RuleMoves {
    /// Who gets what else, as a sentence without a full stop: "15 % of all users get `true`".
    /// - Parameter isSecret: Whether a variable is a secret.
    /// - Returns: The sentence.
    package func sentence(isSecret: (String) -> Bool) -> String {
        guard let share else { return "cannot count affected units: \(obstacle?.words ?? "")" }
        let way = method == .exact ? "counted over all buckets" : "several units or seeds, taken as independent"
        let units = isOfUsers ? "users" : "units"
        let gets = "get \(words(isSecret))"
        guard let matching = matchingShares else {
            return share == 0
                ? "no \(units) get another value (\(way))" : "\(share.words) all \(units) \(gets) (\(way))"
        }
        let matched = "\(units) that a condition matches"
        let least = matching.lowerBound
        let some = least == matching.upperBound ? least.words : "\(least.percent) % to \(matching.upperBound.words)"
        return switch (share, matching.upperBound) {
        case (0, 0): "no \(units) get another value (\(way))"
        case (_, 0): "\(share.words) all \(units) \(gets), apart from \(matched) (\(way))"
        case (0, _): "\(some) the \(matched) \(gets), and no others (\(way))"
        case (least, least): "\(share.words) all \(units) \(gets) (\(way))"
        default: "\(share.words) all \(units) \(gets), and \(some) the \(matched) (\(way))"
        }
    }

    /// The value in backquotes: `true` of whether the feature is enabled, `retryLimit = 3` of a variable.
    private func words(_ isSecret: (String) -> Bool) -> String {
        guard let outcome else { return "another value" }
        if let variable = outcome.variable, isSecret(variable) { return "another value" }
        guard let value = outcome.value?.description.oneLine(most: 60) else { return "the caller's default" }
        return outcome.variable.map { "`\($0.oneLine(most: 60)) = \(value)`" } ?? "`\(value)`"
    }
}

extension RuleMoves.Obstacle {
    fileprivate var words: String {
        switch self {
        case .experiments: "an experiment also sets this feature"
        case .prerequisites: "a feature that a prerequisite names changes too"
        case .default: "the default has rules for this feature too"
        case .size: "there are too many rules, conditions or seeds"
        }
    }
}

extension Double {
    fileprivate var words: String { "\(percent) % of" }
}
