extension DocumentDecoder {
    private static let noVariant = "the experiment gives no unit a variant"

    /// Reads an experiment's variants; `isUsable` becomes false if one has something that this version does not know.
    mutating func variants(
        _ node: JSONNode, _ place: String, _ scope: DocumentScope, _ overridden: inout OverriddenVariables,
        _ isUsable: inout Bool
    ) throws(ConfigurationError) -> [ExperimentVariant] {
        let elements = try list(node, place)
        guard !elements.isEmpty else { throw fault(.outOfRange, place, "expected at least one, found none", node) }
        var variants: [ExperimentVariant] = []
        var places: [ExactText: String] = [:]
        for (index, element) in elements.enumerated() {
            let variantPlace = "\(place)[\(index)]"
            let members = try object(element, variantPlace)
            let nameNode = try required("name", members, element, variantPlace)
            let name = try text(nameNode, "\(variantPlace).name")
            if let first = places.updateValue(variantPlace, forKey: ExactText(name)) {
                let reason = "\(name.excerpt) is the name of \(first) too"
                throw fault(.duplicateName, "\(variantPlace).name", reason, nameNode)
            }
            if name.isBlank { warn("\(variantPlace).name", "the name is empty", nameNode.offset) }
            variants.append(try variant(name, members, variantPlace, scope, &overridden, &isUsable))
        }
        try checkWeights(variants, elements, node, place)
        return variants
    }

    private mutating func variant(
        _ name: String, _ members: [JSONNode.Member], _ place: String, _ scope: DocumentScope,
        _ overridden: inout OverriddenVariables, _ isUsable: inout Bool
    ) throws(ConfigurationError) -> ExperimentVariant {
        var weight: Double?
        var values: [ExactText: JSONObject] = [:]
        var enabled: [ExactText: Bool] = [:]
        var isPassthrough = false
        for member in members where !member.value.isNull {
            var memberPlace: String { "\(place).\(member.name)" }
            switch member.name {
            case "name": break
            case "weight": weight = try self.weight(member.value, memberPlace)
            case "values": values = try self.values(member.value, memberPlace, scope, &overridden)
            default:
                _ = failingClosed(&isUsable, Self.noVariant, member.value, nameOffset: member.nameOffset) {
                    (decoder) throws(ConfigurationError) in
                    switch member.name {
                    case "enabled": enabled = try decoder.enabled(member.value, memberPlace, scope)
                    case "passthrough": isPassthrough = try decoder.boolean(member.value, memberPlace)
                    default: throw decoder.unknown(member, memberPlace)
                    }
                }
            }
        }
        return ExperimentVariant(
            name: name, weight: weight, overrides: values, enabledFeatures: enabled, isPassthrough: isPassthrough)
    }

    private mutating func enabled(
        _ node: JSONNode, _ place: String, _ scope: DocumentScope
    ) throws(ConfigurationError) -> [ExactText: Bool] {
        var enabled: [ExactText: Bool] = [:]
        for feature in try object(node, place) where !feature.value.isNull {
            let featurePlace = "\(place).\(feature.name)"
            enabled[exactly: feature.name] = try boolean(feature.value, featurePlace)
            if !scope.has(feature.name) {
                warn(featurePlace, "the document has no feature \(feature.name.excerpt)", feature.nameOffset)
            }
        }
        return enabled
    }

    private func weight(_ node: JSONNode, _ place: String) throws(ConfigurationError) -> Double {
        let weight = try number(node, place)
        guard weight >= 0 else {
            throw fault(.outOfRange, place, "expected 0 or more, found \(node.approximateValue)", node)
        }
        return weight
    }

    private mutating func checkWeights(
        _ variants: [ExperimentVariant], _ elements: [JSONNode], _ node: JSONNode, _ place: String
    ) throws(ConfigurationError) {
        guard variants.contains(where: { $0.weight != nil }) else { return }
        guard variants.contains(where: { $0.weight ?? 0 > 0 }) else {
            throw fault(.outOfRange, place, "all weights are zero", node)
        }
        for (index, variant) in variants.enumerated() where variant.weight == nil {
            let reason = "missing where others have one; 0 is used"
            warn("\(place)[\(index)].weight", reason, elements[index].offset)
        }
        let sum = variants.reduce(0) { $0 + ($1.weight ?? 0) }
        // Within a hundredth, as GrowthBook has it.
        guard abs(sum - 1) > 0.01, abs(sum - 100) > 1 else { return }
        let shown = sum.isFinite ? "\(JSONValue(shortest: sum))" : "more than a number can hold"
        warn(
            place, "the weights sum to \(shown), neither to 1 nor to 100; each counts in relation to the sum",
            node.offset)
    }

    private mutating func values(
        _ node: JSONNode, _ place: String, _ scope: DocumentScope, _ overridden: inout OverriddenVariables
    ) throws(ConfigurationError) -> [ExactText: JSONObject] {
        var values: [ExactText: JSONObject] = [:]
        for feature in try object(node, place) where !feature.value.isNull {
            let featurePlace = "\(place).\(feature.name)"
            var variables: [JSONObject.Member] = []
            for variable in try object(feature.value, featurePlace) where !variable.value.isNull {
                var variablePlace: String { "\(featurePlace).\(variable.name)" }
                variables.append((variable.name, try value(variable.value, variablePlace)))
                if let fault = scope.fault(of: variable.value, for: VariableKey(feature.name, variable.name)) {
                    warn(variablePlace, fault, variable.nameOffset)
                }
                if let earlier = overridden.insert(variable.name, of: feature.name) {
                    let reason = "the experiment \(earlier.excerpt) overrides this variable too, and wins"
                    warn(variablePlace, reason, variable.nameOffset)
                }
            }
            values[exactly: feature.name] = JSONObject(unique: variables)
        }
        return values
    }
}
