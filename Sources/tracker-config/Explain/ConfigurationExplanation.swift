import DocumentTools
import TrackerCommandLine
import TrackerConfig
import TrackerCore

/// The effective settings of a document and a default document.
struct ConfigurationExplanation {
    let version: Int
    private(set) var trackers: [(namespace: String, settings: [SettingExplanation])]
    private(set) var removed: [String]
    private(set) var withoutEndpoint: [String]
    let warnings: [ConfigurationError]

    /// Explains a document.
    /// - Parameters:
    ///   - document: The document.
    ///   - defaults: The default document.
    ///   - field: The full name of the only setting to explain; nil for all.
    init(_ document: Document, _ defaults: DefaultDocument, field: String?) {
        let configuration = ResolvedConfiguration(document, defaults: defaults.configuration.bundles)
        version = document.version
        trackers = configuration.trackers.map { tracker in
            (tracker.namespace, tracker.layers.explanations.filter { field == nil || $0.field == field })
        }
        removed = configuration.removed
        withoutEndpoint = configuration.withoutEndpoint
        var warnings = document.warnings + defaults.warnings + configuration.warnings
        if let version = defaults.version, document.version <= version {
            let reason =
                "a service starts with its default of version \(version) and would not use this document "
                + "of version \(document.version); what follows holds once its version is higher"
            warnings.insert(ConfigurationError(.warning, place: "", reason: reason), at: 0)
        }
        self.warnings = warnings
    }

    /// The explanation of one namespace; nil if the namespace is unknown.
    func only(_ namespace: String) -> ConfigurationExplanation? {
        var explanation = self
        explanation.trackers = trackers.filter { $0.namespace.isExactly(namespace) }
        explanation.removed = removed.filter { $0.isExactly(namespace) }
        explanation.withoutEndpoint = withoutEndpoint.filter { $0.isExactly(namespace) }
        let isKnown = explanation.trackers.count + explanation.removed.count + explanation.withoutEndpoint.count > 0
        return isKnown ? explanation : nil
    }

    var json: JSONObject {
        [
            "version": .int(version),
            "trackers": .object(
                JSONObject(
                    trackers.map { tracker in
                        let settings = tracker.settings.map { ($0.field, $0.wholeJSON) }
                        return (tracker.namespace, .object(JSONObject(settings)))
                    })),
            "removed": .array(removed.map(JSONValue.string)),
            "withoutEndpoint": .array(withoutEndpoint.map(JSONValue.string)),
            "warnings": .array(warnings.map(\.json)),
        ]
    }

    /// A table for people; unless `isWhole`, built-in values are only counted.
    func lines(_ style: TextStyle, isWhole: Bool) -> [String] {
        var lines = warnings.map { warning in
            "\(style.paint("warning", .yellow)): \(warning.sentence)"
        }
        for tracker in trackers {
            lines.append("tracker \(Self.quoted(tracker.namespace))")
            let shown = tracker.settings.filter { isWhole || $0.source != .builtIn }
            lines += Self.table(shown)
            let hidden = tracker.settings.count - shown.count
            if hidden > 0 { lines.append("  \(hidden) built-in values are left out; --all shows them") }
        }
        lines += removed.map { "no tracker \(Self.quoted($0)): the document removes it" }
        lines += withoutEndpoint.map {
            "no tracker \(Self.quoted($0)): neither the default nor the document gives an endpoint"
        }
        if trackers.isEmpty, removed.isEmpty, withoutEndpoint.isEmpty { lines.append("no trackers") }
        return lines
    }

    private static func quoted(_ namespace: String) -> String {
        JSONValue.string(namespace).description.printable
    }

    private static func value(of setting: SettingExplanation) -> String {
        setting.isExecutableName ? "the executable's name" : setting.value?.description.printable ?? "unset"
    }

    private static func table(_ settings: [SettingExplanation]) -> [String] {
        let rows = settings.map { explanation in
            let over = explanation.overridden.map(\.description).joined(separator: ", ")
            return [
                explanation.field, value(of: explanation), explanation.layerName,
                over.isEmpty ? "" : "over \(over.printable)",
            ]
        }
        // A long value must not push all other columns aside.
        let widths = (0..<3).map { column in min(40, rows.map { $0[column].count }.max() ?? 0) }
        return rows.map { row in
            let cells = zip(row, widths).map { cell, width in
                cell + String(repeating: " ", count: max(0, width - cell.count))
            }
            let line = "  " + (cells + [row[3]]).joined(separator: "  ")
            return String(line.reversed().drop { $0 == " " }.reversed())
        }
    }
}
