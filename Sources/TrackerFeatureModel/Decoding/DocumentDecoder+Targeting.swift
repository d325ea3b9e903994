extension DocumentDecoder {
    /// Reads a part of a rule or an experiment that fails closed: an unusable part is a warning.
    /// - Parameters:
    ///   - member: The part.
    ///   - effect: The consequence of an unusable part, for the warning.
    ///   - read: Reads the part.
    /// - Returns: Whether the part was read.
    mutating func reads(
        _ member: JSONNode.Member, or effect: String,
        _ read: (inout DocumentDecoder) throws(ConfigurationError) -> Void
    ) -> Bool {
        omitsPositions = true
        defer { omitsPositions = false }
        do throws(ConfigurationError) {
            try read(&self)
            return true
        } catch {
            let offset = error.code == .unknownKey ? member.nameOffset : member.value.offset
            warn("\(error.reason); \(effect)", offset, in: error.place)
            return false
        }
    }

    /// Reads the parts of a targeting.
    /// - Throws: An error also for a key that is not a targeting's, because a rule or experiment must not ignore it.
    mutating func readTargeting(
        _ member: JSONNode.Member, _ scope: DocumentScope, _ targeting: inout Targeting
    ) throws(ConfigurationError) {
        switch member.name {
        case "condition": targeting.condition = try condition(member.value, scope, scope.units)
        case "prerequisites": try prerequisites(member.value, scope, &targeting.prerequisites)
        case "filters": targeting.filters += try filters(member.value)
        case "namespace": targeting.filters.append(try namespace(member.value))
        default:
            if try !schedule(member, &targeting.schedule) { throw unknown(member) }
        }
    }

    private mutating func condition(
        _ node: JSONNode, _ scope: DocumentScope, _ units: Set<String> = []
    ) throws(ConfigurationError) -> Condition {
        _ = try object(node)
        let condition = Condition(node.value.object ?? JSONObject(), segments: scope.segments, units: units)
        for fault in condition.warnings { warn(fault.reason, node.offset, at: fault.path) }
        let faults = condition.problems
        for fault in faults.dropFirst() { warn(fault.reason, node.offset, at: fault.path) }
        // In GrowthBook, an unknown segment has no members; the author who misspells a segment means something else.
        if let fault = faults.first { throw self.fault(.outOfRange, fault.reason, node, at: fault.path) }
        return condition
    }

    /// Reads prerequisites. An unreadable gate stays a gate that is never met; otherwise the feature would be enabled.
    /// - Throws: The first fault, after all prerequisites were read.
    private mutating func prerequisites(
        _ node: JSONNode, _ scope: DocumentScope, _ prerequisites: inout [Prerequisite]
    ) throws(ConfigurationError) {
        // A single prerequisite needs no list.
        let elements = if case .array(let list) = node.content { list } else { [node] }
        var first: ConfigurationError?
        for element in elements {
            do throws(ConfigurationError) {
                prerequisites.append(try prerequisite(element, scope))
            } catch {
                if element.mayBeGate {
                    prerequisites.append(.unmetGate)
                    warn("the gate is never met, so the feature is off", element.offset)
                }
                if first == nil { first = error } else { warn(error.reason, element.offset, in: error.place) }
            }
        }
        if let first { throw first }
    }

    private mutating func prerequisite(
        _ node: JSONNode, _ scope: DocumentScope
    ) throws(ConfigurationError) -> Prerequisite {
        let members = try object(node)
        let featureNode = try required("feature", members, node)
        let feature = try text(featureNode)
        if !scope.has(feature) {
            throw fault(
                .outOfRange, "the document has no feature \(feature.excerpt)", featureNode)
        }
        var prerequisite = Prerequisite(feature: feature)
        for member in members where !member.isNull {
            switch member.name {
            case "feature": break
            case "condition": prerequisite.condition = try condition(member.value, scope)
            case "gate": prerequisite.isGate = try boolean(member.value)
            default: throw unknown(member)
            }
        }
        return prerequisite
    }

    private mutating func filters(_ node: JSONNode) throws(ConfigurationError) -> [BucketFilter] {
        var filters: [BucketFilter] = []
        for element in try list(node) { filters.append(try filter(element)) }
        return filters
    }

    private mutating func filter(_ node: JSONNode) throws(ConfigurationError) -> BucketFilter {
        let members = try object(node)
        let seed = try text(try required("seed", members, node))
        let rangesNode = try required("ranges", members, node)
        var filter = BucketFilter(seed: seed, ranges: try ranges(rangesNode))
        for member in members where !member.isNull {
            switch member.name {
            case "seed", "ranges": break
            case "unit": filter.unit = try text(member.value)
            case "hashVersion": filter.hashVersion = try hashVersion(member.value)
            default: throw unknown(member)
            }
        }
        for (index, range) in filter.ranges.enumerated() {
            checkSteps(of: range, filter.hashVersion, "match", rangesNode.offset, at: "[\(index)]")
        }
        return filter
    }

    /// `["checkout", 0, 0.5]`: experiments of one namespace whose ranges do not overlap share no unit.
    private mutating func namespace(_ node: JSONNode) throws(ConfigurationError) -> BucketFilter {
        let elements = try list(node)
        guard elements.count == 3 else {
            throw fault(.wrongType, "expected [name, from, to], found \(elements.count) elements", node)
        }
        let name = try text(elements[0])
        let range = try self.range(elements[1], elements[2])
        checkSteps(of: range, .v2, "match", node.offset)
        // The prefix keeps it independent of an experiment that has the name as its seed.
        return BucketFilter(seed: "__\(name)", ranges: [range])
    }

    mutating func ranges(_ node: JSONNode) throws(ConfigurationError) -> [Range<Double>] {
        var ranges: [Range<Double>] = []
        for element in try list(node) { ranges.append(try range(element)) }
        return ranges
    }

    mutating func range(_ node: JSONNode) throws(ConfigurationError) -> Range<Double> {
        let bounds = try list(node)
        guard bounds.count == 2 else {
            throw fault(.wrongType, "expected [from, to], found \(bounds.count) elements", node)
        }
        return try range(bounds[0], bounds[1])
    }

    private func range(_ lower: JSONNode, _ upper: JSONNode) throws(ConfigurationError) -> Range<Double> {
        let (from, to) = (try number(lower), try number(upper))
        guard 0 <= from, from <= to, to <= 1 else {
            let found = "\(lower.value) to \(upper.value)"
            throw fault(.outOfRange, "expected a range within 0 to 1, found \(found)", lower)
        }
        return from..<to
    }

    func hashVersion(_ node: JSONNode) throws(ConfigurationError) -> HashVersion {
        // JSON Schema accepts 2.0 as an integer.
        let number = try self.number(node)
        if let version = Int(exactly: number).flatMap(HashVersion.init(rawValue:)) { return version }
        let known = HashVersion.allCases.map { "\($0.rawValue)" }.joined(separator: ", ")
        throw fault(.outOfRange, "\(node.value) is none of \(known)", node)
    }

    /// Reads a share of the units. A number above 1 rejects the document: it was meant as a percentage, and would
    /// include all units.
    mutating func coverage(_ node: JSONNode) throws(ConfigurationError) -> Double {
        let coverage = try number(node)
        guard coverage <= 1 else {
            let reason = "\(node.value) is above 1; coverage is a share, so 0.5 is half"
            throw fault(.outOfRange, reason, node)
        }
        guard coverage < 0 else { return coverage }
        warn("\(node.value) is below 0; 0 is used", node.offset)
        return 0
    }

    /// Warns about a share that the hash cannot represent, because it is hardly larger than one of its steps.
    /// - Parameters:
    ///   - range: The fractions that belong to the share.
    ///   - version: The hash; nil if it is not known.
    ///   - effect: The effect on units of the share, for the warning.
    ///   - offset: The offset of the share, or of the value that has it.
    ///   - part: The place of the share within the value at the offset; empty by default.
    mutating func checkSteps(
        of range: Range<Double>, _ version: HashVersion?, _ effect: String, _ offset: Int, at part: String = ""
    ) {
        guard let steps = version.map({ Double($0.steps) }) else { return }
        let width = (range.upperBound - range.lowerBound) * steps
        guard 0 < width, width < 1.5 else { return }
        let first = (range.lowerBound * steps).rounded(.down)
        let given = (0..<4).count { range.contains((first + Double($0)) / steps) }
        if (Double(given) - width).magnitude > 0.01 {
            let share = given == 0 ? "none" : "\(Double(given) / steps)"
            warn("the hash has steps of \(1 / steps), so \(share) of the units \(effect)", offset, at: part)
        }
    }

    /// The fault of a key that a rule or an experiment must not ignore.
    func unknown(_ member: JSONNode.Member) -> ConfigurationError {
        fault(.unknownKey, "an unknown key", JSONNode(.null, offset: member.nameOffset))
    }
}

extension Prerequisite {
    /// The substitute for a gate that cannot be read.
    fileprivate static var unmetGate: Prerequisite {
        Prerequisite(feature: "", condition: Condition(["$nor": [[:]]]), isGate: true)
    }
}

extension JSONNode {
    /// Whether this unreadable prerequisite may be meant as a gate.
    fileprivate var mayBeGate: Bool {
        guard let gate = members?["gate"] else { return false }
        if case .bool(false) = gate.content { return false }
        return !gate.isNull
    }
}

extension DocumentDecoder {
    /// Reads a bound of a schedule.
    /// - Returns: Whether the key belongs to a schedule.
    package mutating func schedule(
        _ member: JSONNode.Member, _ schedule: inout Schedule?
    ) throws(ConfigurationError) -> Bool {
        switch member.name {
        case "start": schedule = Schedule(start: try instant(member.value), end: schedule?.end)
        case "end": schedule = Schedule(start: schedule?.start, end: try instant(member.value))
        default: return false
        }
        if let start = schedule?.start, let end = schedule?.end, end <= start {
            throw fault(.outOfRange, "the end is not after the start, so nothing lies between", member.value)
        }
        return true
    }

    private func instant(_ node: JSONNode) throws(ConfigurationError) -> Instant {
        let text = try text(node)
        guard let instant = Instant(text) else { throw fault(.outOfRange, Instant.fault(of: text), node) }
        return instant
    }
}
