/// Which collectors a document may name, and which of them are odd.
///
/// What code names, in the default or while a tracker runs, is not checked.
package final class CollectorPolicy: Sendable {
    /// The servers that documents may name; nil if every one may be named.
    private let allowed: [OriginPattern]?
    /// The servers that the default names.
    private let known: Set<Origin>
    private let source: EndpointURL
    private let warned = Locked<Set<Origin>>([])
    // Documents may name new servers for as long as the process lives.
    private static let maxWarned = 1000

    /// Creates a policy.
    /// - Parameters:
    ///   - remote: The document's URL and the allowed collectors.
    ///   - bundles: The default bundles.
    /// - Throws: ``ConfigurationError`` if an allowed collector is neither an origin nor a suffix, or the URL is unusable.
    package init(_ remote: RemoteConfiguration, default bundles: [ConfigurationBundle]) throws(ConfigurationError) {
        if let entries = remote.allowedCollectors {
            var patterns: [OriginPattern] = []
            for (index, entry) in entries.enumerated() {
                patterns.append(try OriginPattern(entry, place: "remote.allowedCollectors[\(index)]"))
            }
            allowed = patterns
        } else {
            allowed = nil
        }
        // The default was checked before.
        known = Set(bundles.compactMap(\.network?.endpoint).compactMap { try? EndpointURL(collector: $0).origin })
        source = try remote.url
    }

    /// The servers that may get what code sends to its own.
    var trusted: [OriginPattern] { allowed ?? [] }

    /// Checks that a document names only allowed collectors.
    /// - Parameters:
    ///   - document: The document.
    ///   - text: The text that it was read from.
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

    /// Warnings of collectors to which events should not be sent, of each server once; none if the collectors are
    /// checked.
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
            // A document of this machine may name this machine.
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
                // The document was read with usable collectors only.
                let origin = try? EndpointURL(collector: text).origin, origins.insert(origin).inserted
            else { return nil }
            return (index, origin)
        }
    }
}

extension Document {
    /// Where the endpoint of a bundle stands in the document's text.
    fileprivate func position(ofEndpoint index: Int, in text: [UInt8]) -> TextPosition? {
        // A text that a document was read from can be read again; without it the error has no position.
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
