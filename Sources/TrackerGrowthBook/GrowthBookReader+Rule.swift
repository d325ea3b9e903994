import TrackerFeatures

extension GrowthBookReader {
    /// The end of a warning about an unusable rule.
    private static let matchesNone = "it matches no context"
    private static let defaultUnit = "id"
    // For display, for tracking in browsers, or redundant.
    private static let ignoredKeys = ["name", "phase", "tracks", "banditVersion", "description"]
    private static let unsupportedKeys = [
        "contextualVariations": "contextual bandits", "contextualBanditRef": "contextual bandits",
        "contextualBandit": "contextual bandits", "url": "URL targeting and redirects",
        "urlPatterns": "URL targeting and redirects", "urlRedirect": "URL targeting and redirects",
        "persistQueryString": "URL targeting and redirects",
    ]

    private typealias VariationMeta = (key: String?, isPassthrough: Bool)

    /// Reads a rule. An unusable part is a warning, and makes the rule match no context.
    func rule(
        _ node: JSONNode, _ ids: inout Set<ExactText>, of feature: String
    ) throws(ConfigurationError) -> FeatureRule {
        var rule = try Members(node, decoder)
        for (key, subject) in Self.unsupportedKeys {
            _ = usable(key, of: &rule) { (node) throws(ConfigurationError) -> Void in
                throw decoder.fault(.unknownField, "\(subject) are not supported", node)
            }
        }
        _ = usable("type", of: &rule, checkType)
        let id = id(of: &rule, &ids)
        // Null can be forced too.
        let force = rule.rest["force"].map { value($0) }

        let unit = name("hashAttribute", of: &rule) ?? Self.defaultUnit
        let seed = name("seed", of: &rule)
        let hashVersion = usable("hashVersion", of: &rule, self.hashVersion) ?? .v1
        let coverage = usable("coverage", of: &rule, number)
        let range = usable("range", of: &rule, self.range)
        let condition = usable("condition", of: &rule, self.condition)
        let prerequisites = usable("parentConditions", of: &rule, each(prerequisite)) ?? []
        // They take precedence over a namespace.
        let filters = usable("filters", of: &rule, each(filter))
        let namespaces = usable("namespace", of: &rule, namespace).map { [$0] } ?? []

        let key = name("key", of: &rule) ?? feature
        let values = usable("variations", of: &rule, each(value)) ?? []
        let meta = usable("meta", of: &rule, each(self.meta)) ?? []
        let weights = usable("weights", of: &rule, each(notNegative(number)))
        let ranges = usable("ranges", of: &rule, each(self.range))
        let fallbackUnit = name("fallbackAttribute", of: &rule)
        let isNeverSticky = usable("disableStickyBucketing", of: &rule, boolean) ?? false
        let bucketVersion = usable("bucketVersion", of: &rule, notNegative(integer)) ?? 0
        let minBucketVersion = usable("minBucketVersion", of: &rule, notNegative(integer)) ?? 0
        for key in Self.ignoredKeys + ["force"] { _ = rule.take(key) }
        noteRest(of: rule)

        if let force {
            let share = seed ?? feature
            // A coverage of 1 is a share too, because the rule does not match without the unit.
            let bucket =
                range.map { RuleBucket(unit: unit, seed: share, hashVersion: hashVersion, range: $0) }
                ?? coverage.map { RuleBucket(unit: unit, seed: share, hashVersion: hashVersion, coverage: $0) }
            // Without a share, a filter has only its own unit.
            let own = bucket == nil ? namespaces.map { $0.of(unit) } : namespaces
            return FeatureRule(
                id: id,
                targeting: Targeting(condition: condition, prerequisites: prerequisites, filters: filters ?? own),
                bucket: bucket, isEnabled: force.isTruthy, values: force.growthBookVariables, isUsable: rule.isUsable)
        }
        // GrowthBook checks these before an experiment, also for units with a stored variant.
        let targeting = Targeting(prerequisites: prerequisites, filters: filters ?? [])
        guard !values.isEmpty else { return FeatureRule(id: id, targeting: targeting, isUsable: rule.isUsable) }
        let isUsable = rule.isUsable
        let variants = variants(values, meta, ranges == nil ? weights : nil, of: &rule, feature)
        // An experiment evaluated by its id has the same conditions on other features; only a rule can be a gate.
        let asked = prerequisites.map { Prerequisite(feature: $0.feature, condition: $0.condition) }
        let share = min(max(coverage ?? 1, 0), 1)
        let drawn = Bucketing.ranges(
            weights: variants.map(\.weight), coverage: share, sum: variants[0].weight == nil ? nil : 1)
        let experiment = Experiment(
            id: key, unit: unit, seed: seed, hashVersion: hashVersion, coverage: share,
            isSticky: isSticky && !isNeverSticky,
            targeting: Targeting(condition: condition, prerequisites: asked, filters: filters ?? namespaces),
            ranges: ranges.map { given in drawn.indices.map { given.indices.contains($0) ? given[$0] : 0..<0 } }
                ?? drawn,
            fallbackUnit: fallbackUnit, bucketVersion: bucketVersion, minBucketVersion: minBucketVersion,
            isUsable: rule.isUsable, keepsVariantOutsideTargeting: true, variants: variants)
        return FeatureRule(id: id, targeting: targeting, experiment: experiment, isUsable: isUsable)
    }

    /// Creates the variants of a rule's experiment, at least one.
    private func variants(
        _ values: [JSONValue], _ meta: [VariationMeta], _ weights: [Double]?, of rule: inout Members, _ feature: String
    ) -> [ExperimentVariant] {
        let start = rule.node.offset
        let known = values.indices.map { meta.indices.contains($0) ? meta[$0] : VariationMeta(nil, false) }
        let names = known.enumerated().map { $1.key ?? "\($0)" }
        if Set(names.map(ExactText.init)).count < names.count {
            rule.isUsable = false
            decoder.warn("two variations have one key, so \(Self.matchesNone)", start, at: ".meta")
        }
        if values.count < 2 {
            rule.isUsable = false
            decoder.warn("fewer than two variations, so \(Self.matchesNone)", start, at: ".variations")
        }
        let isUsed = weights.map { $0.count == values.count && 0.99...1.01 ~= $0.reduce(0, +) } ?? false
        if weights != nil, !isUsed {
            let reason = "expected one for each variation, and a sum of 1; equal weights are used, as by GrowthBook"
            decoder.warn(reason, start, at: ".weights")
        }
        return values.enumerated().map { index, value in
            ExperimentVariant(
                name: names[index], weight: isUsed ? weights?[index] : nil,
                overrides: [ExactText(feature): value.growthBookVariables],
                enabledFeatures: [ExactText(feature): value.isTruthy], isPassthrough: known[index].isPassthrough)
        }
    }

    private func checkType(_ node: JSONNode) throws(ConfigurationError) {
        let type = try text(node)
        // A multi-armed bandit is an experiment whose weights the server changes.
        guard type != "standard" && type != "multi-armed-bandit" else { return }
        throw decoder.fault(.unknownField, "the type \(type.excerpt) is not supported", node)
    }

    /// The id of a rule; only for display, so a value that is not text counts as missing.
    private func id(of rule: inout Members, _ ids: inout Set<ExactText>) -> String {
        let (written, number) = (rule.take("id")?.value.string ?? "", ids.count + 1)
        var id = written.isEmpty ? "rule-\(number)" : written
        if ids.contains(ExactText(id)) {
            decoder.warn("\(id.excerpt) is the id of an earlier rule too", rule.node.offset, at: ".id")
        }
        while !ids.insert(ExactText(id)).inserted { id += "-\(number)" }
        return id
    }

    /// Reads a member of a rule; nil if it is missing, or if it cannot be used.
    private func usable<Value>(_ name: String, of rule: inout Members, _ read: Reading<Value>) -> Value? {
        guard let member = rule.take(name) else { return nil }
        decoder.omitsPositions = true
        defer { decoder.omitsPositions = false }
        do throws(ConfigurationError) {
            return try read(member.value)
        } catch {
            rule.isUsable = false
            decoder.warn("\(error.reason); \(Self.matchesNone)", member.nameOffset, in: error.place)
            return nil
        }
    }

    /// A text of a rule; nil if it is empty, which means the default.
    private func name(_ name: String, of rule: inout Members) -> String? {
        usable(name, of: &rule, text).flatMap { $0.isEmpty ? nil : $0 }
    }

    private func hashVersion(_ node: JSONNode) throws(ConfigurationError) -> HashVersion? {
        let number = try decoder.integer(node)
        // JavaScript treats 0 as missing.
        if let version = HashVersion(rawValue: number == 0 ? 1 : number) { return version }
        decoder.warn("\(number) is none of 1, 2; the hash matches no unit", node.offset)
        return nil
    }

    private func notNegative<N: SignedNumeric & Comparable>(_ read: @escaping Reading<N>) -> Reading<N> {
        { [decoder] (node) throws(ConfigurationError) in
            let number = try read(node)
            if number >= 0 { return number }
            throw decoder.fault(.outOfRange, "expected 0 or more, found \(number)", node)
        }
    }

    private func range(_ node: JSONNode) throws(ConfigurationError) -> Range<Double> {
        let bounds = try decoder.list(node)
        guard bounds.count == 2 else {
            throw decoder.fault(.outOfRange, "expected two numbers, found \(bounds.count)", node)
        }
        let lower = try number(bounds[0])
        return lower..<max(lower, try number(bounds[1]))
    }

    private func namespace(_ node: JSONNode) throws(ConfigurationError) -> BucketFilter {
        let parts = try decoder.list(node)
        guard parts.count == 3 else {
            throw decoder.fault(.outOfRange, "expected an id and two numbers, found \(parts.count) values", node)
        }
        return .namespace(
            try text(parts[0]), try number(parts[1]), try number(parts[2]))
    }

    private func meta(_ node: JSONNode) throws(ConfigurationError) -> VariationMeta {
        var members = try Members(node, decoder)
        let key = try optional("key", of: &members, text) ?? ""
        let isPassthrough = try optional("passthrough", of: &members, boolean) ?? false
        _ = members.take("name")
        noteRest(of: members)
        return (key.isEmpty ? nil : key, isPassthrough)
    }

    private func filter(_ node: JSONNode) throws(ConfigurationError) -> BucketFilter {
        var members = try Members(node, decoder)
        let seed = try required("seed", of: &members, text)
        let ranges = try required("ranges", of: &members, each(self.range))
        let unit = try optional("attribute", of: &members, text) ?? ""
        let version = try optional("hashVersion", of: &members) { (node) throws(ConfigurationError) in
            node.integer == 0 ? .v2 : try hashVersion(node)
        }
        noteRest(of: members)
        // Not the rule's own unit, which only filters of documents use.
        return BucketFilter(
            unit: unit.isEmpty ? Self.defaultUnit : unit, seed: seed, hashVersion: version ?? .v2, ranges: ranges)
    }

    private func prerequisite(_ node: JSONNode) throws(ConfigurationError) -> Prerequisite {
        var members = try Members(node, decoder)
        let feature = try required("id", of: &members, text)
        let condition = try required("condition", of: &members, condition)
        let isGate = try optional("gate", of: &members, boolean) ?? false
        noteRest(of: members)
        return Prerequisite(feature: feature, condition: condition, isGate: isGate)
    }

    private func condition(_ node: JSONNode) throws(ConfigurationError) -> Condition {
        _ = try decoder.object(node)
        let condition = Condition(node.value.object ?? [:], segments: segments)
        for problem in condition.problems {
            let end = problem.isFatal ? "; \(Self.matchesNone)" : ""
            decoder.warn("\(problem.reason)\(end)", node.offset, at: problem.path)
        }
        return condition
    }
}
