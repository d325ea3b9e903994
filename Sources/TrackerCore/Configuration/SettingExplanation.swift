public import FoundationEssentials

/// The value of a setting, its source and the values that it overrides.
///
/// ```swift
/// let explanation = tracker.subject.explain(\.userID)
/// print(explanation)      // "u-1" (runtime), over "anonymous" (remote, version 4)
/// ```
///
/// Secrets are left out: request headers have only their names, and URLs have neither user nor password.
public struct SettingExplanation: Sendable, Hashable, Codable {
    /// The value of one layer.
    public struct Candidate: Sendable, Hashable, Codable {
        /// The value, as a document writes it; nil if the layer leaves the setting unset.
        public let value: JSONValue?

        /// The layer.
        public let source: ConfigurationLayer

        /// The version of the remote document if ``source`` is ``ConfigurationLayer/remote``.
        public let version: Int?

        /// The time when the value was set, or the document or default was applied; nil for built-in values.
        public let time: Date?

        package init(value: JSONValue?, source: ConfigurationLayer, version: Int? = nil, time: Date? = nil) {
            self.value = value
            self.source = source
            self.version = version
            self.time = time
        }
    }

    /// The setting, as `section.field` with the names of documents, such as `subject.userId`.
    public let field: String

    /// The value in effect.
    public let effective: Candidate

    /// The values that are overridden, the next in precedence first.
    public let overridden: [Candidate]

    /// The value, as a document writes it; nil if nothing is set.
    public var value: JSONValue? { effective.value }

    /// The layer that gives the value.
    public var source: ConfigurationLayer { effective.source }

    /// The version of the remote document if ``source`` is ``ConfigurationLayer/remote``.
    public var version: Int? { effective.version }

    /// The time when the value was set or applied; nil for built-in values.
    public var time: Date? { effective.time }

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
            return Candidate(
                value: value, source: layer, version: layer == .remote ? origin.version : nil,
                time: layerTime.map(Date.init(milliseconds:)))
        }
        self.field = field
        effective = all.first ?? Candidate(value: nil, source: .builtIn)
        overridden = Array(all.dropFirst())
    }
}

extension SettingExplanation: CustomStringConvertible {
    /// The value, its layer and the values that it overrides, on one line.
    public var description: String {
        let others = overridden.isEmpty ? "" : ", over " + overridden.map(\.description).joined(separator: ", ")
        return effective.description + others
    }
}

extension SettingExplanation.Candidate: CustomStringConvertible {
    /// The value and its layer: `"u-1" (remote, version 4)`.
    public var description: String {
        let origin = source == .builtIn ? "built in" : source.rawValue
        return "\(value?.description ?? "unset") (\(origin)\(version.map { ", version \($0)" } ?? ""))"
    }
}
