import TrackerFeatures

extension GrowthBookReader {
    // For display, for tracking in browsers, or for what the fields beside them say already.
    private static let ignoredKeys: Set = ["name", "phase", "tracks", "banditVersion", "description"]
    private static let bandits: Set = ["contextualVariations", "contextualBanditRef", "contextualBandit"]
    private static let pages: Set = ["url", "urlPatterns", "urlRedirect", "persistQueryString"]

    /// Reads the members of a rule or an experiment. What cannot be used is a warning and makes the whole unusable.
    mutating func fields(
        _ members: [JSONNode.Member], _ place: String, kind: GrowthBookFields.Kind
    ) -> GrowthBookFields {
        var fields = GrowthBookFields()
        fields.offset = members.first?.nameOffset ?? 0
        for member in members {
            do throws(ConfigurationError) {
                try read(member, "\(place).\(member.name)", kind, into: &fields)
            } catch {
                fields.isUsable = false
                decoder.warn(error.place, "\(error.reason); \(GrowthBookFields.matchesNone)", member.nameOffset)
            }
        }
        return fields
    }

    private mutating func read(
        _ member: JSONNode.Member, _ place: String, _ kind: GrowthBookFields.Kind, into fields: inout GrowthBookFields
    ) throws(ConfigurationError) {
        let node = member.value
        // Null is a value that can be forced.
        if member.name == "force", case .rule = kind { return fields.force = value(node, place) }
        guard !node.isNull else { return }
        switch member.name {
        // It is for display only, so a value that is not text counts as none.
        case "id": fields.id = try? name(node, place)
        case "key": fields.key = try name(node, place)
        case "force": fields.forcedIndex = try decoder.integer(node, place)
        case "variations":
            for (index, element) in try decoder.list(node, place).enumerated() {
                fields.variations.append(value(element, "\(place)[\(index)]"))
            }
        case "meta": fields.meta = try meta(node, place)
        case "weights": fields.weights = try weights(node, place)
        case "ranges": fields.ranges = try ranges(node, place)
        case "coverage": fields.coverage = try decoder.number(node, place)
        case "range": fields.range = try range(node, place)
        case "hashAttribute": fields.unit = try name(node, place) ?? Self.defaultUnit
        case "fallbackAttribute": fields.fallbackUnit = try name(node, place)
        case "seed": fields.seed = try name(node, place)
        case "hashVersion": fields.hashVersion = try hashVersion(node, place)
        case "filters": fields.filters = try filters(node, place)
        case "namespace": fields.namespaces = [try namespace(node, place)]
        case "condition": fields.condition = try condition(node, place)
        case "parentConditions": fields.prerequisites = try prerequisites(node, place)
        case "disableStickyBucketing": fields.disablesStickiness = try decoder.boolean(node, place)
        case "bucketVersion": fields.bucketVersion = try bucketVersion(node, place)
        case "minBucketVersion": fields.minBucketVersion = try bucketVersion(node, place)
        case "active": fields.isActive = try decoder.boolean(node, place) && fields.isActive
        case "status": try readStatus(node, place, into: &fields)
        case "type":
            let type = try decoder.text(node, place)
            // A multi-armed bandit is an experiment whose weights the server changes.
            guard type == "standard" || type == "multi-armed-bandit" else {
                throw unusable("the type \(type.excerpt) is not supported", place, node)
            }
        case let key where Self.bandits.contains(key):
            throw unusable("contextual bandits are not supported", place, node)
        case let key where Self.pages.contains(key):
            throw unusable("URL targeting and redirects are not supported", place, node)
        case let key where Self.ignoredKeys.contains(key): break
        default: unknownKeys.add(member, place)
        }
    }

    private func unusable(_ reason: String, _ place: String, _ node: JSONNode) -> ConfigurationError {
        decoder.fault(.unknownField, place, reason, node)
    }

    /// A text; nil if it is empty, which stands for the default.
    private func name(_ node: JSONNode, _ place: String) throws(ConfigurationError) -> String? {
        let text = try decoder.text(node, place)
        return text.isEmpty ? nil : text
    }

    private func readStatus(
        _ node: JSONNode, _ place: String, into fields: inout GrowthBookFields
    ) throws(ConfigurationError) {
        switch try decoder.text(node, place) {
        case "running": break
        case "draft": fields.isActive = false
        case "stopped": fields.isStopped = true
        case let other: throw unusable("the status \(other.excerpt) is none of draft, running, stopped", place, node)
        }
    }

    private mutating func hashVersion(_ node: JSONNode, _ place: String) throws(ConfigurationError) -> HashVersion? {
        let number = try decoder.integer(node, place)
        // JavaScript takes 0 for missing.
        if let version = HashVersion(rawValue: number == 0 ? 1 : number) { return version }
        decoder.warn(place, "\(number) is none of 1, 2; the hash matches no unit", node.offset)
        return nil
    }

    private func bucketVersion(_ node: JSONNode, _ place: String) throws(ConfigurationError) -> Int {
        let number = try decoder.integer(node, place)
        guard number >= 0 else { throw decoder.fault(.outOfRange, place, "expected 0 or more, found \(number)", node) }
        return number
    }

    private func weights(_ node: JSONNode, _ place: String) throws(ConfigurationError) -> [Double] {
        var weights: [Double] = []
        for (index, element) in try decoder.list(node, place).enumerated() {
            let weight = try decoder.number(element, "\(place)[\(index)]")
            guard weight >= 0 else {
                throw decoder.fault(.outOfRange, "\(place)[\(index)]", "expected 0 or more, found \(weight)", element)
            }
            weights.append(weight)
        }
        return weights
    }

    private func ranges(_ node: JSONNode, _ place: String) throws(ConfigurationError) -> [Range<Double>] {
        var ranges: [Range<Double>] = []
        for (index, element) in try decoder.list(node, place).enumerated() {
            ranges.append(try range(element, "\(place)[\(index)]"))
        }
        return ranges
    }

    private func range(_ node: JSONNode, _ place: String) throws(ConfigurationError) -> Range<Double> {
        let bounds = try decoder.list(node, place)
        guard bounds.count == 2 else {
            throw decoder.fault(.outOfRange, place, "expected two numbers, found \(bounds.count)", node)
        }
        let (lower, upper) = (
            try decoder.number(bounds[0], "\(place)[0]"), try decoder.number(bounds[1], "\(place)[1]")
        )
        return lower..<max(lower, upper)
    }

    private mutating func meta(
        _ node: JSONNode, _ place: String
    ) throws(ConfigurationError) -> [(key: String?, isPassthrough: Bool)] {
        var meta: [(key: String?, isPassthrough: Bool)] = []
        for (index, element) in try decoder.list(node, place).enumerated() {
            var entry: (key: String?, isPassthrough: Bool) = (nil, false)
            for member in try decoder.object(element, "\(place)[\(index)]") where !member.value.isNull {
                let memberPlace = "\(place)[\(index)].\(member.name)"
                switch member.name {
                case "key": entry.key = try name(member.value, memberPlace)
                case "passthrough": entry.isPassthrough = try decoder.boolean(member.value, memberPlace)
                case "name": break
                default: unknownKeys.add(member, memberPlace)
                }
            }
            meta.append(entry)
        }
        return meta
    }

    private func namespace(_ node: JSONNode, _ place: String) throws(ConfigurationError) -> BucketFilter {
        let parts = try decoder.list(node, place)
        guard parts.count == 3 else {
            throw decoder.fault(.outOfRange, place, "expected an id and two numbers, found \(parts.count) values", node)
        }
        return .namespace(
            try decoder.text(parts[0], "\(place)[0]"), try decoder.number(parts[1], "\(place)[1]"),
            try decoder.number(parts[2], "\(place)[2]"))
    }

    private mutating func filters(_ node: JSONNode, _ place: String) throws(ConfigurationError) -> [BucketFilter] {
        var filters: [BucketFilter] = []
        for (index, element) in try decoder.list(node, place).enumerated() {
            let filterPlace = "\(place)[\(index)]"
            let members = try decoder.object(element, filterPlace)
            let seed = try decoder.text(
                try decoder.required("seed", members, element, filterPlace), "\(filterPlace).seed")
            let ranges = try ranges(
                try decoder.required("ranges", members, element, filterPlace), "\(filterPlace).ranges")
            // Not the rule's own unit, which the filters of documents take.
            var unit = Self.defaultUnit
            var hashVersion: HashVersion? = .v2
            for member in members where !member.value.isNull {
                let memberPlace = "\(filterPlace).\(member.name)"
                switch member.name {
                case "seed", "ranges": break
                case "attribute": unit = try name(member.value, memberPlace) ?? unit
                case "hashVersion":
                    let isDefault = member.value.integer == 0
                    hashVersion = isDefault ? .v2 : try self.hashVersion(member.value, memberPlace)
                default: unknownKeys.add(member, memberPlace)
                }
            }
            filters.append(BucketFilter(unit: unit, seed: seed, hashVersion: hashVersion, ranges: ranges))
        }
        return filters
    }

    private mutating func prerequisites(
        _ node: JSONNode, _ place: String
    ) throws(ConfigurationError) -> [Prerequisite] {
        var prerequisites: [Prerequisite] = []
        for (index, element) in try decoder.list(node, place).enumerated() {
            let own = "\(place)[\(index)]"
            let members = try decoder.object(element, own)
            let feature = try decoder.text(try decoder.required("id", members, element, own), "\(own).id")
            let condition = try condition(
                try decoder.required("condition", members, element, own), "\(own).condition")
            var isGate = false
            for member in members where !member.value.isNull {
                switch member.name {
                case "id", "condition": break
                case "gate": isGate = try decoder.boolean(member.value, "\(own).gate")
                default: unknownKeys.add(member, "\(own).\(member.name)")
                }
            }
            prerequisites.append(Prerequisite(feature: feature, condition: condition, isGate: isGate))
        }
        return prerequisites
    }

    private mutating func condition(_ node: JSONNode, _ place: String) throws(ConfigurationError) -> Condition {
        _ = try decoder.object(node, place)
        guard case .object(let json) = node.value else { return Condition(JSONObject()) }
        let condition = Condition(json, segments: segments)
        for problem in condition.problems {
            let end = problem.isFatal ? "; \(GrowthBookFields.matchesNone)" : ""
            decoder.warn("\(place)\(problem.path)", "\(problem.reason)\(end)", node.offset)
        }
        return condition
    }
}
