import TrackerConfig
import TrackerFeatures
import TrackerGrowthBook

/// What one rule of a payload shows.
extension EvaluationCase {
    /// Columns: name, condition, attributes, expected result, saved groups (optional).
    func condition() throws(Fault) -> JSONValue {
        let groups = self[4] == .null ? [:] : JSONValue.object(try object(4))
        return try Self.matches(["condition": .object(try object(1))], try object(2), groups: groups)
    }

    /// Columns: name, value, [namespace, from, to], expected result.
    func isInNamespace() throws(Fault) -> JSONValue {
        try Self.matches(["namespace": self[2]], ["id": .string(try text(1))])
    }

    /// Columns: name, [number of variations, coverage, weights], expected ranges.
    func bucketRange() throws(Fault) -> JSONValue {
        let arguments = try list(1)
        let rule: JSONObject = ["coverage": arguments[1], "weights": arguments[2]]
        let ranges = try Self.ranges(of: rule, count: try arguments.count(0))
        return .array(
            ranges.map { .array([JSONValue(shortest: $0.lowerBound), JSONValue(shortest: $0.upperBound)]) })
    }

    /// Columns: name, number, ranges, expected index.
    func chosenVariation() throws(Fault) -> JSONValue {
        let ranges = try Self.ranges(of: ["ranges": self[2]], count: self[2].array?.count ?? 0)
        return .int(Bucketing.variantIndex(try number(1), in: ranges) ?? -1)
    }

    /// Columns: number of variations, expected weights.
    func equalWeights() throws(Fault) -> JSONValue {
        .array(
            try Self.ranges(of: [:], count: try count(0)).map { JSONValue(shortest: $0.upperBound - $0.lowerBound) })
    }

    /// Columns: seed, value, version, expected number or null.
    func hash() throws(Fault) -> JSONValue {
        guard let version = self[2].int.flatMap(HashVersion.init) else { return .null }
        return JSONValue(shortest: Bucketing.fraction(of: try text(1), seed: try text(0), version: version))
    }

    /// Whether a rule applies to a context.
    private static func matches(
        _ rule: JSONObject, _ attributes: JSONObject, groups: JSONValue = [:]
    ) throws(Fault) -> JSONValue {
        var rule = rule
        rule["force"] = true
        let service = try GrowthBookCase([
            "features": ["f": ["rules": [.object(rule)]]], "savedGroups": groups, "attributes": .object(attributes),
        ])
        return .bool(service.result(of: "f").value == true)
    }

    /// The ranges of the experiment of a rule with a number of variations.
    private static func ranges(of rule: JSONObject, count: Int) throws(Fault) -> [Range<Double>] {
        var rule = rule
        rule["variations"] = .array(Array(repeating: 0, count: max(count, 0)))
        let json: JSONValue = ["features": ["f": ["rules": [.object(rule)]]]]
        do throws(ConfigurationError) {
            let payload = try GrowthBookPayload(Array("\(json)".utf8))
            return payload.features[0].rules[0].experiment?.ranges ?? []
        } catch {
            throw Fault(reason: "\(error)")
        }
    }
}
