import FoundationEssentials

/// A URL that a service can send to or fetch from.
package struct EndpointURL: Sendable, Hashable {
    /// The whole URL, with its scheme.
    package let text: String

    /// The scheme in lower case.
    package let scheme: String

    /// The server; of a file an origin without a host.
    package let origin: Origin

    /// Checks a URL, adds what may be left out and converts an international host name to ASCII.
    /// - Parameters:
    ///   - text: The URL as written; without a scheme `https://` is put before it.
    ///   - schemes: The schemes that can be used.
    /// - Throws: The reason as a sentence, in a ``ConfigurationError`` without a place.
    package init(_ text: String, schemes: Set<String> = ["http", "https"]) throws(ConfigurationError) {
        do throws(UnusableURL) {
            try self.init(parsing: text, schemes: schemes)
        } catch {
            throw ConfigurationError(
                .unusableURL, place: "",
                reason: "\(Self.withoutSecrets(text).excerpt) cannot be used as a URL: \(error.reason)")
        }
    }

    private init(parsing text: String, schemes: Set<String>) throws(UnusableURL) {
        guard !text.isEmpty else { throw UnusableURL("it is empty") }
        guard !text.utf8.contains(where: { $0 <= 0x20 || $0 == 0x7F || $0 == UInt8(ascii: "\\") }) else {
            throw UnusableURL("it contains a space, a control character or a backslash")
        }
        let written = try Self.scheme(of: text)
        let full = written == nil ? "https://\(text)" : text
        guard full.utf8.count <= 2048 else { throw UnusableURL("it is longer than 2,048 bytes") }
        scheme = written?.lowercased() ?? "https"
        guard schemes.contains(scheme) else {
            throw UnusableURL("its scheme is none of \(schemes.sorted().joined(separator: ", "))")
        }
        if scheme == "file" {
            guard let parts = URLComponents(string: full), parts.path.hasPrefix("/"), (parts.host ?? "").isEmpty else {
                throw UnusableURL("its path is not absolute")
            }
            (self.text, origin) = (full, Origin(scheme: scheme, host: "", port: nil))
            return
        }
        let authority = try URLAuthority(of: full)
        // Almost all URLs need no parser, and a document may have thousands.
        guard authority.url.utf8.allSatisfy(Self.isPlain) || URLComponents(string: authority.url) != nil else {
            throw UnusableURL("it is not well formed")
        }
        self.text = authority.url
        origin = Origin(scheme: scheme, host: authority.host, port: authority.port)
    }

    private static func isPlain(_ byte: UInt8) -> Bool {
        byte.isUnreserved || byte == UInt8(ascii: "/") || byte == UInt8(ascii: ":")
    }

    /// The scheme that a URL is written with; nil if it begins with its host.
    private static func scheme(of text: String) throws(UnusableURL) -> Substring? {
        let bytes = text.utf8
        guard let colon = bytes.firstIndex(of: UInt8(ascii: ":")) else { return nil }
        let scheme = text[..<colon]
        let isSeparated = bytes[colon...].starts(with: "://".utf8)
        switch scheme.lowercased() {
        case "http", "https":
            if !isSeparated { throw UnusableURL("'//' is missing after '\(scheme):'") }
            return scheme
        case "file": return scheme
        // `collector:8080` is a host and its port; `c.example/a://b` has its colon in the path.
        default: return isSeparated && !scheme.utf8.contains(UInt8(ascii: "/")) ? scheme : nil
        }
    }

    private init(text: String, scheme: String, origin: Origin) {
        (self.text, self.scheme, self.origin) = (text, scheme, origin)
    }

    /// The same without slashes at its end, so that a path can be put after it.
    package var withoutTrailingSlashes: EndpointURL {
        guard text.utf8.last == UInt8(ascii: "/"), let last = text.utf8.lastIndex(where: { $0 != UInt8(ascii: "/") })
        else { return self }
        return EndpointURL(text: String(text[...last]), scheme: scheme, origin: origin)
    }
}

extension EndpointURL {
    /// A URL as it may be shown: with `***` in the place of user and password and of the values of a query.
    package static func withoutSecrets(_ text: String) -> String {
        var shown = text
        let authority = shown.firstRange(of: "://")?.upperBound ?? shown.startIndex
        let authorityEnd = shown[authority...].firstIndex { "/?#".contains($0) } ?? shown.endIndex
        if let at = shown[authority..<authorityEnd].lastIndex(of: "@") {
            shown.replaceSubrange(authority..<at, with: "***")
        }
        guard let query = shown.firstIndex(of: "?") else { return shown }
        let items = shown[shown.index(after: query)...].split(separator: "&", omittingEmptySubsequences: false)
        let hidden = items.map { item in item.firstIndex(of: "=").map { "\(item[...$0])***" } ?? "***" }
        return shown[...query] + hidden.joined(separator: "&")
    }
}

/// Why a text cannot be used as a URL, as a sentence.
struct UnusableURL: Error {
    let reason: String

    init(_ reason: String) {
        self.reason = reason
    }
}
