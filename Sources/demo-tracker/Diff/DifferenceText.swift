import TrackerConfig
import TrackerCore

/// A difference for people: grouped, with + for what comes, - for what goes, ~ for what changes, = for what stays behind.
struct DifferenceText {
    private let difference: ConfigurationDifference
    private let style: TextStyle

    init(_ difference: ConfigurationDifference, _ style: TextStyle) {
        self.difference = difference
        self.style = style
    }

    var lines: [String] {
        let groups = [
            ("trackers", trackers), ("meta", members(difference.meta)),
        ]
        let lines = head + groups.flatMap { name, lines in lines.isEmpty ? [] : [name] + lines.map { "  \($0)" } }
        return lines.count > head.count ? lines : lines + ["nothing else differs"]
    }

    private var head: [String] {
        let versions = "version " + (difference.oldVersion.map { "\($0) → " } ?? "") + "\(difference.newVersion)"
        var lines: [String] = []
        if !difference.isOldInUse {
            lines.append("OLD is not in use: a service starts with its default, whose version is not lower")
        }
        switch difference.adoption {
        case .adopted: lines.append("\(versions): applied")
        case .unchanged(isOtherContent: false): lines.append("\(versions): not applied, the version is in use already")
        case .unchanged(isOtherContent: true):
            lines.append("\(versions): not applied, the content changed without the version; with a higher one:")
        case .stale: lines.append("\(versions): not applied, the version is lower than one in use; with a higher one:")
        }
        return lines
    }

    private var trackers: [String] {
        var lines = difference.added.map { tracker in
            let endpoint = tracker.layers.explanations.first { $0.field == "network.endpoint" }?.explanation.winner
            return "\(plus) \(name(tracker.namespace)) at \(endpoint.map { show($0) } ?? "unset")"
        }
        lines += difference.removed.map { "\(minus) \(name($0))" }
        lines += difference.kept.map {
            "= \(name($0)) is no longer named: its tracker stays as it was until its process ends"
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
