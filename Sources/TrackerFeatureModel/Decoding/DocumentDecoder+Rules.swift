extension DocumentDecoder {
    private static let noMatch = "the rule matches no context"

    /// Reads a feature's rules.
    mutating func rules(
        _ node: JSONNode, of feature: String, _ place: @autoclosure Place, _ scope: DocumentScope
    ) throws(ConfigurationError) -> [FeatureRule] {
        let elements = try list(node, place())
        var rules: [FeatureRule] = []
        rules.reserveCapacity(elements.count)
        var indices = [ExactText: Int](minimumCapacity: elements.count)
        for (index, element) in elements.enumerated() {
            var rulePlace: String { "\(place())[\(index)]" }
            let rule = try self.rule(element, index, of: feature, rulePlace, scope)
            if let first = indices.updateValue(index, forKey: ExactText(rule.id)) {
                warn("\(rulePlace).id", "\(rule.id.excerpt) is the id of \(place())[\(first)] too", element.offset)
            }
            rules.append(rule)
        }
        return rules
    }

    private mutating func rule(
        _ node: JSONNode, _ index: Int, of feature: String, _ place: @autoclosure Place, _ scope: DocumentScope
    ) throws(ConfigurationError) -> FeatureRule {
        var isUsable = true
        guard
            let members = failingClosed(
                &isUsable, Self.noMatch, node,
                { (decoder) throws(ConfigurationError) in
                    try decoder.object(node, place())
                })
        else { return FeatureRule(id: "\(index)", isUsable: false) }
        var id: String?
        var targeting = TargetingDraft()
        var bucket = BucketDraft()
        var isEnabled: Bool?
        var values = JSONObject()
        var experiment: Experiment?
        for member in members where !member.isNull {
            var memberPlace: String { "\(place()).\(member.name)" }
            if member.name == "coverage", member.value.number ?? 0 > 1 { _ = try coverage(member.value, memberPlace) }
            _ = failingClosed(&isUsable, Self.noMatch, member.value, nameOffset: member.nameOffset) {
                (decoder) throws(ConfigurationError) in
                switch member.name {
                case "id": id = try decoder.text(member.value, memberPlace)
                case "enabled": isEnabled = try decoder.boolean(member.value, memberPlace)
                case "values": values = try decoder.values(member.value, of: feature, memberPlace, scope)
                case "experiment": experiment = try decoder.experiment(member.value, memberPlace, scope)
                default:
                    if try decoder.bucket(member, memberPlace, &bucket) { return }
                    if try decoder.targeting(member, memberPlace, scope, &targeting) { return }
                    throw decoder.unknown(member, memberPlace)
                }
            }
        }
        if id != nil || !members.contains(where: { $0.name == "id" && !$0.isNull }) {
            checkID(id, index, "\(place()).id", node)
        }
        if isEnabled == nil, values.isEmpty, experiment == nil, !targeting.prerequisites.contains(where: \.isGate) {
            warn(place(), "the rule has neither enabled nor values nor experiment, so it changes nothing", node.offset)
        }
        if experiment != nil, isEnabled != nil || !values.isEmpty {
            warn(place(), "the experiment decides; enabled and values of the rule are without effect", node.offset)
        }
        // The rule's unit is that of its filters also where no share is asked for.
        if let unit = bucket.unit { targeting.filters = targeting.filters.map { $0.of(unit) } }
        return FeatureRule(
            id: id ?? "\(index)", targeting: targeting.targeting, bucket: bucket.bucket(of: feature),
            isEnabled: isEnabled, values: values, experiment: experiment, isUsable: isUsable)
    }

    private mutating func checkID(_ id: String?, _ index: Int, _ place: @autoclosure Place, _ node: JSONNode) {
        guard let id else { return warn(place(), "missing; \"\(index)\" is used", node.offset) }
        if id.isBlank { warn(place(), "the id is empty", node.offset) }
    }

    private mutating func experiment(
        _ node: JSONNode, _ place: @autoclosure Place, _ scope: DocumentScope
    ) throws(ConfigurationError) -> Experiment {
        let id = try text(node, place())
        guard let experiment = scope.experiment(id) else {
            throw fault(.outOfRange, place(), "the document has no experiment \(id.excerpt)", node)
        }
        return experiment
    }

    private mutating func values(
        _ node: JSONNode, of feature: String, _ place: @autoclosure Place, _ scope: DocumentScope
    ) throws(ConfigurationError) -> JSONObject {
        let members = try object(node, place())
        let known = scope.feature(feature)
        var values: [JSONObject.Member] = []
        values.reserveCapacity(members.count)
        for variable in members where !variable.isNull {
            let name = variable.name
            var variablePlace: String { "\(place()).\(name)" }
            values.append((name, variable.value.value))
            if let fault = scope.fault(of: variable, feature, known, known?.variable(variable)) {
                warn(variablePlace, fault, variable.nameOffset)
            }
        }
        return JSONObject(unique: values)
    }

    private mutating func bucket(
        _ member: JSONNode.Member, _ place: @autoclosure Place, _ draft: inout BucketDraft
    ) throws(ConfigurationError) -> Bool {
        switch member.name {
        case "unit": draft.unit = try text(member.value, place())
        case "seed": draft.seed = try text(member.value, place())
        case "hashVersion": draft.hashVersion = try hashVersion(member.value, place())
        case "coverage": draft.coverage = try coverage(member.value, place())
        case "range": draft.range = try range(member.value, place())
        default: return false
        }
        return true
    }
}

/// The share of a rule whose parts are being read.
private struct BucketDraft {
    /// nil if none is named.
    var unit: String?
    var seed: String?
    var hashVersion = HashVersion.v2
    var coverage: Double?
    var range: Range<Double>?

    /// The share; nil for all contexts, which need no unit then.
    func bucket(of feature: String) -> RuleBucket? {
        let (unit, seed) = (unit ?? "userId", seed ?? feature)
        if let range { return RuleBucket(unit: unit, seed: seed, hashVersion: hashVersion, range: range) }
        guard let coverage, coverage < 1 else { return nil }
        return RuleBucket(unit: unit, seed: seed, hashVersion: hashVersion, coverage: coverage)
    }
}
