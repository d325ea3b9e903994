package import TrackerConfig
import TrackerFeatures

/// The changes in a service when one document replaces another, as lines for `tracker-config diff` and the console.
///
/// ```swift
/// let difference = ConfigurationDifference(from: try Document(published), to: try Document(edited))
/// for line in difference.lines { print(line.text) }
/// ```
package struct ConfigurationDifference: Sendable {
    /// The service's decision about the new document.
    package let decision: VersionDecision
    /// The version in use before; nil if there is none.
    package let oldVersion: Int?
    /// The new document's version.
    package let newVersion: Int
    /// Whether nothing differs, including the version.
    package let isEmpty: Bool
    /// The decision about the new document, then the differences by groups.
    package let lines: [DifferenceLine]

    /// Compares two documents.
    /// - Parameters:
    ///   - old: The document in use; nil for the default.
    ///   - new: The document that replaces it.
    ///   - default: The default configuration; empty by default.
    ///   - defaultVersion: The default's version; nil by default.
    ///   - units: The maximum number of made-up units to evaluate for a feature; 10,000 by default, fewer if more than
    ///     ten features differ.
    ///   - isSecret: Whether a variable is a secret although no document encrypts it.
    package init(
        from old: Document?, to new: Document, default: DefaultConfiguration = DefaultConfiguration(bundles: []),
        defaultVersion: Int? = nil, units: Int = 10_000, isSecret: @escaping (VariableKey) -> Bool = { _ in false }
    ) {
        let used = old.flatMap { $0.version > defaultVersion ?? -1 ? $0 : nil }
        (oldVersion, newVersion) = (used?.version ?? defaultVersion, new.version)
        decision = VersionDecision(on: new, over: (oldVersion, used?.digest), defaultVersion: defaultVersion)
        // A variable that is encrypted in one document is a secret in all: the other may be older than the encryption.
        let secrets = Set(
            (`default`.features + (old?.features ?? []) + new.features).flatMap { feature in
                feature.variables.filter(\.isEncrypted).map { VariableKey(feature.name, $0.name) }
            })
        let comparison = Comparison(old: used, new: new, default: `default`, units: units) {
            secrets.contains($0) || isSecret($0)
        }
        let groups = [
            ("trackers", comparison.trackers), ("meta", comparison.meta), ("segments", comparison.segments),
            ("features", comparison.features), ("experiments", comparison.experiments), ("rollout", comparison.rollout),
        ].filter { !$0.1.isEmpty }
        isEmpty = groups.isEmpty && oldVersion == newVersion
        if isEmpty {
            lines = [DifferenceLine(0, nil, "no difference")]
            return
        }
        var head = [DifferenceLine(0, nil, decision.words(from: oldVersion, to: new))]
        if old != nil, used == nil {
            let text = "OLD is not in use: a service starts with its default, whose version is as high or higher"
            head.insert(DifferenceLine(0, "!", text), at: 0)
        }
        if let oldVersion, newVersion - oldVersion > 1_000_000 {
            let text = "configurationVersion grows by more than 1,000,000; each later document needs a higher one"
            head.append(DifferenceLine(0, "!", text))
        }
        lines =
            head + groups.flatMap { [DifferenceLine(0, nil, $0)] + $1 }
            + (groups.isEmpty ? [DifferenceLine(0, nil, "nothing else differs")] : [])
    }

    /// The difference as JSON.
    package var json: JSONObject {
        [
            "oldVersion": oldVersion.map(JSONValue.int) ?? .null, "newVersion": .int(newVersion),
            "outcome": .string(decision.outcome), "differs": .bool(!isEmpty), "lines": .array(lines.map(\.json)),
        ]
    }
}

extension VersionDecision {
    fileprivate var outcome: String {
        switch self {
        case .apply: "applied"
        case .unchanged: "unchanged"
        case .stale: "stale"
        case .held: "held"
        }
    }

    fileprivate func words(from old: Int?, to new: Document) -> String {
        let versions = "version " + (old.map { "\($0) → " } ?? "") + "\(new.version)"
        switch self {
        case .apply:
            let percent = new.rollout?.percent ?? 100
            let canary = " by \(JSONValue(shortest: percent)) % of the fleet (the canary)"
            return "\(versions): applied\(percent < 100 ? canary : "")"
        case .held(let reason): return "\(versions): held back, \(reason)"
        case .unchanged(isOtherContent: false): return "not applied: version \(new.version) is in use already"
        case .unchanged(isOtherContent: true):
            return
                "not applied: the content changed but configurationVersion is still \(new.version). With a higher version:"
        case .stale:
            let used = old.map { "version \($0)" } ?? "a higher version"
            return "not applied: \(used) is in use, and \(new.version) is lower. With a higher version:"
        }
    }
}

/// The lines of each group of a difference.
private struct Comparison {
    let old: Document?
    let new: Document
    let `default`: DefaultConfiguration
    let units: Int
    let isSecret: (VariableKey) -> Bool

    var trackers: [DifferenceLine] {
        let before = ResolvedConfiguration(old, defaults: `default`.bundles)
        let after = ResolvedConfiguration(new, defaults: `default`.bundles)
        let layers = Dictionary(before.trackers.map { (ExactText($0.namespace), $0.layers) }) { $1 }
        let kept = Set(
            ConfigurationPlan(new, defaults: `default`.bundles, existing: layers.keys).kept.map(ExactText.init))
        let lines = after.trackers
            .map { tracker in
                let old = layers[exactly: tracker.namespace]
                return ConfigurationPart(tracker, differing: Set(old.map(tracker.layers.settingsThatDiffer) ?? []))
            }
            .lines(
                since: before.trackers.filter { !kept.contains(ExactText($0.namespace)) }
                    .map { ConfigurationPart($0) }, at: 1)
        let left = before.trackers.filter { kept.contains(ExactText($0.namespace)) }.map { tracker in
            let name = JSONValue.string(tracker.namespace)
            let text = "\(name) is no longer in the document: its tracker stays as it was until the process ends"
            return DifferenceLine(1, "=", text)
        }
        return lines + left
    }

    var meta: [DifferenceLine] {
        [ConfigurationPart.Fact](new.meta).lines(since: .init(old?.meta ?? `default`.meta), at: 1)
    }

    var segments: [DifferenceLine] {
        func parts(_ segments: JSONObject) -> [ConfigurationPart] {
            segments.members.map { ConfigurationPart($0.name) }
        }
        let before = old?.segments ?? JSONObject()
        return parts(new.segments).lines(since: parts(before), at: 1) { name in
            let members = [before, new.segments].map { Set($0[name]?.array ?? []) }
            let (added, removed) = (members[1].subtracting(members[0]), members[0].subtracting(members[1]))
            if added.isEmpty, removed.isEmpty { return [] }
            return ["\(added.count) added, \(removed.count) removed, now \(counted(members[1].count, "member"))"]
        }
    }

    var features: [DifferenceLine] {
        let (before, after) = (effective(old?.features), effective(new.features))
        let former = Dictionary(before.map { (ExactText($0.name), $0) }) { $1 }
        let changed = Dictionary(
            after.filter { former[exactly: $0.name].map { [$0] } ?? [] != [$0] }.map { (ExactText($0.name), $0) }
        ) { $1 }
        let own = Set(new.features.map { ExactText($0.name) })
        let left = Set((old?.features ?? []).map { ExactText($0.name) }).subtracting(own)
        let units = AffectedUnits(
            from: .init(old, `default`), to: .init(new, `default`),
            units: self.units, features: changed.count)
        return after.map { ConfigurationPart($0, isSecret: isSecret) }.lines(
            since: before.map { ConfigurationPart($0, isSecret: isSecret) }, at: 1
        ) { name in
            var remarks: [String] = []
            if left.contains(ExactText(name)) {
                remarks.append("the document no longer has it, and the default decides")
            }
            guard let after = changed[exactly: name], let before = former[exactly: name] else { return remarks }
            let order = order(of: "rules", after.rules.map(\.id), since: before.rules.map(\.id))
            remarks += order.map { [$0] } ?? []
            return remarks + (units.sentence(of: name, isSecret: isSecret).map { [$0] } ?? [])
        }
    }

    /// The effective features of a document and the default.
    private func effective(_ document: [FeatureDefinition]?) -> [FeatureDefinition] {
        guard let document else { return `default`.features }
        let defaults = Dictionary(`default`.features.map { (ExactText($0.name), $0) }) { $1 }
        let names = Set(document.map { ExactText($0.name) })
        // A document's experiments replace the default's.
        return document.map { feature in
            defaults[exactly: feature.name].map { feature.over($0.withoutExperiments) } ?? feature
        } + `default`.features.filter { !names.contains(ExactText($0.name)) }.map(\.withoutExperiments)
    }

    var experiments: [DifferenceLine] {
        let old = old?.experiments ?? `default`.experiments
        let before = Dictionary(old.map { (ExactText($0.id), $0) }) { $1 }
        let after = Dictionary(new.experiments.map { (ExactText($0.id), $0) }) { $1 }
        let tried = max(
            100, min(units, 1_000_000 / max(1, old.count { after[exactly: $0.id].map { [$0] } ?? [] != [$0] })))
        let lines = new.experiments.map { ConfigurationPart($0, isSecret: isSecret) }.lines(
            since: old.map { ConfigurationPart($0, isSecret: isSecret) }, at: 1
        ) { id in
            guard let old = before[exactly: id], let new = after[exactly: id], old != new else { return [] }
            return new.remarks(since: old, units: tried)
        }
        // If two experiments give a variable to the same unit, the first one applies.
        let order = order(of: "experiments", new.experiments.map(\.id), since: old.map(\.id))
        return lines + (order.map { [DifferenceLine(1, "~", $0)] } ?? [])
    }

    var rollout: [DifferenceLine] {
        func facts(_ rollout: Rollout?) -> [ConfigurationPart.Fact] {
            rollout.map { ConfigurationPart($0).facts } ?? []
        }
        return facts(new.rollout).lines(since: facts(old?.rollout), at: 1)
    }
}

extension FeatureDefinition {
    /// The feature, completed by the one of a lower source.
    fileprivate func over(_ lower: FeatureDefinition) -> FeatureDefinition {
        var feature = self
        if metadata.isEmpty { feature.metadata = lower.metadata }
        // A disabled feature has no values, neither in this source nor in a lower one.
        if isDisabled || lower.isDisabled { return feature }
        let names = Set(variables.filter { $0.value != .null }.map { ExactText($0.name) })
        feature.isEnabled = isEnabled ?? lower.isEnabled
        feature.variables += lower.variables.filter { !names.contains(ExactText($0.name)) }
        // Unconditional values of this source have precedence over the rules of the lower one.
        feature.rules += lower.rules.compactMap { rule in
            var rule = rule
            if isEnabled != nil { rule.isEnabled = nil }
            rule.values = JSONObject(unique: rule.values.members.filter { !names.contains(ExactText($0.name)) })
            return rule.isEnabled == nil && rule.values.isEmpty && rule.experiment == nil ? nil : rule
        }
        return feature
    }
}

/// The order of things as a phrase if the order of the earlier ones has changed; otherwise nil.
private func order(of things: String, _ names: [String], since old: [String]) -> String? {
    let (before, after) = (old.map { ExactText($0) }, names.map { ExactText($0) })
    guard before.filter(Set(after).contains) != after.filter(Set(before).contains) else { return nil }
    return "order of the \(things): \(names.map { "\(JSONValue.string($0))" }.joined(separator: ", "))"
}

extension Experiment {
    /// Describes the effect of a changed experiment on its units.
    fileprivate func remarks(since old: Experiment, units: Int) -> [String] {
        let share = AffectedUnits.share(of: units, from: old, to: self)
        var remarks = ["\(share.amount(of: "units")) get another variant (\(units.grouped) tried)"]
        if !isEnabled || !isUsable {
            let stored = isSticky ? "; stored assignments stay" : ""
            remarks.append("\(isUsable ? "disabled" : "unusable"): no unit gets a variant\(stored)")
        }
        if old.targeting != targeting || old.countries != countries || old.languages != languages {
            remarks.append(
                "its condition, prerequisites, filters, countries, languages or times differ: units come or go besides")
        }
        switch (old.isSticky, isSticky) {
        case (true, false):
            remarks.append("no longer sticky: units whose stored variant is not the hash's move besides")
        case (false, true): remarks.append("sticky from now on: a unit keeps the first variant that it is given")
        case (true, true) where old.bucketVersion != bucketVersion:
            remarks.append("another bucketVersion: units with a stored variant are drawn anew")
        case (true, true) where minBucketVersion > max(old.minBucketVersion, 0):
            remarks.append(
                "units with a variant that was stored under a bucketVersion below \(minBucketVersion) get none")
        case (true, true) where isEnabled && isUsable:
            let gone = zip(old.variants, old.ranges)
                .filter { variant, _ in !variants.contains { $0.name.isExactly(variant.name) } }
                .reduce(0) { $0 + $1.1.upperBound - $1.1.lowerBound }
            remarks.append("sticky: a unit whose variant is still there keeps it")
            if gone > 0 { remarks.append("\(gone.amount(of: "units")) lose their variant and are drawn anew") }
        default: break
        }
        return remarks
    }
}

/// One line of a difference between two configurations.
package struct DifferenceLine: Sendable, Hashable {
    /// The depth of the line in the difference: a group, a part in it, a fact of the part.
    package let indent: Int

    /// The kind of line: "+" for an addition, "-" for a removal, "~" for a change, "=" for no change, "!" for a
    /// warning; nil for a heading or a remark.
    package let mark: String?

    /// The line's text without line breaks and secrets.
    package let text: String

    init(_ indent: Int, _ mark: String?, _ text: String) {
        (self.indent, self.mark, self.text) = (indent, mark, text.printable)
    }

    /// The line as JSON.
    package var json: JSONValue {
        ["indent": .int(indent), "mark": mark.map(JSONValue.string) ?? .null, "text": .string(text)]
    }
}
