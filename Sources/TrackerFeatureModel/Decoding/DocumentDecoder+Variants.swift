extension DocumentDecoder {
    /// Reads an experiment's variants; `isUsable` becomes false if one has a part that this version does not support.
    mutating func variants(
        _ node: JSONNode, _ place: @autoclosure Place, _ scope: DocumentScope, _ isUsable: inout Bool
    ) throws(ConfigurationError) -> [ExperimentVariant] {
        let elements = try list(node, place())
        guard !elements.isEmpty else { throw fault(.outOfRange, place(), "expected at least one, found none", node) }
        var variants: [ExperimentVariant] = []
        var indices: [ExactText: Int] = [:]
        for (index, element) in elements.enumerated() {
            var variantPlace: String { "\(place())[\(index)]" }
            do throws(ConfigurationError) {
                let members = try object(element, variantPlace)
                let name = try uniqueName("name", members, element, index, of: place(), &indices)
                variants.append(try variant(name, members, variantPlace, scope, &isUsable))
            } catch { try note(error) }
        }
        // If a variant cannot be read, its weight is unknown.
        if variants.count == elements.count { try checkWeights(variants, elements, node, place()) }
        return variants
    }

    private mutating func variant(
        _ name: String, _ members: [JSONNode.Member], _ place: @autoclosure Place, _ scope: DocumentScope,
        _ isUsable: inout Bool
    ) throws(ConfigurationError) -> ExperimentVariant {
        var variant = ExperimentVariant(name: name, overrides: [:])
        for member in members where !member.isNull {
            var memberPlace: String { "\(place()).\(member.name)" }
            switch member.name {
            case "name": break
            case "weight": variant.weight = try weight(member.value, memberPlace)
            case "values":
                for feature in try object(member.value, memberPlace) where !feature.isNull {
                    let values = try values(feature.value, of: feature.name, "\(memberPlace).\(feature.name)", scope)
                    variant.overrides[exactly: feature.name] = values
                }
            default:
                let isRead = reads(member, or: Self.noVariant) { (decoder) throws(ConfigurationError) in
                    switch member.name {
                    case "enabled":
                        variant.enabledFeatures = try decoder.enabled(member.value, memberPlace, scope)
                    case "passthrough": variant.isPassthrough = try decoder.boolean(member.value, memberPlace)
                    default: throw decoder.unknown(member, memberPlace)
                    }
                }
                if !isRead { isUsable = false }
            }
        }
        return variant
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
}
