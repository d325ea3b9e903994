extension DocumentDecoder {
    static let noVariant = "the experiment gives no unit a variant"

    /// Reads the experiments.
    mutating func experiments(_ node: JSONNode, _ scope: DocumentScope) throws(ConfigurationError) -> [Experiment] {
        var experiments: [Experiment] = []
        var indices: [ExactText: Int] = [:]
        for (index, element) in try list(node).enumerated() {
            do throws(ConfigurationError) {
                let members = try object(element)
                let id = try uniqueName("id", members, element, index, of: node, &indices)
                experiments.append(try experiment(id, members, element, scope))
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
    ///   - list: The list.
    ///   - indices: The indices of the earlier elements, by name.
    /// - Returns: The name.
    /// - Throws: An error if the name is missing, or if an earlier element has it.
    mutating func uniqueName(
        _ key: String, _ members: [JSONNode.Member], _ node: JSONNode, _ index: Int, of list: JSONNode,
        _ indices: inout [ExactText: Int]
    ) throws(ConfigurationError) -> String {
        let nameNode = try required(key, members, node)
        let name = try text(nameNode)
        if let first = indices.updateValue(index, forKey: ExactText(name)) {
            throw fault(
                .duplicateName,
                "\(name.excerpt) is the \(key) of \(place(of: list.offset, "[\(first)]")) too",
                nameNode)
        }
        if name.isBlank { warn("the \(key) is empty", nameNode.offset) }
        return name
    }

    private mutating func experiment(
        _ id: String, _ members: [JSONNode.Member], _ node: JSONNode,
        _ scope: DocumentScope
    ) throws(ConfigurationError) -> Experiment {
        let variantsNode = try required("variants", members, node)
        var isUsable = true
        let variants = try self.variants(variantsNode, scope, &isUsable)
        var experiment = Experiment(id: id, isUsable: isUsable, variants: variants)
        var ranges: [Range<Double>]?
        for member in members where !member.isNull {
            if member.name == "coverage", member.value.number ?? 0 > 1 { _ = try coverage(member.value) }
            let isRead = reads(member, or: Self.noVariant) { (decoder) throws(ConfigurationError) in
                try decoder.read(member, scope, &experiment, &ranges)
            }
            if !isRead { experiment.isUsable = false }
        }
        checkStickiness(experiment, members)
        if let ranges, ranges.count != variants.count {
            let reason = "\(ranges.count) ranges for \(variants.count) variants; \(Self.noVariant)"
            warn(reason, members["ranges"]?.offset ?? node.offset)
            experiment.isUsable = false
        }
        experiment.ranges =
            (experiment.isUsable ? ranges : nil)
            ?? Bucketing.ranges(weights: variants.map(\.weight), coverage: experiment.coverage)
        for (index, range) in experiment.ranges.enumerated() {
            checkSteps(
                of: range, experiment.hashVersion, "get the variant", variantsNode.offset, at: "[\(index)]")
        }
        return experiment
    }

    private mutating func read(
        _ member: JSONNode.Member, _ scope: DocumentScope,
        _ experiment: inout Experiment, _ ranges: inout [Range<Double>]?
    ) throws(ConfigurationError) {
        let node = member.value
        switch member.name {
        case "id", "variants": break
        case "unit":
            experiment.unit = try text(node)
            if experiment.unit.isBlank { warn("the unit is empty, so no context has one", node.offset) }
        case "seed": experiment.seed = try text(node)
        case "hashVersion":
            experiment.hashVersion = nil
            experiment.hashVersion = try hashVersion(node)
        case "coverage": experiment.coverage = try coverage(node)
        case "sticky": experiment.isSticky = try boolean(node)
        case "countries": experiment.countries = try codes(node, LocaleCode.fault(country:))
        case "languages": experiment.languages = try codes(node, LocaleCode.fault(language:))
        case "enabled": experiment.isEnabled = try boolean(node)
        case "ranges": ranges = try self.ranges(node)
        case "fallbackUnit": experiment.fallbackUnit = try text(node)
        case "bucketVersion": experiment.bucketVersion = try bucketVersion(node)
        case "minBucketVersion": experiment.minBucketVersion = try bucketVersion(node)
        case "force":
            let name = try text(node)
            experiment.forcedVariant = name
            check(name, of: experiment, node)
        default: try readTargeting(member, scope, &experiment.targeting)
        }
    }

    private func bucketVersion(_ node: JSONNode) throws(ConfigurationError) -> Int {
        let version = try integer(node)
        guard 0...Experiment.maxBucketVersion ~= version else {
            throw fault(.outOfRange, "expected 0 to \(Experiment.maxBucketVersion), found \(version)", node)
        }
        return version
    }

    private mutating func codes(_ node: JSONNode, _ fault: (String) -> String?) throws(ConfigurationError) -> [String] {
        let codes = try texts(node)
        for (index, element) in try list(node).enumerated() {
            if let fault = fault(codes[index]) { warn(fault, element.offset) }
        }
        return codes
    }

    /// Warns about a variant that the experiment does not have.
    private mutating func check(_ variant: String, of experiment: Experiment, _ node: JSONNode) {
        if !experiment.variants.contains(where: { $0.name.isExactly(variant) }) {
            warn("the experiment has no variant \(variant.excerpt)", node.offset)
        }
    }

    /// Warns about keys without effect.
    private mutating func checkStickiness(_ experiment: Experiment, _ members: [JSONNode.Member]) {
        let dependent = ["fallbackUnit", "bucketVersion", "minBucketVersion"]
        for member in members where !member.isNull && !experiment.isSticky && dependent.contains(member.name) {
            let reason = "without effect, because the experiment is not sticky"
            warn(reason, member.nameOffset)
        }
        if experiment.minBucketVersion > experiment.bucketVersion, let node = members["minBucketVersion"] {
            let reason = "\(experiment.minBucketVersion) is above bucketVersion, \(experiment.bucketVersion)"
            warn(reason, node.offset)
        }
    }
}
