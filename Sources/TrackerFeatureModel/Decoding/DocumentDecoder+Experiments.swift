extension DocumentDecoder {
    static let noVariant = "the experiment gives no unit a variant"

    /// Reads the experiments.
    mutating func experiments(
        _ node: JSONNode, _ scope: DocumentScope
    ) throws(ConfigurationError) -> [Experiment] {
        var experiments: [Experiment] = []
        var indices: [ExactText: Int] = [:]
        for (index, element) in try list(node, "experiments").enumerated() {
            var place: String { "experiments[\(index)]" }
            do throws(ConfigurationError) {
                let members = try object(element, place)
                let id = try uniqueName("id", members, element, index, of: "experiments", &indices)
                experiments.append(try experiment(id, members, element, place, scope))
            } catch { try note(error) }
        }
        return experiments
    }

    /// Reads a name that must be unique in its list.
    /// - Parameters:
    ///   - key: The key of the name.
    ///   - members: The members of the element.
    ///   - node: The element.
    ///   - index: The index of the element.
    ///   - list: The place of the list.
    ///   - indices: The indices of the earlier elements, by name.
    /// - Returns: The name.
    /// - Throws: An error if the name is missing, or if an earlier element has it.
    mutating func uniqueName(
        _ key: String, _ members: [JSONNode.Member], _ node: JSONNode, _ index: Int, of list: @autoclosure Place,
        _ indices: inout [ExactText: Int]
    ) throws(ConfigurationError) -> String {
        var place: String { "\(list())[\(index)].\(key)" }
        let nameNode = try required(key, members, node, "\(list())[\(index)]")
        let name = try text(nameNode, place)
        if let first = indices.updateValue(index, forKey: ExactText(name)) {
            throw fault(.duplicateName, place, "\(name.excerpt) is the \(key) of \(list())[\(first)] too", nameNode)
        }
        if name.isBlank { warn(place, "the \(key) is empty", nameNode.offset) }
        return name
    }

    private mutating func experiment(
        _ id: String, _ members: [JSONNode.Member], _ node: JSONNode, _ place: @autoclosure Place,
        _ scope: DocumentScope
    ) throws(ConfigurationError) -> Experiment {
        let variantsNode = try required("variants", members, node, place())
        var isUsable = true
        let variants = try self.variants(variantsNode, "\(place()).variants", scope, &isUsable)
        var experiment = Experiment(id: id, isUsable: isUsable, variants: variants)
        var ranges: [Range<Double>]?
        for member in members where !member.isNull {
            var memberPlace: String { "\(place()).\(member.name)" }
            if member.name == "coverage", member.value.number ?? 0 > 1 { _ = try coverage(member.value, memberPlace) }
            let isRead = reads(member, or: Self.noVariant) { (decoder) throws(ConfigurationError) in
                try decoder.read(member, memberPlace, scope, &experiment, &ranges)
            }
            if !isRead { experiment.isUsable = false }
        }
        checkStickiness(experiment, members, place())
        if let ranges, ranges.count != variants.count {
            warn(
                "\(place()).ranges", "\(ranges.count) ranges for \(variants.count) variants; \(Self.noVariant)",
                node.offset)
            experiment.isUsable = false
        }
        experiment.ranges =
            (experiment.isUsable ? ranges : nil)
            ?? Bucketing.ranges(weights: variants.map(\.weight), coverage: experiment.coverage)
        for (index, range) in experiment.ranges.enumerated() {
            checkSteps(
                of: range, experiment.hashVersion, "get the variant", "\(place()).variants[\(index)]", node.offset)
        }
        return experiment
    }

    private mutating func read(
        _ member: JSONNode.Member, _ place: @autoclosure Place, _ scope: DocumentScope,
        _ experiment: inout Experiment, _ ranges: inout [Range<Double>]?
    ) throws(ConfigurationError) {
        let node = member.value
        switch member.name {
        case "id", "variants": break
        case "unit":
            experiment.unit = try text(node, place())
            if experiment.unit.isBlank { warn(place(), "the unit is empty, so no context has one", node.offset) }
        case "seed": experiment.seed = try text(node, place())
        case "hashVersion":
            experiment.hashVersion = nil
            experiment.hashVersion = try hashVersion(node, place())
        case "coverage": experiment.coverage = try coverage(node, place())
        case "sticky": experiment.isSticky = try boolean(node, place())
        case "countries": experiment.countries = try codes(node, place(), LocaleCode.fault(country:))
        case "languages": experiment.languages = try codes(node, place(), LocaleCode.fault(language:))
        case "enabled": experiment.isEnabled = try boolean(node, place())
        case "ranges": ranges = try self.ranges(node, place())
        case "fallbackUnit": experiment.fallbackUnit = try text(node, place())
        case "bucketVersion": experiment.bucketVersion = try bucketVersion(node, place())
        case "minBucketVersion": experiment.minBucketVersion = try bucketVersion(node, place())
        case "force":
            let name = try text(node, place())
            experiment.forcedVariant = name
            check(name, of: experiment, place(), node)
        default: try readTargeting(member, place(), scope, &experiment.targeting)
        }
    }

    private func bucketVersion(_ node: JSONNode, _ place: @autoclosure Place) throws(ConfigurationError) -> Int {
        let version = try integer(node, place())
        guard 0...Experiment.maxBucketVersion ~= version else {
            throw fault(.outOfRange, place(), "expected 0 to \(Experiment.maxBucketVersion), found \(version)", node)
        }
        return version
    }

    private mutating func codes(
        _ node: JSONNode, _ place: @autoclosure Place, _ fault: (String) -> String?
    ) throws(ConfigurationError) -> [String] {
        let codes = try texts(node, place())
        for (index, element) in try list(node, place()).enumerated() {
            if let fault = fault(codes[index]) { warn("\(place())[\(index)]", fault, element.offset) }
        }
        return codes
    }

    /// Warns about a variant that the experiment does not have.
    private mutating func check(
        _ variant: String, of experiment: Experiment, _ place: @autoclosure Place, _ node: JSONNode
    ) {
        if !experiment.variants.contains(where: { $0.name.isExactly(variant) }) {
            warn(place(), "the experiment has no variant \(variant.excerpt)", node.offset)
        }
    }

    /// Warns about keys without effect.
    private mutating func checkStickiness(
        _ experiment: Experiment, _ members: [JSONNode.Member], _ place: @autoclosure Place
    ) {
        let dependent = ["fallbackUnit", "bucketVersion", "minBucketVersion"]
        for member in members where !member.isNull && !experiment.isSticky && dependent.contains(member.name) {
            let reason = "without effect, because the experiment is not sticky"
            warn("\(place()).\(member.name)", reason, member.nameOffset)
        }
        if experiment.minBucketVersion > experiment.bucketVersion, let node = members["minBucketVersion"] {
            let reason = "\(experiment.minBucketVersion) is above bucketVersion, \(experiment.bucketVersion)"
            warn("\(place()).minBucketVersion", reason, node.offset)
        }
    }
}
