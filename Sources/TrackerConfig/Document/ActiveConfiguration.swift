/// A configuration that is in use, or could be again.
///
/// A class, because it is large to hand on, and the states and results of an update all carry one.
package final class ActiveConfiguration: Sendable {
    package let state: ConfigurationState
    package let version: Int?
    /// The document; nil for the default.
    package let document: Document?
    /// The document's bytes, as they were fetched.
    package let text: [UInt8]
    /// The validators that show the source whether the document has changed; a default has none, and is never the
    /// reason for a conditional request.
    package let validators: DocumentValidators?
    /// When it was applied first on this machine, in milliseconds since 1970; of a cached document when it was fetched.
    package let time: Int64

    /// What it carries for the service.
    package let meta: JSONObject
    package let warnings: [ConfigurationError]

    /// The default.
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

    /// The same configuration, known to the source by others.
    func with(_ validators: DocumentValidators?) -> ActiveConfiguration {
        ActiveConfiguration(self, state: state, validators: validators)
    }

    /// The same configuration, in use again after a rollback.
    func reverted() -> ActiveConfiguration {
        ActiveConfiguration(self, state: .reverted, validators: validators)
    }

    /// How it was applied, as a sentence.
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
