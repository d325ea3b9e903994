import TrackerConfig

/// Clauses of LaunchDarkly's rules as conditions, with segments copied in.
///
/// The attributes of a context are members of its kind: `user.key`.
struct LaunchDarklySegments {
    private let segments: JSONObject
    /// The segments in which this clause stands.
    private let path: [String]

    init(_ segments: JSONObject, path: [String] = []) {
        (self.segments, self.path) = (segments, path)
    }

    /// The condition that all clauses of a rule hold.
    func condition(of rule: JSONValue) throws(Judgement.Unmapped) -> JSONObject {
        var clauses: [JSONValue] = []
        for clause in rule["clauses"]?.array ?? [] { clauses.append(.object(try condition(clause: clause))) }
        return ["$and": .array(clauses)]
    }

    private func condition(clause: JSONValue) throws(Judgement.Unmapped) -> JSONObject {
        let values = clause["values"]?.array ?? []
        if clause["op"] == "segmentMatch" {
            var any: [JSONValue] = [.object(.never)]
            for name in values { any.append(.object(try segment(name.string ?? ""))) }
            let condition: JSONObject = ["$or": .array(any)]
            return clause["negate"] == true ? ["$not": .object(condition)] : condition
        }
        let attribute = try LaunchDarklyClause.attribute(of: clause)
        let condition = LaunchDarklyClause.condition(clause["op"]?.string ?? "", values, on: attribute)
        guard clause["negate"] == true else { return condition }
        // An attribute that is not there meets no clause, also no negated one.
        return ["$and": [[attribute: ["$exists": true]], ["$not": .object(condition)]]]
    }

    private func segment(_ name: String) throws(Judgement.Unmapped) -> JSONObject {
        guard let segment = segments[name] else { return .never }
        guard !path.contains(name) else { throw Judgement.Unmapped("a segment that leads back to itself") }
        let inner = LaunchDarklySegments(segments, path: path + [name])
        var rules: [JSONValue] = [.object(.never)]
        for rule in segment["rules"]?.array ?? [] {
            guard rule["weight"] == nil else {
                throw Judgement.Unmapped("a share of the units by LaunchDarkly's hash, SHA-1")
            }
            rules.append(.object(try inner.condition(of: rule)))
        }
        let included = Self.keys(segment["included"], segment["includedContexts"])
        let excluded = Self.keys(segment["excluded"], segment["excludedContexts"])
        return [
            "$or": [.object(included), ["$and": [["$not": .object(excluded)], ["$or": .array(rules)]]]]
        ]
    }

    /// The condition that the key of a context is in a list of its kind.
    private static func keys(_ users: JSONValue?, _ contexts: JSONValue?) -> JSONObject {
        var any: [JSONValue] = [["user.key": ["$in": users ?? []]]]
        for list in contexts?.array ?? [] {
            any.append([("\(list["contextKind"]?.string ?? "user").key"): ["$in": list["values"] ?? []]])
        }
        return ["$or": .array(any)]
    }
}
