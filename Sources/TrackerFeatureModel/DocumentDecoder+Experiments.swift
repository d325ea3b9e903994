extension DocumentDecoder {
    package mutating func experiments(_ node: JSONNode) throws(ConfigurationError) -> [Experiment] {
        var experiments: [Experiment] = []
        var places: [ExactText: String] = [:]
        var overridden = OverriddenVariables()
        for (index, element) in try list(node, "experiments").enumerated() {
            let place = "experiments[\(index)]"
            let members = try object(element, place)
            let idNode = try required("id", members, element, place)
            let id = try text(idNode, "\(place).id")
            if let first = places.updateValue(place, forKey: ExactText(id)) {
                throw fault(.duplicateName, "\(place).id", "\(id.excerpt) is the id of \(first) too", idNode)
            }
            overridden.begin(id)
            experiments.append(try experiment(id, members, element, place, &overridden))
        }
        return experiments
    }

    private mutating func experiment(
        _ id: String, _ members: [JSONNode.Member], _ node: JSONNode, _ place: String,
        _ overridden: inout OverriddenVariables
    ) throws(ConfigurationError) -> Experiment {
        let variantsNode = try required("variants", members, node, place)
        let variants = try self.variants(variantsNode, "\(place).variants", &overridden)
        var unit = "userId"
        var seed: String?
        var hashVersion: HashVersion? = .v2
        var coverage = 1.0
        var isSticky = false
        var countries: [String]?
        var languages: [String]?
        for member in members where !member.value.isNull {
            let memberPlace = "\(place).\(member.name)"
            switch member.name {
            case "id", "variants": break
            case "unit": unit = try text(member.value, memberPlace)
            case "seed": seed = try text(member.value, memberPlace)
            case "hashVersion": hashVersion = try self.hashVersion(member.value, memberPlace)
            case "coverage": coverage = try number(member.value, memberPlace, within: 0...1)
            case "sticky": isSticky = try boolean(member.value, memberPlace)
            case "countries": countries = try texts(member.value, memberPlace)
            case "languages": languages = try texts(member.value, memberPlace)
            default: warn(memberPlace, Self.unknownKey, member.nameOffset)
            }
        }
        return Experiment(
            id: id, unit: unit, seed: seed, hashVersion: hashVersion, coverage: coverage, isSticky: isSticky,
            countries: countries, languages: languages, variants: variants)
    }

    private mutating func hashVersion(_ node: JSONNode, _ place: String) throws(ConfigurationError) -> HashVersion? {
        let number = try integer(node, place)
        if let version = HashVersion(rawValue: number) { return version }
        let known = HashVersion.allCases.map { "\($0.rawValue)" }.joined(separator: ", ")
        warn(place, "\(number) is none of \(known); the hash gives nobody a variant", node.offset)
        return nil
    }
}
