extension DocumentDecoder {
    mutating func variants(
        _ node: JSONNode, _ place: String, _ overridden: inout OverriddenVariables
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
            variants.append(try variant(name, members, variantPlace, &overridden))
        }
        try checkWeights(variants, elements, node, place)
        return variants
    }

    private mutating func variant(
        _ name: String, _ members: [JSONNode.Member], _ place: String, _ overridden: inout OverriddenVariables
    ) throws(ConfigurationError) -> ExperimentVariant {
        var weight: Double?
        var values: [ExactText: JSONObject] = [:]
        for member in members where !member.value.isNull {
            let memberPlace = "\(place).\(member.name)"
            switch member.name {
            case "name": break
            case "weight": weight = try self.weight(member.value, memberPlace)
            case "values": values = try self.values(member.value, memberPlace, &overridden)
            default: warn(memberPlace, Self.unknownKey, member.nameOffset)
            }
        }
        return ExperimentVariant(name: name, weight: weight, overrides: values)
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
    }

    private mutating func values(
        _ node: JSONNode, _ place: String, _ overridden: inout OverriddenVariables
    ) throws(ConfigurationError) -> [ExactText: JSONObject] {
        var values: [ExactText: JSONObject] = [:]
        for feature in try object(node, place) where !feature.value.isNull {
            let featurePlace = "\(place).\(feature.name)"
            var variables: [JSONObject.Member] = []
            for variable in try object(feature.value, featurePlace) where !variable.value.isNull {
                variables.append((variable.name, try value(variable.value, "\(featurePlace).\(variable.name)")))
                if let earlier = overridden.insert(variable.name, of: feature.name) {
                    let reason = "the experiment \(earlier.excerpt) overrides this variable too, and wins"
                    warn("\(featurePlace).\(variable.name)", reason, variable.nameOffset)
                }
            }
            values[exactly: feature.name] = JSONObject(unique: variables)
        }
        return values
    }
}
