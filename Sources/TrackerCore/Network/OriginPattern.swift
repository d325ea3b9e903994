/// One entry of a list of servers: an exact origin, such as `https://collector.example.com:8443`, or all hosts below a
/// domain, such as `*.example.com`.
package struct OriginPattern: Sendable, Hashable {
    private let origin: Origin
    private let isSuffix: Bool

    /// Reads an entry.
    /// - Parameters:
    ///   - text: `[scheme://]host[:port]`; the default scheme is `https`, the default port is the scheme's. `*.` before
    ///     the host stands for one or more names.
    ///   - place: The place for an error.
    /// - Throws: ``ConfigurationError`` if the text is neither.
    package init(_ text: String, place: String) throws(ConfigurationError) {
        let start = text.firstRange(of: "://")?.upperBound ?? text.startIndex
        isSuffix = text[start...].hasPrefix("*.")
        let exact = isSuffix ? "\(text[..<start])\(text[start...].dropFirst(2))" : text
        let url = try EndpointURL(exact, place: place)
        let rest = url.withoutTrailingSlashes.text.drop { $0 != ":" }.dropFirst(3)
        guard !rest.contains(where: { "/?#@".contains($0) }), !isSuffix || !url.origin.isAddress else {
            let expected = isSuffix ? "only a domain and a port after '*.'" : "a scheme, host and port"
            throw ConfigurationError(.unusableURL, place: place, reason: "expected \(expected), found \(text.excerpt)")
        }
        origin = url.origin
    }

    /// Whether the entry matches a server.
    package func matches(_ other: Origin) -> Bool {
        guard isSuffix else { return other == origin }
        return other.scheme == origin.scheme && other.port == origin.port && other.host.hasSuffix(".\(origin.host)")
    }
}
