package import TrackerFeatures

/// A configuration that is in use or may be restored by a rollback.
///
/// A class, because it is large and shared by the states and results of an update.
package final class ActiveConfiguration: Sendable {
    package let state: ConfigurationState
    package let version: Int?
    /// The document; nil for the default.
    package let document: Document?
    /// The bytes of the fetched document.
    package let text: [UInt8]
    /// The validators of a conditional request; nil for a default, which never leads to a conditional request.
    package let validators: DocumentValidators?
    /// The time when it was first applied on this machine, in milliseconds since 1970; for a cached document, the time
    /// of its fetch.
    package let time: Int64

    /// The document's data for the service.
    package let meta: JSONObject
    package let warnings: [ConfigurationError]

    /// Creates the configuration of a default.
    init(_ default: DefaultConfiguration, version: Int?, at time: Int64) {
        (state, self.version, document, text, validators) = (.default, version, nil, [], nil)
        (meta, warnings, self.time) = (`default`.meta, `default`.warnings, time)
    }

    init(
        _ state: ConfigurationState, _ document: Document, _ text: [UInt8], _ validators: DocumentValidators,
        at time: Int64
    ) {
        (self.state, version, self.document, self.text) = (state, document.version, document, text)
        (self.validators, meta, warnings, self.time) = (validators, document.meta, document.warnings, time)
    }

    private init(_ other: ActiveConfiguration, state: ConfigurationState, validators: DocumentValidators?) {
        (self.state, self.validators) = (state, validators)
        (version, document, text) = (other.version, other.document, other.text)
        (meta, warnings, time) = (other.meta, other.warnings, other.time)
    }

    /// Returns the same configuration with other validators.
    func with(_ validators: DocumentValidators?) -> ActiveConfiguration {
        ActiveConfiguration(self, state: state, validators: validators)
    }

    /// Returns the same configuration with the state after a rollback.
    func reverted() -> ActiveConfiguration {
        ActiveConfiguration(self, state: .reverted, validators: validators)
    }

    /// The state as a sentence.
    var sentence: String {
        let version = version.map { "version \($0)" }
        return switch state {
        case .default: "the default\(version.map { " (\($0))" } ?? "") was applied"
        case .cached: "\(version ?? "the document") was applied from the cache"
        case .fetched: "\(version ?? "the document") was applied"
        case .reverted: "\(version ?? "the default") is in use again"
        }
    }
}

/// The source of a configuration.
@nonexhaustive
public enum ConfigurationState: String, Sendable, Hashable, Encodable {
    /// The default of the service's code.
    case `default`
    /// The cached document of an earlier fetch.
    case cached
    /// The document of a fetch of this process.
    case fetched
    /// The configuration before a document that this process reverted.
    case reverted
}
