/// A configuration that is in use, or could be again.
package struct ActiveConfiguration: Sendable {
    package var state: ConfigurationState
    package let version: Int?
    /// The document; nil for the default.
    package let document: Document?
    /// The document's bytes, as they were fetched.
    let text: [UInt8]
    /// By what the source knows whether it has changed; a default has none, and is never the reason for a conditional
    /// request.
    var validators: DocumentValidators?
    /// Where the document came from; nil for the default.
    let url: String?
    /// When it was applied first on this machine, in milliseconds since 1970; of a cached document when it was fetched.
    package let time: Int64

    /// What it carries for the service.
    package let meta: JSONObject

    /// The default.
    init(_ default: DefaultConfiguration, version: Int?, at time: Int64) {
        (state, self.version, document, text, validators, url) = (.default, version, nil, [], nil, nil)
        (meta, self.time) = (`default`.meta, time)
    }

    init(
        _ state: ConfigurationState, _ document: Document, _ text: [UInt8], _ validators: DocumentValidators,
        url: String,
        at time: Int64
    ) {
        (self.state, version, self.document, self.text) = (state, document.version, document, text)
        (self.validators, self.url, meta, self.time) = (validators, url, document.meta, time)
    }

    /// What a document that is fetched from a URL is compared with; nil for another URL's document, whose versions have
    /// nothing to do with it.
    func versions(for url: String) -> VersionDecision.Active? {
        guard self.url == nil || self.url == url else { return nil }
        return VersionDecision.Active(version: documentVersion, digest: document?.digest)
    }

    /// The version with its epoch; a default's is 0.
    var documentVersion: DocumentVersion? { document?.documentVersion ?? version.map { DocumentVersion($0) } }

    /// Whether it is the same document from the same place.
    func isSame(as other: ActiveConfiguration?) -> Bool {
        url != nil && url == other?.url && text == other?.text
    }
}
