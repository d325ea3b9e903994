extension DocumentDecoder {
    /// Reads an experiment's variants; `isUsable` becomes false if one has a part that this version does not support.
    mutating func variants(
        _ node: JSONNode, _ scope: DocumentScope, _ isUsable: inout Bool
    ) throws(ConfigurationError) -> [ExperimentVariant] {
        let elements = try list(node)
        guard !elements.isEmpty else { throw fault(.outOfRange, "expected at least one, found none", node) }
        var variants: [ExperimentVariant] = []
        var indices: [ExactText: Int] = [:]
        for (index, element) in elements.enumerated() {
            do throws(ConfigurationError) {
                let members = try object(element)
                let name = try uniqueName("name", members, element, index, of: node, &indices)
                variants.append(try variant(name, members, scope, &isUsable))
            } catch { try note(error) }
        }
        // If a variant cannot be read, its weight is unknown.
        if variants.count == elements.count { try checkWeights(variants, elements, node) }
        return variants
    }

    private mutating func variant(
        _ name: String, _ members: [JSONNode.Member], _ scope: DocumentScope,
        _ isUsable: inout Bool
    ) throws(ConfigurationError) -> ExperimentVariant {
        var variant = ExperimentVariant(name: name, overrides: [:])
        for member in members where !member.isNull {
            switch member.name {
            case "name": break
            case "weight": variant.weight = try weight(member.value)
            case "values":
                for feature in try object(member.value) where !feature.isNull {
                    let values = try values(feature.value, of: feature.name, scope)
                    variant.overrides[exactly: feature.name] = values
                }
            default:
                let isRead = reads(member, or: Self.noVariant) { (decoder) throws(ConfigurationError) in
                    switch member.name {
                    case "enabled":
                        variant.enabledFeatures = try decoder.enabled(member.value, scope)
                    case "passthrough": variant.isPassthrough = try decoder.boolean(member.value)
                    default: throw decoder.unknown(member)
                    }
                }
                if !isRead { isUsable = false }
            }
        }
        return variant
    }

    private mutating func enabled(
        _ node: JSONNode, _ scope: DocumentScope
    ) throws(ConfigurationError) -> [ExactText: Bool] {
        var enabled: [ExactText: Bool] = [:]
        for feature in try object(node) where !feature.isNull {
            let name = feature.name
            enabled[exactly: name] = try boolean(feature.value)
            if !scope.has(name) {
                warn("the document has no feature \(name.excerpt)", feature.nameOffset)
            }
        }
        return enabled
    }

    private func weight(_ node: JSONNode) throws(ConfigurationError) -> Double {
        let weight = try number(node)
        guard weight >= 0 else {
            throw fault(.outOfRange, "expected 0 or more, found \(node.value)", node)
        }
        return weight
    }

    private mutating func checkWeights(
        _ variants: [ExperimentVariant], _ elements: [JSONNode], _ node: JSONNode
    ) throws(ConfigurationError) {
        guard variants.contains(where: { $0.weight != nil }) else { return }
        guard variants.contains(where: { $0.weight ?? 0 > 0 }) else {
            throw fault(.outOfRange, "all weights are zero", node)
        }
        for (index, variant) in variants.enumerated() where variant.weight == nil {
            let reason = "missing where others have one; 0 is used"
            warn(reason, elements[index].offset, at: ".weight")
        }
    }
}
