package import TrackerFeatures

extension FeatureRule {
    /// The rule in the form of a document, with "…" in place of secrets; `"usable": false` if it matches no context.
    /// - Parameters:
    ///   - feature: The rule's feature.
    ///   - isSecret: Whether a variable is a secret.
    /// - Returns: The rule's members.
    package func json(of feature: String, isSecret: (VariableKey) -> Bool = { _ in false }) -> JSONObject {
        var members: [JSONObject.Member] = [("id", .string(id))] + targeting.members
        if let bucket { members += bucket.members }
        if let isEnabled { members.append(("enabled", .bool(isEnabled))) }
        if !values.isEmpty {
            let shown = values.members.map { name, value in
                (name: name, value: isSecret(VariableKey(feature, name)) ? JSONValue.hidden : value)
            }
            members.append(("values", .object(JSONObject(unique: shown))))
        }
        if let experiment { members.append(("experiment", .string(experiment.id))) }
        if !isUsable { members.append(("usable", false)) }
        return JSONObject(unique: members)
    }
}

extension Targeting {
    /// The parts in the form of a document; a namespace becomes a filter.
    package var members: [JSONObject.Member] {
        var members: [JSONObject.Member] = []
        if let condition, !condition.json.isEmpty { members.append(("condition", .object(condition.json))) }
        if !prerequisites.isEmpty { members.append(("prerequisites", .array(prerequisites.map(\.json)))) }
        if !filters.isEmpty { members.append(("filters", .array(filters.map(\.json)))) }
        return members + (schedule?.members ?? [])
    }
}

extension Prerequisite {
    fileprivate var json: JSONValue {
        var json: JSONObject = ["feature": .string(feature)]
        json["condition"] = condition.map { .object($0.json) }
        if isGate { json["gate"] = true }
        return .object(json)
    }
}

extension BucketFilter {
    fileprivate var json: JSONValue {
        var json = JSONObject()
        json["unit"] = unit.map(JSONValue.string)
        json["seed"] = .string(seed)
        json["hashVersion"] = hashVersion.json
        json["ranges"] = .array(ranges.map(\.json))
        return .object(json)
    }
}

extension RuleBucket {
    fileprivate var members: [JSONObject.Member] {
        [("unit", .string(unit)), ("seed", .string(seed)), ("hashVersion", hashVersion.json), share]
    }

    /// The coverage, or the range if it cannot be written as a coverage.
    private var share: JSONObject.Member {
        if range == 0..<0 { return ("coverage", 0) }
        let coverage = range.upperBound.nextDown
        // If the bound was written as a range, the preceding number has more digits.
        let isShorter = "\(coverage)".utf8.count < "\(range.upperBound)".utf8.count
        // A rule with the coverage 1 also matches contexts without the unit.
        let isCoverage = range.lowerBound == 0 && range.upperBound <= 1 && isShorter
        return isCoverage ? ("coverage", JSONValue(shortest: coverage)) : ("range", range.json)
    }
}

extension Range<Double> {
    /// The bounds in the form of a document, within 0…1.
    package var json: JSONValue { [JSONValue(shortest: lowerBound), JSONValue(shortest: Swift.min(upperBound, 1))] }
}

extension HashVersion? {
    /// The number; "unknown" if this version of the SDK does not support the hash.
    package var json: JSONValue { map { .int($0.rawValue) } ?? "unknown" }
}

extension Experiment {
    /// The members of the experiment that most experiments do not have.
    package var exceptions: [JSONObject.Member] {
        var members: [JSONObject.Member] = []
        if !isEnabled { members.append(("enabled", false)) }
        if !isUsable { members.append(("usable", false)) }
        if ranges != Bucketing.ranges(weights: variants.map(\.weight), coverage: coverage) {
            members.append(("ranges", .array(ranges.map(\.json))))
        }
        if let fallbackUnit { members.append(("fallbackUnit", .string(fallbackUnit))) }
        if bucketVersion != 0 { members.append(("bucketVersion", .int(bucketVersion))) }
        if minBucketVersion != 0 { members.append(("minBucketVersion", .int(minBucketVersion))) }
        if let forcedVariant { members.append(("force", .string(forcedVariant))) }
        return members
    }
}
