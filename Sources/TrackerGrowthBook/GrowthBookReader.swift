import TrackerFeatures

/// Reads the features of a GrowthBook payload.
struct GrowthBookReader {
    /// The unit of rules that name none.
    static let defaultUnit = "id"

    var decoder: DocumentDecoder
    /// The keys that this version does not know.
    var unknownKeys = GrowthBookUnknownKeys()
    let segments: Segments
    let options: GrowthBookOptions

    init(_ decoder: DocumentDecoder, segments: Segments, options: GrowthBookOptions) {
        (self.decoder, self.segments, self.options) = (decoder, segments, options)
    }

    /// Reads all features.
    /// - Throws: The first fault of the structure; a rule that cannot be used is a warning instead.
    mutating func features(_ node: JSONNode) throws(ConfigurationError) -> [FeatureDefinition] {
        var features: [FeatureDefinition] = []
        for member in try decoder.object(node, "features") where !member.value.isNull {
            features.append(try feature(member.name, member.value, "features.\(member.name)"))
        }
        unknownKeys.warn(&decoder)
        return features
    }

    private mutating func feature(
        _ name: String, _ node: JSONNode, _ place: String
    ) throws(ConfigurationError) -> FeatureDefinition {
        var value = JSONValue.null
        var rules: [FeatureRule] = []
        for member in try decoder.object(node, place) where !member.value.isNull {
            switch member.name {
            case "defaultValue": value = self.value(member.value, "\(place).defaultValue")
            case "rules": rules = try self.rules(member.value, "\(place).rules", of: name)
            default: unknownKeys.add(member, "\(place).\(member.name)")
            }
        }
        let variables = value.growthBookVariables.members.filter { $0.value != .null }
        return FeatureDefinition(
            name: name, isEnabled: value.isTruthy,
            variables: variables.map { VariableDefinition(name: $0.name, value: $0.value) }, rules: rules)
    }

    /// A value of a feature, with a warning if a member of it cannot be a variable.
    mutating func value(_ node: JSONNode, _ place: String) -> JSONValue {
        let value = node.value
        if value.hidesGrowthBookMember {
            let reason = "not a variable of its own, because the variable 'value' holds the whole object"
            decoder.warn("\(place).\(JSONValue.growthBookVariable)", reason, node.offset)
        }
        return value
    }

    private mutating func rules(
        _ node: JSONNode, _ place: String, of feature: String
    ) throws(ConfigurationError) -> [FeatureRule] {
        var rules: [FeatureRule] = []
        var ids: Set<ExactText> = []
        for (index, element) in try decoder.list(node, place).enumerated() {
            let rulePlace = "\(place)[\(index)]"
            let fields = fields(try decoder.object(element, rulePlace), rulePlace, kind: .rule)
            var id = fields.id ?? "rule-\(index + 1)"
            if ids.contains(ExactText(id)) {
                decoder.warn("\(rulePlace).id", "\(id.excerpt) is the id of an earlier rule too", element.offset)
                while ids.contains(ExactText(id)) { id += "-\(index + 1)" }
            }
            ids.insert(ExactText(id))
            rules.append(rule(id, fields, rulePlace, of: feature))
        }
        return rules
    }

    private mutating func rule(
        _ id: String, _ fields: GrowthBookFields, _ place: String, of feature: String
    ) -> FeatureRule {
        let filters = fields.filters ?? []
        if let value = fields.force {
            let bucket = fields.bucket(of: feature)
            // Filters take precedence over a namespace. Without a share, a filter has no other unit than its own.
            let namespaces = bucket == nil ? fields.namespaces.map { $0.of(fields.unit) } : fields.namespaces
            let targeting = Targeting(
                condition: fields.condition, prerequisites: fields.prerequisites, filters: fields.filters ?? namespaces)
            return FeatureRule(
                id: id, targeting: targeting, bucket: bucket, isEnabled: value.isTruthy,
                values: value.growthBookVariables, isUsable: fields.isUsable)
        }
        // GrowthBook checks these before an experiment, also for units with a stored variant.
        let targeting = Targeting(prerequisites: fields.prerequisites, filters: filters)
        guard !fields.variations.isEmpty else {
            return FeatureRule(id: id, targeting: targeting, isUsable: fields.isUsable)
        }
        // Without the rule, as by its id, an experiment asks the same of other features; only the rule can be a gate.
        let prerequisites = fields.prerequisites.map { Prerequisite(feature: $0.feature, condition: $0.condition) }
        let experiment = experiment(
            fields.key ?? feature, fields,
            Targeting(
                condition: fields.condition, prerequisites: prerequisites, filters: fields.filters ?? fields.namespaces),
            of: feature, place)
        return FeatureRule(id: id, targeting: targeting, experiment: experiment, isUsable: fields.isUsable)
    }
}
