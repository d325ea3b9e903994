extension DocumentDecoder {
    mutating func rollout(_ node: JSONNode) throws(ConfigurationError) -> Rollout {
        let place = "rollout"
        let members = try object(node, place)
        let percentNode = try required("percent", members, node, place)
        let percent = try number(percentNode, "\(place).percent", within: 0...100)
        var seed: String?
        var bakeSeconds = 600.0
        var maxFailureRate = 0.2
        for member in members where !member.isNull {
            let memberPlace = "\(place).\(member.name)"
            switch member.name {
            case "percent": break
            case "seed": seed = try text(member.value, memberPlace)
            case "bakeSeconds": bakeSeconds = try number(member.value, memberPlace, within: 0...604_800)
            case "maxFailureRate": maxFailureRate = try number(member.value, memberPlace, within: 0...1)
            default: warn(memberPlace, Self.unknownKey, member.nameOffset)
            }
        }
        return Rollout(
            percent: percent, seed: seed, bakeTime: .seconds(bakeSeconds), maxFailureRate: maxFailureRate)
    }
}
