import TrackerConfig

/// The features of a document that mean what LaunchDarkly's flags mean.
///
/// A variation is the variable `value`, and its index the variable `variation`. Targets and rules become rules in their order.
/// A flag with prerequisites has the value of its off variation, and its rules and its fallthrough ask for them.
struct LaunchDarklyFlags {
    /// Why flags have no feature, by their keys.
    private(set) var unmapped: [String: Judgement.Unmapped] = [:]
    /// The definitions of the features.
    private(set) var features = JSONObject()

    init(_ flags: JSONObject, _ segments: JSONObject) {
        for (key, flag) in flags.members {
            do throws(Judgement.Unmapped) {
                features[key] = .object(try Self.feature(flag, LaunchDarklySegments(segments)))
            } catch {
                unmapped[key] = error
            }
        }
    }

    private static func feature(
        _ flag: JSONValue, _ segments: LaunchDarklySegments
    ) throws(Judgement.Unmapped) -> JSONObject {
        guard flag["on"] == true else {
            let outcome: JSONValue = ["variation": flag["offVariation"] ?? .null]
            return ["enabled": false, "variables": .object(try variables(outcome, of: flag))]
        }
        let prerequisites = (flag["prerequisites"]?.array ?? []).map { prerequisite -> JSONValue in
            // A flag that is off meets none, whatever its variation is.
            let condition: JSONValue = ["enabled": true, "variation": prerequisite["variation"] ?? .null]
            return ["feature": prerequisite["key"] ?? "", "condition": condition]
        }
        var rules: [JSONValue] = []
        func add(_ id: String, _ outcome: JSONValue, when condition: JSONObject) throws(Judgement.Unmapped) {
            var rule: JSONObject = ["id": .string(id), "values": .object(try values(outcome, of: flag))]
            if !condition.isEmpty { rule["condition"] = .object(condition) }
            if !prerequisites.isEmpty { rule["prerequisites"] = .array(prerequisites) }
            rules.append(.object(rule))
        }
        for (index, target) in targets(of: flag).enumerated() {
            let key = "\(target["contextKind"]?.string ?? "user").key"
            try add("target-\(index)", target, when: [key: ["$in": target["values"] ?? []]])
        }
        for (index, rule) in (flag["rules"]?.array ?? []).enumerated() {
            try add("rule-\(index)", rule, when: segments.condition(of: rule))
        }
        let otherwise = flag["fallthrough"] ?? [:]
        if !prerequisites.isEmpty { try add("fallthrough", otherwise, when: [:]) }
        let variables = try variables(
            prerequisites.isEmpty ? otherwise : ["variation": flag["offVariation"] ?? .null], of: flag)
        return ["enabled": true, "variables": .object(variables), "rules": .array(rules)]
    }

    /// The targets in the order of their evaluation. One of users without values stands for those of `targets`.
    private static func targets(of flag: JSONValue) -> [JSONValue] {
        let users = flag["targets"]?.array ?? []
        guard let all = flag["contextTargets"]?.array else { return users }
        return all.map { target in
            let isUser = target["contextKind"] == nil || target["contextKind"] == "user"
            guard isUser, target["values"]?.array?.isEmpty ?? true else { return target }
            return users.first { $0["variation"] == target["variation"] } ?? target
        }
    }

    private static func variables(_ outcome: JSONValue, of flag: JSONValue) throws(Judgement.Unmapped) -> JSONObject {
        // Without an off variation, a read gives the caller's default.
        guard outcome["variation"] != .null else { return [:] }
        return JSONObject(try values(outcome, of: flag).members.map { ($0.name, ["value": $0.value]) })
    }

    private static func values(_ outcome: JSONValue, of flag: JSONValue) throws(Judgement.Unmapped) -> JSONObject {
        guard outcome["rollout"] == nil else {
            throw Judgement.Unmapped("a share of the units by LaunchDarkly's hash, SHA-1")
        }
        let variations = flag["variations"]?.array ?? []
        guard let index = outcome["variation"]?.int, variations.indices.contains(index) else {
            throw Judgement.Unmapped("a variation by an index that is missing or out of range; a document has values")
        }
        return ["value": variations[index], "variation": .int(index)]
    }
}
