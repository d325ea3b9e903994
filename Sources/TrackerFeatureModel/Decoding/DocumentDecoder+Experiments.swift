extension DocumentDecoder {
    private static let noVariant = "the experiment gives no unit a variant"

    /// Reads the experiments.
    /// - Returns: The experiments, and the index of each by its id.
    mutating func experiments(
        _ node: JSONNode, _ scope: DocumentScope
    ) throws(ConfigurationError) -> (all: [Experiment], indices: [ExactText: Int]) {
        let elements = try list(node, "experiments")
        var experiments: [Experiment] = []
        experiments.reserveCapacity(elements.count)
        var indices = [ExactText: Int](minimumCapacity: elements.count)
        var overridden = OverriddenVariables(count: scope.variableCount)
        for (index, element) in elements.enumerated() {
            var place: String { "experiments[\(index)]" }
            let members = try object(element, place)
            let idNode = try required("id", members, element, place)
            let id = try text(idNode, "\(place).id")
            if let first = indices.updateValue(index, forKey: ExactText(id)) {
                let reason = "\(id.excerpt) is the id of experiments[\(first)] too"
                throw fault(.duplicateName, "\(place).id", reason, idNode)
            }
            if id.isBlank { warn("\(place).id", "the id is empty", idNode.offset) }
            overridden.begin(id)
            var reader = ExperimentReader(id: id, index: index, scope: scope)
            experiments.append(try experiment(members, element, &reader, &overridden))
        }
        return (experiments, indices)
    }

    /// What was read of an experiment so far.
    private struct ExperimentReader {
        let id: String
        let index: Int
        let scope: DocumentScope
        var isUsable = true
        var unit = "userId"
        var seed: String?
        var hashVersion: HashVersion? = .v2
        var coverage = 1.0
        var isSticky = false
        var countries: [String]?
        var languages: [String]?
        var targeting = TargetingDraft()
        var isEnabled = true
        var ranges: [Range<Double>]?
        var fallbackUnit: String?
        var bucketVersion = 0
        var minBucketVersion = 0
        var blockedVariants: [String] = []
        var forcedVariant: String?
        var stickyLifetime: Duration?
        /// Whether there is a key that has an effect only beside others.
        var hasDependentKey = false

        var place: String { "experiments[\(index)]" }
    }

    private mutating func experiment(
        _ members: [JSONNode.Member], _ node: JSONNode, _ reader: inout ExperimentReader,
        _ overridden: inout OverriddenVariables
    ) throws(ConfigurationError) -> Experiment {
        let variantsNode = try required("variants", members, node, reader.place)
        let index = reader.index
        var place: String { "experiments[\(index)]" }
        let variants = try self.variants(
            variantsNode, "\(place).variants", reader.scope, &overridden, &reader.isUsable)
        for member in members where !member.isNull {
            var memberPlace: String { "\(place).\(member.name)" }
            if member.name == "coverage", member.value.number ?? 0 > 1 { _ = try coverage(member.value, memberPlace) }
            var isUsable = true
            _ = failingClosed(&isUsable, Self.noVariant, member.value, nameOffset: member.nameOffset) {
                (decoder) throws(ConfigurationError) in
                if try decoder.read(member, memberPlace, &reader) { return }
                if try decoder.targeting(member, memberPlace, reader.scope, &reader.targeting) { return }
                throw decoder.unknown(member, memberPlace)
            }
            if !isUsable { reader.isUsable = false }
        }
        if reader.hasDependentKey { check(reader, members, variants) }
        if let ranges = reader.ranges, ranges.count != variants.count {
            warn(
                "\(place).ranges", "\(ranges.count) ranges for \(variants.count) variants; \(Self.noVariant)",
                node.offset)
            reader.isUsable = false
        }
        return Experiment(
            id: reader.id, unit: reader.unit, seed: reader.seed, hashVersion: reader.hashVersion,
            coverage: reader.coverage, isSticky: reader.isSticky, countries: reader.countries,
            languages: reader.languages, targeting: reader.targeting.targeting, isEnabled: reader.isEnabled,
            ranges: reader.isUsable ? reader.ranges : nil, fallbackUnit: reader.fallbackUnit,
            bucketVersion: reader.bucketVersion, minBucketVersion: reader.minBucketVersion,
            blockedVariants: Set(reader.blockedVariants), forcedVariant: reader.forcedVariant,
            stickyLifetime: reader.stickyLifetime, isUsable: reader.isUsable, variants: variants)
    }

    /// Reads one of an experiment's own keys.
    /// - Returns: Whether the key is one.
    private mutating func read(
        _ member: JSONNode.Member, _ place: @autoclosure Place, _ reader: inout ExperimentReader
    ) throws(ConfigurationError) -> Bool {
        let node = member.value
        switch member.name {
        case "id", "variants": break
        case "unit":
            reader.unit = try text(node, place())
            if reader.unit.isBlank { warn(place(), "the unit is empty, so no context has one", node.offset) }
        case "seed": reader.seed = try text(node, place())
        case "hashVersion":
            reader.hashVersion = nil
            reader.hashVersion = try hashVersion(node, place())
        case "coverage": reader.coverage = try coverage(node, place())
        case "sticky": reader.isSticky = try boolean(node, place())
        case "countries":
            reader.countries = try texts(node, place())
            checkCodes(reader.countries ?? [], node, place()) { LocaleCode.fault(country: $0) }
        case "languages":
            reader.languages = try texts(node, place())
            checkCodes(reader.languages ?? [], node, place()) { LocaleCode.fault(language: $0) }
        case "enabled": reader.isEnabled = try boolean(node, place())
        case "ranges": reader.ranges = try ranges(node, place())
        default: return try readDependentKey(member, place(), &reader)
        }
        return true
    }

    /// Reads a key that has an effect only beside others, which ``check(_:_:_:)`` looks at in the end.
    private func readDependentKey(
        _ member: JSONNode.Member, _ place: @autoclosure Place, _ reader: inout ExperimentReader
    ) throws(ConfigurationError) -> Bool {
        let node = member.value
        // Also if the value cannot be read.
        reader.hasDependentKey = true
        switch member.name {
        case "fallbackUnit": reader.fallbackUnit = try text(node, place())
        case "bucketVersion": reader.bucketVersion = try bucketVersion(node, place())
        case "minBucketVersion": reader.minBucketVersion = try bucketVersion(node, place())
        case "blockedVariants": reader.blockedVariants = try texts(node, place())
        case "force": reader.forcedVariant = try text(node, place())
        case "stickyLifetime": reader.stickyLifetime = try lifetime(node, place())
        default: return false
        }
        return true
    }

    private func bucketVersion(_ node: JSONNode, _ place: @autoclosure Place) throws(ConfigurationError) -> Int {
        let version = try integer(node, place())
        guard 0...Experiment.maxBucketVersion ~= version else {
            throw fault(.outOfRange, place(), "expected 0 to \(Experiment.maxBucketVersion), found \(version)", node)
        }
        return version
    }

    private func lifetime(_ node: JSONNode, _ place: @autoclosure Place) throws(ConfigurationError) -> Duration {
        let seconds = try number(node, place())
        // About a hundred years; more would overflow times.
        guard seconds > 0, seconds <= 3_200_000_000 else {
            throw fault(
                .outOfRange, place(), "expected a number of seconds above 0, found \(node.value)", node)
        }
        return .milliseconds(Int64(seconds * 1000))
    }

    private mutating func checkCodes(
        _ codes: [String], _ node: JSONNode, _ place: @autoclosure Place, _ fault: (String) -> String?
    ) {
        let faults = codes.map(fault)
        guard faults.contains(where: { $0 != nil }), case .array(let elements) = node.content else { return }
        for (index, element) in elements.enumerated() {
            if let fault = faults[index] { warn("\(place())[\(index)]", fault, element.offset) }
        }
    }

    /// Warns of keys that have no effect, or name a variant that is not there.
    private mutating func check(
        _ reader: ExperimentReader, _ members: [JSONNode.Member], _ variants: [ExperimentVariant]
    ) {
        for member in members where !member.isNull {
            var place: String { "\(reader.place).\(member.name)" }
            switch member.name {
            case "fallbackUnit", "bucketVersion", "minBucketVersion", "stickyLifetime":
                if !reader.isSticky {
                    warn(place, "without effect, because the experiment is not sticky", member.nameOffset)
                }
                if member.name == "minBucketVersion", reader.minBucketVersion > reader.bucketVersion {
                    let reason = "\(reader.minBucketVersion) is above bucketVersion, \(reader.bucketVersion)"
                    warn(place, reason, member.value.offset)
                }
            case "blockedVariants", "force":
                let named = member.name == "force" ? reader.forcedVariant.map { [$0] } ?? [] : reader.blockedVariants
                for name in named where !variants.contains(where: { $0.name.isExactly(name) }) {
                    warn(place, "the experiment has no variant \(name.excerpt)", member.value.offset)
                }
            default: break
            }
        }
    }
}
