import Foundation
import TrackerFeatures

/// The features of a document that mean what the toggles of Unleash mean.
///
/// A toggle is enabled if one of its strategies is: each becomes a rule. What a strategy's constraints, its segments and its
/// parameters demand is the rule's condition; dependencies are gates. Shares other than all and none need Unleash's hash.
struct UnleashToggles {
    private let toggles: [String: JSONValue]
    private let segments: [Int: JSONValue]
    /// Why toggles have no feature, by their names.
    private(set) var unmapped: [String: Judgement.Unmapped] = [:]
    /// The definitions of the features.
    private(set) var features = JSONObject()

    init(_ state: JSONValue) {
        let list = state["features"]?.array ?? []
        toggles = Dictionary(list.map { ($0["name"]?.string ?? "", $0) }) { $1 }
        segments = Dictionary((state["segments"]?.array ?? []).map { ($0["id"]?.int ?? 0, $0) }) { $1 }
        for (name, toggle) in toggles {
            do throws(Judgement.Unmapped) {
                features[name] = .object(try feature(toggle))
            } catch {
                unmapped[name] = error
            }
        }
    }

    /// Whether a toggle has several variants, one of which Unleash chooses by its hash.
    func choosesVariant(_ name: String) -> Bool {
        guard let toggle = toggles[name] else { return false }
        return ([toggle] + (toggle["strategies"]?.array ?? [])).contains { ($0["variants"]?.array?.count ?? 0) > 1 }
    }

    private func feature(_ toggle: JSONValue) throws(Judgement.Unmapped) -> JSONObject {
        let own = toggle["variants"]?.array?.first
        let variables: JSONObject = ["variant": ["value": Self.variant(own, isEnabled: true)]]
        guard toggle["enabled"] == true, isPossible(toggle) else { return ["enabled": false] }
        var rules = gates(of: toggle)
        let strategies = toggle["strategies"]?.array ?? []
        for (index, strategy) in strategies.enumerated() {
            var conditions = [try self.condition(strategy)]
            for constraint in strategy["constraints"]?.array ?? [] {
                conditions.append(try UnleashConstraint(constraint).condition)
            }
            for id in strategy["segments"]?.array ?? [] { conditions.append(try segment(id.int ?? -1)) }
            var rule: JSONObject = [
                "id": .string("strategy-\(index)"), "enabled": true,
                "condition": ["$and": .array(conditions.map(JSONValue.object))],
            ]
            if let variant = strategy["variants"]?.array?.first {
                rule["values"] = ["variant": Self.variant(variant, isEnabled: true)]
            }
            rules.append(.object(rule))
        }
        return ["enabled": .bool(strategies.isEmpty), "variables": .object(variables), "rules": .array(rules)]
    }

    /// Whether the toggle can be enabled: Unleash has one level of dependencies.
    private func isPossible(_ toggle: JSONValue) -> Bool {
        (toggle["dependencies"]?.array ?? []).allSatisfy { dependency in
            let parent = toggles[dependency["feature"]?.string ?? ""]
            return parent != nil && (parent?["dependencies"]?.array ?? []).isEmpty
        }
    }

    private func gates(of toggle: JSONValue) -> [JSONValue] {
        var gates: [JSONValue] = []
        for dependency in toggle["dependencies"]?.array ?? [] {
            var condition: JSONObject = ["enabled": dependency["enabled"] ?? true]
            if let variants = dependency["variants"]?.array, !variants.isEmpty {
                condition["variant.name"] = ["$in": .array(variants)]
            }
            gates.append(["feature": dependency["feature"] ?? "", "condition": .object(condition), "gate": true])
        }
        return gates.isEmpty ? [] : [["id": "parents", "prerequisites": .array(gates)]]
    }

    private func segment(_ id: Int) throws(Judgement.Unmapped) -> JSONObject {
        guard let segment = segments[id] else { return .never }
        var conditions: [JSONValue] = []
        for constraint in segment["constraints"]?.array ?? [] {
            conditions.append(.object(try UnleashConstraint(constraint).condition))
        }
        return ["$and": .array(conditions)]
    }

    private func condition(_ strategy: JSONValue) throws(Judgement.Unmapped) -> JSONObject {
        let parameters = strategy["parameters"]
        func words(_ name: String) -> [JSONValue] {
            (parameters?[name]?.string ?? "").split(separator: ",")
                .map { .string($0.trimmingCharacters(in: .whitespaces)) }
        }
        func share(_ name: String, of unit: String?) throws(Judgement.Unmapped) -> JSONObject {
            switch parameters?[name]?.string ?? "\(parameters?[name] ?? "")" {
            case "0": return .never
            case "100": return unit.map { [$0: ["$exists": true]] } ?? [:]
            default: throw Judgement.Unmapped("a share of the units by Unleash's hash, murmur3, or by chance")
            }
        }
        switch strategy["name"]?.string {
        case "default": return [:]
        case "userWithId": return ["userId": ["$in": .array(words("userIds"))]]
        case "remoteAddress": return UnleashConstraint.address("remoteAddress", in: words("IPs"))
        case "gradualRolloutUserId": return try share("percentage", of: "userId")
        case "gradualRolloutSessionId": return try share("percentage", of: "sessionId")
        case "gradualRolloutRandom": return try share("percentage", of: nil)
        case "flexibleRollout":
            let stickiness = parameters?["stickiness"]?.string ?? "default"
            return try share("rollout", of: ["default", "random"].contains(stickiness) ? nil : stickiness)
        // A strategy that a client does not know enables nothing.
        default: return .never
        }
    }

    /// A variant as the cases expect it.
    private static func variant(_ variant: JSONValue?, isEnabled: Bool) -> JSONValue {
        guard let variant else { return noVariant(isFeatureEnabled: isEnabled) }
        var result: JSONObject = ["name": variant["name"] ?? "", "enabled": true, "feature_enabled": true]
        if let payload = variant["payload"] { result["payload"] = payload }
        return .object(result)
    }

    /// The variant of a toggle without variants.
    static func noVariant(isFeatureEnabled: Bool) -> JSONValue {
        ["name": "disabled", "enabled": false, "feature_enabled": .bool(isFeatureEnabled)]
    }
}
