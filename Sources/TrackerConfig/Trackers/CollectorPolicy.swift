package import TrackerCore

/// The policy for the collectors that a document may name, with warnings about suspicious ones.
///
/// Collectors that code names, in the default or at run time, are not checked.
package final class CollectorPolicy: Sendable {
    /// The servers that documents may name; nil for all.
    private let allowed: [OriginPattern]?
    /// The servers that the default names.
    private let known: Set<Origin>
    private let source: EndpointURL
    private let warned = Locked<Set<Origin>>([])
    // Documents may name new servers throughout the life of the process.
    private static let maxWarned = 1000

    /// Creates a policy.
    /// - Parameters:
    ///   - remote: The document's URL and the allowed collectors.
    ///   - bundles: The default bundles.
    /// - Throws: ``ConfigurationError`` if an allowed collector is neither an origin nor a suffix, or the URL is
    ///   unusable.
    package init(_ remote: RemoteConfiguration, default bundles: [ConfigurationBundle]) throws(ConfigurationError) {
        allowed = try remote.allowedCollectors.map { (entries) throws(ConfigurationError) in
            try entries.enumerated().map { (entry) throws(ConfigurationError) in
                try OriginPattern(entry.element, place: "remote.allowedCollectors[\(entry.offset)]")
            }
        }
        // The default was already checked.
        known = Set(bundles.compactMap(\.network?.endpoint).compactMap { try? EndpointURL(collector: $0).origin })
        source = try remote.url
    }

    /// The servers to which the request headers set in code may be sent.
    var trusted: [OriginPattern] { allowed ?? [] }

    /// Checks that a document names only allowed collectors.
    /// - Parameters:
    ///   - document: The document.
    ///   - text: The text of the document.
    /// - Throws: ``ConfigurationError`` with the place of the first collector that is not allowed.
    func check(_ document: Document, _ text: [UInt8]) throws(ConfigurationError) {
        guard let allowed else { return }
        let refused = Self.collectors(of: document).first { collector in
            !known.contains(collector.origin) && !allowed.contains { $0.matches(collector.origin) }
        }
        guard let refused else { return }
        var error = ConfigurationError(
            .forbiddenCollector, place: Self.place(refused.index),
            reason: "\(refused.origin) is not among the allowed collectors",
            position: document.position(ofEndpoint: refused.index, in: text))
        error.version = document.version
        throw error
    }

    /// The warnings about collectors that should not receive events, once for each server; empty if ``allowed`` is set.
    func warnings(of document: Document?) -> [ConfigurationError] {
        guard allowed == nil, let document else { return [] }
        return Self.collectors(of: document).compactMap { collector in
            guard let reason = oddity(of: collector.origin),
                warned.withLock({ $0.count < Self.maxWarned && $0.insert(collector.origin).inserted })
            else { return nil }
            return ConfigurationError(.warning, place: Self.place(collector.index), reason: reason)
        }
    }

    private func oddity(of origin: Origin) -> String? {
        guard !known.contains(origin) else { return nil }
        if origin.isLoopback {
            // A document from this machine may name this machine.
            let isLocal = source.scheme == "file" || source.origin.isLoopback
            return isLocal ? nil : "\(origin) is this machine itself; allowedCollectors can exclude it"
        }
        guard source.scheme == "https", origin.scheme == "http" else { return nil }
        return "\(origin) gets events unencrypted, although the document came by https"
    }

    private static func place(_ index: Int) -> String {
        "configurationBundle[\(index)].networkConfiguration.endpoint"
    }

    /// The collectors of a document, each server once, with the first bundle that names it.
    private static func collectors(of document: Document) -> [(index: Int, origin: Origin)] {
        var texts: Set<String> = []
        var origins: Set<Origin> = []
        return document.bundles.enumerated().compactMap { index, bundle in
            guard let text = bundle.network?.endpoint, texts.insert(text).inserted,
                // The collectors of a document are valid.
                let origin = try? EndpointURL(collector: text).origin, origins.insert(origin).inserted
            else { return nil }
            return (index, origin)
        }
    }
}

extension Document {
    /// The position of a bundle's endpoint in the document's text.
    fileprivate func position(ofEndpoint index: Int, in text: [UInt8]) -> TextPosition? {
        // The text was already read successfully; otherwise the error has no position.
        guard let root = try? JSONReader.read(text), let list = root.member("configurationBundle"),
            case .array(let bundles) = list.content, bundles.indices.contains(index),
            let endpoint = bundles[index].member("networkConfiguration")?.member("endpoint")
        else { return nil }
        return TextPosition(of: endpoint.offset, in: text)
    }
}

extension JSONNode {
    fileprivate func member(_ name: String) -> JSONNode? {
        guard case .object(let members) = content else { return nil }
        return members.first { $0.name == name }?.value
    }
}
