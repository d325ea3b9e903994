import Foundation

/// A URL that a service can send to or fetch from.
package struct EndpointURL: Sendable, Hashable {
    /// The whole URL, with its scheme.
    package let text: String

    /// The scheme in lower case.
    package let scheme: String

    /// Checks a URL and adds what may be left out.
    /// - Parameters:
    ///   - text: The URL as written; without a scheme `https://` is put before it.
    ///   - schemes: The schemes that can be used.
    /// - Throws: The reason as a sentence, in a ``ConfigurationError`` without a place.
    package init(_ text: String, schemes: Set<String> = ["http", "https"]) throws(ConfigurationError) {
        func unusable(_ reason: String) -> ConfigurationError {
            let shown = Self.withoutSecrets(text).excerpt
            return ConfigurationError(
                .unusableURL, place: "", reason: "\(shown) cannot be used as a URL: \(reason)")
        }
        let hasScheme = text.hasSchemeSeparator || text.hasPrefix("file:")
        let full = hasScheme ? text : "https://\(text)"
        guard !text.isEmpty else { throw unusable("it is empty") }
        guard full.utf8.count <= 2048 else { throw unusable("it is longer than 2,048 bytes") }
        guard !full.unicodeScalars.contains(where: { $0.value <= 0x20 || $0.value == 0x7F }) else {
            throw unusable("it contains a space or a control character")
        }
        guard let parts = URLComponents(string: full), let scheme = parts.scheme?.lowercased() else {
            throw unusable("it is not well formed")
        }
        guard schemes.contains(scheme) else {
            throw unusable("its scheme is none of \(schemes.sorted().joined(separator: ", "))")
        }
        if scheme == "file" {
            guard parts.path.hasPrefix("/"), (parts.host ?? "").isEmpty else {
                throw unusable("its path is not absolute")
            }
        } else {
            guard let host = parts.host, !host.isEmpty else { throw unusable("it names no host") }
            // A port with too many digits is none to Foundation, and libcurl would refuse each request.
            if let range = parts.rangeOfPort, !range.isEmpty, !(1...65535 ~= parts.port ?? 0) {
                throw unusable("its port is not in 1…65535")
            }
        }
        self.text = full
        self.scheme = scheme
    }

    private init(text: String, scheme: String) {
        self.text = text
        self.scheme = scheme
    }

    /// The same without slashes at its end, so that a path can be put after it.
    package var withoutTrailingSlashes: EndpointURL {
        guard let last = text.utf8.lastIndex(where: { $0 != UInt8(ascii: "/") }) else { return self }
        return EndpointURL(text: String(text[...last]), scheme: scheme)
    }
}

extension String {
    /// Whether `://` is in it.
    fileprivate var hasSchemeSeparator: Bool {
        var rest = utf8[...]
        while let colon = rest.firstIndex(of: UInt8(ascii: ":")) {
            rest = rest[colon...].dropFirst()
            if rest.starts(with: "//".utf8) { return true }
        }
        return false
    }
}

extension EndpointURL {
    /// A URL as it may be shown: with `***` in the place of user and password and of the values of a query.
    package static func withoutSecrets(_ text: String) -> String {
        var shown = text
        let authority = shown.range(of: "://")?.upperBound ?? shown.startIndex
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
