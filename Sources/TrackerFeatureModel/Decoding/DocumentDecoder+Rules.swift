extension DocumentDecoder {
    private static let noMatch = "the rule matches no context"

    /// Reads a feature's rules.
    mutating func rules(
        _ node: JSONNode, of feature: String, _ scope: DocumentScope
    ) throws(ConfigurationError) -> [FeatureRule] {
        var rules: [FeatureRule] = []
        var indices: [ExactText: Int] = [:]
        for (index, element) in try list(node).enumerated() {
            do throws(ConfigurationError) {
                let rule = try self.rule(element, index, of: feature, scope)
                if let first = indices.updateValue(index, forKey: ExactText(rule.id)) {
                    let reason = "\(rule.id.excerpt) is the id of \(place(of: node.offset, "[\(first)]")) too"
                    warn(reason, element.offset, at: ".id")
                }
                rules.append(rule)
            } catch { try note(error) }
        }
        return rules
    }

    private mutating func rule(
        _ node: JSONNode, _ index: Int, of feature: String, _ scope: DocumentScope
    ) throws(ConfigurationError) -> FeatureRule {
        var rule = FeatureRule(id: "\(index)")
        guard let members = node.members else {
            warn("expected an object, found \(node.kind); \(Self.noMatch)", node.offset)
            rule.isUsable = false
            return rule
        }
        var bucket = RuleBucket(seed: feature, range: 0..<1)
        var coverage: Double?
        var range: Range<Double>?
        for member in members where !member.isNull {
            let node = member.value
            if member.name == "coverage", node.number ?? 0 > 1 { _ = try self.coverage(node) }
            let isRead = reads(member, or: Self.noMatch) { (decoder) throws(ConfigurationError) in
                switch member.name {
                case "id": rule.id = try decoder.text(node)
                case "enabled": rule.isEnabled = try decoder.boolean(node)
                case "values": rule.values = try decoder.values(node, of: feature, scope)
                case "experiment": rule.experiment = try decoder.experiment(node, scope)
                case "unit": bucket.unit = try decoder.text(node)
                case "seed": bucket.seed = try decoder.text(node)
                case "hashVersion": bucket.hashVersion = try decoder.hashVersion(node)
                case "coverage": coverage = try decoder.coverage(node)
                case "range": range = try decoder.range(node)
                default: try decoder.readTargeting(member, scope, &rule.targeting)
                }
            }
            if !isRead { rule.isUsable = false }
        }
        check(rule, members, node)
        // The filters use the rule's unit even if the rule has no share.
        if bucket.unit != "userId" { rule.targeting.filters = rule.targeting.filters.map { $0.of(bucket.unit) } }
        // With a coverage of 1 a context needs no unit.
        if let share = range ?? coverage.flatMap({ $0 < 1 ? RuleBucket.range(coverage: $0) : nil }) {
            bucket.range = share
            rule.bucket = bucket
            let key = range == nil ? "coverage" : "range"
            checkSteps(of: share, bucket.hashVersion, "match", members[key]?.offset ?? node.offset)
        }
        return rule
    }

    private mutating func check(_ rule: FeatureRule, _ members: [JSONNode.Member], _ node: JSONNode) {
        if members["id"]?.isNull ?? true {
            warn("missing; \"\(rule.id)\" is used", node.offset, at: ".id")
        } else if rule.id.isBlank {
            warn("the id is empty", node.offset, at: ".id")
        }
        let decides = rule.isEnabled != nil || !rule.values.isEmpty
        if !decides, rule.experiment == nil, !rule.targeting.prerequisites.contains(where: \.isGate) {
            warn("the rule has neither enabled nor values nor experiment, so it changes nothing", node.offset)
        }
        if decides, rule.experiment != nil {
            warn("the experiment decides; enabled and values of the rule are without effect", node.offset)
        }
    }

    private func experiment(_ node: JSONNode, _ scope: DocumentScope) throws(ConfigurationError) -> Experiment {
        let id = try text(node)
        guard let experiment = scope.experiments[exactly: id] else {
            throw fault(.outOfRange, "the document has no experiment \(id.excerpt)", node)
        }
        return experiment
    }

    /// Reads the values of a rule or a variant for a feature's variables.
    mutating func values(
        _ node: JSONNode, of feature: String, _ scope: DocumentScope
    ) throws(ConfigurationError) -> JSONObject {
        var values: [JSONObject.Member] = []
        for variable in try object(node) where !variable.isNull {
            values.append((variable.name, variable.value.value))
            if let fault = scope.fault(of: variable, in: feature) {
                warn(fault, variable.nameOffset)
            }
        }
        return JSONObject(unique: values)
    }
}
