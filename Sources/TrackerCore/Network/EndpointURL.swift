import TrackerCurl

/// A URL that a service can send to or fetch from.
package struct EndpointURL: Sendable, Hashable {
    /// The whole URL, with its scheme.
    package private(set) var text: String

    /// The scheme in lower case.
    package let scheme: String

    /// The server; for a file, an origin without a host.
    package let origin: Origin

    /// Checks a URL, and adds a missing scheme.
    /// - Parameters:
    ///   - text: The URL as written; `https://` is added if the scheme is missing.
    ///   - schemes: The schemes that can be used.
    ///   - place: The place for an error; none by default.
    /// - Throws: The reason as a sentence, in a ``ConfigurationError``.
    package init(
        _ text: String, schemes: Set<String> = ["http", "https"], place: String = ""
    ) throws(ConfigurationError) {
        func unusable(_ reason: String) -> ConfigurationError {
            ConfigurationError(
                .unusableURL, place: place,
                reason: "\(Self.withoutSecrets(text).excerpt) cannot be used as a URL: \(reason)")
        }
        guard !text.isEmpty else { throw unusable("it is empty") }
        guard !text.utf8.contains(where: { $0 <= 0x20 || $0 == 0x7F || $0 == UInt8(ascii: "\\") }) else {
            throw unusable("it contains a space, a control character or a backslash")
        }
        let written = Self.scheme(of: text)
        self.text = written == nil ? "https://\(text)" : text
        scheme = written ?? "https"
        guard self.text.utf8.count <= 2048 else { throw unusable("it is longer than 2,048 bytes") }
        guard schemes.contains(scheme) else {
            throw unusable("its scheme is none of \(schemes.sorted().joined(separator: ", "))")
        }
        let url = ParsedURL(self.text)
        let rest = self.text.utf8.dropFirst(scheme.utf8.count)
        if scheme == "file" {
            guard url.code == CURLUE_OK, rest.starts(with: ":/".utf8) else {
                throw unusable("its path is not absolute")
            }
            origin = Origin(scheme: scheme, host: "", port: nil)
            return
        }
        // libcurl would also accept one slash or three.
        guard rest.starts(with: "://".utf8), !rest.starts(with: ":///".utf8) else {
            throw unusable("'//' and a host must follow '\(scheme):'")
        }
        let port = url.port.map { Int($0) ?? 0 }
        guard url.code != CURLUE_BAD_PORT_NUMBER, port.map((1...65_535).contains) != false else {
            throw unusable("its port is not in 1…65535")
        }
        let host = url.host ?? ""
        guard host.utf8.allSatisfy({ $0 < 0x80 }) else {
            throw unusable("its host is not in ASCII; write it in Punycode, as 'xn--bcher-kva.example'")
        }
        // libcurl accepts more characters, some of them delimiters elsewhere, and more forms of `[fe80::1%25eth0]`.
        let zone = url.zone ?? ""
        guard !["", "."].contains(host), zone.isEmpty || self.text.contains("%25\(zone)]"),
            (host.hasPrefix("[") ? zone : host).utf8.allSatisfy(\.isUnreserved)
        else {
            throw unusable("its host is missing, or neither a name nor an address")
        }
        guard !["http", "https", "file"].contains(host.lowercased()) else {
            throw unusable("its host is '\(host)'; '://' may be written wrongly")
        }
        origin = Origin(scheme: scheme, host: host, port: port)
    }

    /// The scheme that a URL is written with, in lower case; nil if it begins with its host.
    private static func scheme(of text: String) -> String? {
        let bytes = text.utf8
        let end = bytes.firstIndex(of: UInt8(ascii: ":")) ?? bytes.endIndex
        let scheme = text[..<end].lowercased()
        // `collector:8080` is a host and its port; `c.example/a://b` has its colon in the path.
        let isKnown = ["http", "https", "file"].contains(scheme)
        let isScheme =
            bytes[end...].starts(with: (isKnown ? ":" : "://").utf8) && !scheme.utf8.contains(UInt8(ascii: "/"))
        return isScheme ? scheme : nil
    }

    /// The URL without trailing slashes, so that a path can be appended.
    package var withoutTrailingSlashes: EndpointURL {
        var url = self
        while url.text.utf8.last == UInt8(ascii: "/") { url.text.unicodeScalars.removeLast() }
        return url
    }
}

extension EndpointURL {
    /// The server of a URL for a sentence: `collector.example.com` or `127.0.0.1:8080`; nil if the text is not a URL.
    package static func server(of text: String) -> String? {
        (try? EndpointURL(text)).map { String($0.origin.description.dropFirst($0.scheme.count + "://".count)) }
    }

    /// A URL that may be shown: `***` replaces the user, the password and the values of a query.
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
