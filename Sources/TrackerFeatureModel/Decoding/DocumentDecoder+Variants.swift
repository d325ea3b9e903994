extension DocumentDecoder {
    private static let noVariant = "the experiment gives no unit a variant"

    /// Reads an experiment's variants; `isUsable` becomes false if one has something that this version does not know.
    mutating func variants(
        _ node: JSONNode, _ place: @autoclosure Place, _ scope: DocumentScope,
        _ overridden: inout OverriddenVariables, _ isUsable: inout Bool
    ) throws(ConfigurationError) -> [ExperimentVariant] {
        let elements = try list(node, place())
        guard !elements.isEmpty else { throw fault(.outOfRange, place(), "expected at least one, found none", node) }
        var variants: [ExperimentVariant] = []
        variants.reserveCapacity(elements.count)
        // Few variants are compared one by one; hashing their names would cost more.
        var indices: [ExactText: Int] = [:]
        for (index, element) in elements.enumerated() {
            var variantPlace: String { "\(place())[\(index)]" }
            let members = try object(element, variantPlace)
            let nameNode = try required("name", members, element, variantPlace)
            let name = try text(nameNode, "\(variantPlace).name")
            let first =
                elements.count > 16
                ? indices.updateValue(index, forKey: ExactText(name))
                : variants.firstIndex { $0.name.isExactly(name) }
            if let first {
                let reason = "\(name.excerpt) is the name of \(place())[\(first)] too"
                throw fault(.duplicateName, "\(variantPlace).name", reason, nameNode)
            }
            if name.isBlank { warn("\(variantPlace).name", "the name is empty", nameNode.offset) }
            variants.append(try variant(name, members, variantPlace, scope, &overridden, &isUsable))
        }
        try checkWeights(variants, elements, node, place())
        return variants
    }

    private mutating func variant(
        _ name: String, _ members: [JSONNode.Member], _ place: @autoclosure Place, _ scope: DocumentScope,
        _ overridden: inout OverriddenVariables, _ isUsable: inout Bool
    ) throws(ConfigurationError) -> ExperimentVariant {
        var weight: Double?
        var values: [ExactText: JSONObject] = [:]
        var enabled: [ExactText: Bool] = [:]
        var isPassthrough = false
        for member in members where !member.isNull {
            var memberPlace: String { "\(place()).\(member.name)" }
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
        _ node: JSONNode, _ place: @autoclosure Place, _ scope: DocumentScope
    ) throws(ConfigurationError) -> [ExactText: Bool] {
        var enabled: [ExactText: Bool] = [:]
        for feature in try object(node, place()) where !feature.isNull {
            var featurePlace: String { "\(place()).\(feature.name)" }
            let name = feature.name
            enabled[exactly: name] = try boolean(feature.value, featurePlace)
            if !scope.has(name) {
                warn(featurePlace, "the document has no feature \(name.excerpt)", feature.nameOffset)
            }
        }
        return enabled
    }

    private func weight(_ node: JSONNode, _ place: @autoclosure Place) throws(ConfigurationError) -> Double {
        let weight = try number(node, place())
        guard weight >= 0 else {
            throw fault(.outOfRange, place(), "expected 0 or more, found \(node.value)", node)
        }
        return weight
    }

    private mutating func checkWeights(
        _ variants: [ExperimentVariant], _ elements: [JSONNode], _ node: JSONNode, _ place: @autoclosure Place
    ) throws(ConfigurationError) {
        guard variants.contains(where: { $0.weight != nil }) else { return }
        guard variants.contains(where: { $0.weight ?? 0 > 0 }) else {
            throw fault(.outOfRange, place(), "all weights are zero", node)
        }
        for (index, variant) in variants.enumerated() where variant.weight == nil {
            let reason = "missing where others have one; 0 is used"
            warn("\(place())[\(index)].weight", reason, elements[index].offset)
        }
    }

    private mutating func values(
        _ node: JSONNode, _ place: @autoclosure Place, _ scope: DocumentScope,
        _ overridden: inout OverriddenVariables
    ) throws(ConfigurationError) -> [ExactText: JSONObject] {
        let members = try object(node, place())
        var values: [ExactText: JSONObject] = [:]
        for feature in members where !feature.isNull {
            let name = feature.name
            var featurePlace: String { "\(place()).\(name)" }
            let known = scope.feature(name)
            let members = try object(feature.value, featurePlace)
            var variables: [JSONObject.Member] = []
            variables.reserveCapacity(members.count)
            for variable in members where !variable.isNull {
                let variableName = variable.name
                var variablePlace: String { "\(featurePlace).\(variableName)" }
                variables.append((variableName, variable.value.value))
                let definition = known?.variable(variable)
                if let fault = scope.fault(of: variable, name, known, definition) {
                    warn(variablePlace, fault, variable.nameOffset)
                }
                if let earlier = overridden.insert(variableName, of: name, definition?.number) {
                    let reason = "the experiment \(earlier.excerpt) overrides this variable too, and wins"
                    warn(variablePlace, reason, variable.nameOffset)
                }
            }
            values[exactly: name] = JSONObject(unique: variables)
        }
        return values
    }
}
