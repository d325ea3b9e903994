import DocumentTools
import TrackerCommandLine
import TrackerConfig
import TrackerCore

/// A difference for people: grouped, with + for what comes, - for what goes, ~ for what changes, = for what stays behind.
struct DifferenceText {
    private let difference: ConfigurationDifference
    private let style: TextStyle
    private let now: Instant

    init(
        _ difference: ConfigurationDifference, _ style: TextStyle,
        now: Instant = Instant(milliseconds: SystemTime().wallTime)
    ) {
        (self.difference, self.style, self.now) = (difference, style, now)
    }

    var lines: [String] {
        let groups = [
            ("trackers", trackers), ("meta", members(difference.meta)), ("segments", segments), ("features", features),
            ("experiments", experiments), ("rollout", members(difference.rollout)),
        ]
        let lines = head + groups.flatMap { name, lines in lines.isEmpty ? [] : [name] + lines.map { "  \($0)" } }
        return lines.count > head.count ? lines : lines + ["nothing else differs"]
    }

    private var head: [String] {
        let versions = "version " + (difference.oldVersion.map { "\($0) → " } ?? "") + "\(difference.newVersion)"
        var lines: [String] = []
        if !difference.isOldInUse {
            lines.append("OLD is not in use: a service starts with its default, whose version is as high or higher")
        }
        switch difference.decision {
        case .apply where difference.percent < 100:
            let percent = JSONValue(shortest: difference.percent)
            lines.append("\(versions): applied by \(percent) % of the fleet (the canary)")
        case .apply: lines.append("\(versions): applied")
        case .held(let reason): lines.append("\(versions): held back, \(reason)")
        case .unchanged(isOtherContent: false):
            lines.append("not applied: version \(difference.newVersion) is in use already")
        case .unchanged(isOtherContent: true):
            let number = difference.newVersion
            lines.append(
                "not applied: the content changed but configurationVersion is still \(number). With a higher version:")
        case .stale:
            let used = difference.oldVersion.map { "version \($0)" } ?? "a higher version"
            lines.append(
                "not applied: \(used) is in use, and \(difference.newVersion) is lower. With a higher version:")
        }
        if difference.isVersionJump {
            lines.append(
                "warning: configurationVersion grows by more than 1,000,000; each later document needs a higher one")
        }
        return lines
    }

    private var trackers: [String] {
        var lines = difference.added.map { tracker in
            let endpoint = tracker.layers.explanations.first { $0.field == "network.endpoint" }
            return "\(plus) \(name(tracker.namespace)) at \(endpoint.map { show($0) } ?? "unset")"
        }
        lines += difference.removed.map { "\(minus) \(name($0))" }
        lines += difference.kept.map {
            "= \(name($0)) is no longer in the document: its tracker accepts events for one more minute, and closes when "
                + "they are sent"
        }
        for tracker in difference.changed {
            lines.append("\(tilde) \(name(tracker.namespace))")
            lines += tracker.settings.map { setting in
                let isSecret = setting.isEffective && setting.old.value == setting.new.value
                return
                    "    \(setting.field): \(show(setting.old)) → \(show(setting.new))\(isSecret ? ", a secret differs" : "")"
            }
        }
        if !difference.untouched.isEmpty { lines.append("\(difference.untouched.count) untouched") }
        return lines
    }

    private var features: [String] {
        var lines = names(difference.features) + difference.returned.map(returned)
        for feature in difference.features.changed {
            lines.append("\(tilde) \(name(feature.name))")
            if feature.wasEnabled != feature.isEnabled {
                lines.append("    enabled: \(show(feature.wasEnabled)) → \(show(feature.isEnabled))")
            }
            if feature.wasDisabled != feature.isDisabled {
                lines.append("    disabled: \(feature.wasDisabled) → \(feature.isDisabled)")
            }
            lines += members(feature.metadata).map { "    metadata \($0)" }
            lines += feature.added.map { "    \(plus) \($0.name.printable): \(show(feature.shown($0)))" }
            lines += feature.removed.map { "    \(minus) \($0.name.printable): \(show(feature.shown($0)))" }
            lines += feature.changed.map { "    \(tilde) \($0.new.name.printable): \(change($0, of: feature))" }
            lines += rules(feature.rules).map { "    \($0)" }
            if let sentence = feature.movesSentence { lines.append("    \(sentence.printable)") }
        }
        return lines
    }

    /// What is left of a feature that the document no longer has.
    private func returned(_ feature: FeatureDefinition) -> String {
        var facts = ["enabled \(show(feature.isEnabled))"]
        let variables = feature.variables.count
        if variables > 0 { facts.append(counted(variables, "variable")) }
        if !feature.rules.isEmpty { facts.append("rules \(feature.rules.map { name($0.id) }.joined(separator: ", "))") }
        return "= \(name(feature.name)) returns to the default: \(facts.joined(separator: ", "))"
    }

    private var segments: [String] {
        names(difference.segments)
            + difference.segments.changed.map { segment in
                "\(tilde) \(name(segment.name)): \(segment.added) added, \(segment.removed) removed, now "
                    + "\(segment.count) members"
            }
    }

    private func rules(_ rules: RuleDifference) -> [String] {
        var lines = rules.added.flatMap { rule in
            ["\(plus) rule \(name(rule.id)): \(show(JSONValue.object(rule.json)))"]
                + remark(rule.schedule, "rule").map { "    \($0)" }
        }
        lines += rules.removed.map { "\(minus) rule \(name($0.id)): \(show(JSONValue.object($0.json)))" }
        for rule in rules.changed {
            lines.append("\(tilde) rule \(name(rule.id))")
            lines += (members(rule.members) + remark(rule.schedule, "rule")).map { "    \($0)" }
            if rule.hasOtherSegments { lines.append("    a segment of its condition has other members") }
        }
        if !rules.moved.isEmpty {
            lines.append("\(tilde) order of the rules: \(rules.order.map(name).joined(separator: ", "))")
        }
        return lines
    }

    private func change(_ change: FeatureDifference.Change, of feature: FeatureDifference) -> String {
        let (old, new) = (change.old, change.new)
        let (before, after) = (feature.shown(old), feature.shown(new))
        var words: [String] = []
        if before != after { words.append("\(show(before)) → \(show(after))") }
        if before == after, old.value != new.value { words.append("the secret differs") }
        if old.isEncrypted != new.isEncrypted {
            words.append(new.isEncrypted ? "now encrypted" : "no longer encrypted")
        }
        if old.title != new.title || old.description != new.description || old.group != new.group {
            words.append("title, description or group changed")
        }
        if old.generatedName != new.generatedName { words.append("generatedName changed") }
        return words.joined(separator: ", ")
    }

    private var experiments: [String] {
        var lines = names(difference.experiments)
        for experiment in difference.experiments.changed {
            lines.append("\(tilde) \(name(experiment.id))")
            lines +=
                (members(experiment.members) + sentences(experiment.moves) + redrawn(experiment) + remarks(experiment))
                .map {
                    "    \($0)"
                }
        }
        return lines
    }

    private func redrawn(_ experiment: ExperimentDifference) -> [String] {
        if experiment.redrawn.isEmpty { return [] }
        let moves = experiment.redrawn.map { move in
            "\(move.from.printable) → \(move.to?.printable ?? "none") \(move.share.percent) %"
        }
        return [
            "units of removed variants are drawn anew: \(moves.joined(separator: ", ")) of the units; bucketVersion draws "
                + "all units anew"
        ]
    }

    private func remarks(_ experiment: ExperimentDifference) -> [String] {
        var remarks: [String] = []
        switch experiment.disabling {
        case .disabled: remarks.append("disabled: no unit gets a variant; stored assignments stay")
        case .unusable: remarks.append("unusable: no unit gets a variant")
        case nil: break
        }
        if experiment.isTargetingOther {
            remarks.append("condition, prerequisites, filters or schedule differ: units come or go besides")
        }
        remarks += remark(experiment.schedule, "experiment")
        if experiment.isDrawnAnew {
            remarks.append("another bucketVersion: units with a stored variant are drawn anew")
        }
        return remarks
    }

    private func sentences(_ moves: UnitMoves) -> [String] {
        let percent = JSONValue(shortest: (moves.share * 10_000).rounded() / 100)
        let way =
            switch moves.method {
            case .exact: "counted over all buckets"
            case .independent: "unit, seed or hash differ, so that units may be in other shares"
            }
        let stickiness: [String] =
            switch moves.stickiness {
            // That it is disabled or unusable is said already.
            case .none, .unused: []
            case .kept: ["sticky: a unit whose variant is still there keeps it"]
            case .ended: ["no longer sticky: units whose stored variant is not the hash's move besides"]
            case .begun: ["sticky from now on: no variant is stored yet; a unit keeps the first that it is given"]
            }
        return ["\(percent) % of the units get another variant (\(way))"]
            + (moves.isAudienceOther ? ["the filters differ: units come or go besides"] : [])
            + stickiness
    }

    private func names<Change>(_ difference: NamedDifference<Change>) -> [String] {
        difference.added.map { "\(plus) \(name($0))" } + difference.removed.map { "\(minus) \(name($0))" }
    }

    private func remark(_ schedule: Schedule?, _ part: String) -> [String] {
        guard let schedule, let state = schedule.state(at: now) else { return [] }
        return ["the \(part) is \(state), \(schedule.words)"]
    }

    private func show(_ flag: Bool?) -> String {
        flag.map { "\($0)" } ?? "unset"
    }

    private func members(_ difference: MemberDifference) -> [String] {
        difference.added.members.map { "\(plus) \($0.name.printable): \(show($0.value))" }
            + difference.removed.members.map { "\(minus) \($0.name.printable): \(show($0.value))" }
            + difference.changed.map { "\(tilde) \($0.name.printable): \(show($0.old)) → \(show($0.new))" }
    }

    private func name(_ namespace: String) -> String {
        show(JSONValue.string(namespace))
    }

    private func show(_ value: any CustomStringConvertible) -> String {
        value.description.printable
    }

    private var plus: String { style.paint("+", .green) }
    private var minus: String { style.paint("-", .red) }
    private var tilde: String { style.paint("~", .yellow) }
}
