package import FoundationEssentials

/// The value of a setting, its source and the values that it overrides.
///
/// ```swift
/// let explanation = tracker.subject.explain(\.userID)
/// print(explanation)      // "u-1" (runtime), over "anonymous" (remote, version 4)
/// ```
///
/// Secrets are left out: request headers have only their names, and URLs have neither user nor password.
package struct SettingExplanation: Sendable, Hashable, Encodable {
    /// The setting, as `section.field` with the names of documents, such as `subject.userId`.
    package let field: String

    /// The value, as a document writes it; nil if the layer leaves the setting unset.
    package let value: JSONValue?

    /// The layer of the value.
    package let source: ConfigurationLayer

    /// The version of the remote document if ``source`` is ``ConfigurationLayer/remote``.
    package let version: Int?

    /// The time when the value was set, or the document or default was applied; nil for built-in values.
    package let time: Date?

    /// The values that are overridden, the next in precedence first; none of them has ``overridden`` values itself.
    package let overridden: [SettingExplanation]

    private init(
        field: String, value: JSONValue?, source: ConfigurationLayer, version: Int? = nil, time: Date? = nil,
        overridden: [SettingExplanation] = []
    ) {
        (self.field, self.value, self.source) = (field, value, source)
        (self.version, self.time, self.overridden) = (version, time, overridden)
    }

    /// The explanation without the overridden values.
    package var alone: SettingExplanation {
        SettingExplanation(field: field, value: value, source: source, version: version, time: time)
    }

    package init(
        field: String, _ candidates: [(layer: ConfigurationLayer, value: JSONValue?, time: Int64?)], origin: LayerOrigin
    ) {
        let all = candidates.map { layer, value, time in
            let layerTime: Int64? =
                switch layer {
                case .runtime: time
                case .remote: origin.remoteTime
                case .default: origin.defaultTime
                case .builtIn: nil
                }
            return SettingExplanation(
                field: field, value: value, source: layer, version: layer == .remote ? origin.version : nil,
                time: layerTime.map(Date.init(milliseconds:)))
        }
        let first = all.first ?? SettingExplanation(field: field, value: nil, source: .builtIn)
        self.init(
            field: field, value: first.value, source: first.source, version: first.version, time: first.time,
            overridden: Array(all.dropFirst()))
    }
}

extension SettingExplanation: CustomStringConvertible {
    /// The value, its layer and the overridden values, on one line: `"u-1" (remote, version 4), over unset (built in)`.
    package var description: String {
        let origin = source == .builtIn ? "built in" : source.rawValue
        let own = "\(value?.description ?? "unset") (\(origin)\(version.map { ", version \($0)" } ?? ""))"
        return overridden.isEmpty
            ? own : own + ", over " + overridden.map(\.description).joined(separator: ", ")
    }
}
