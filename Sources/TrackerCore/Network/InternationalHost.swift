import TrackerCurl
import Glibc

/// International host names, which are converted to ASCII by libcurl.
enum InternationalHost {
    /// Converts a host name (UTS 46, non-transitional): `xn--bcher-kva.example` for `Bücher.example`.
    /// - Parameter host: The name.
    /// - Returns: The name in ASCII; nil if it has no such form, or if the running libcurl is older than 7.88 or was built
    ///   without libidn2.
    static func ascii(_ host: some StringProtocol) -> String? {
        inUTF8 {
            guard let url = curl_url() else { return nil }
            defer { curl_url_cleanup(url) }
            let parts = [(CURLUPART_SCHEME, "http"), (CURLUPART_HOST, String(host)), (CURLUPART_PATH, "/")]
            guard parts.allSatisfy({ curl_url_set(url, $0.0, $0.1, 0) == CURLUE_OK }) else { return nil }
            // The whole URL, because libcurl 7.88 leaks memory if the host alone cannot be converted.
            var text: UnsafeMutablePointer<CChar>?
            guard curl_url_get(url, CURLUPART_URL, &text, CURLU_PUNYCODE) == CURLUE_OK, let text else { return nil }
            defer { curl_free(text) }
            let ascii = String(cString: text).dropFirst("http://".utf8.count).dropLast()
            return ascii.utf8.allSatisfy { $0 < 0x80 } ? String(ascii) : nil
        }
    }

    /// Runs `body` in a locale with UTF-8: libidn2 reads names in the character set of the thread's locale, which is ASCII
    /// unless the service has called `setlocale`.
    private static func inUTF8<Result>(_ body: () -> Result) -> Result {
        // Without that locale the conversion fails, unless the service's own has UTF-8.
        guard let locale = newlocale(LC_CTYPE_MASK, "C.UTF-8", nil) else { return body() }
        defer { freelocale(locale) }
        let previous = uselocale(locale)
        defer { uselocale(previous) }
        return body()
    }
}

extension String {
    /// The URL with its host name converted to ASCII; the URL as it is if the name is in ASCII or cannot be converted.
    ///
    /// `URL` and `URLComponents` of FoundationEssentials refuse a host name that is not in ASCII.
    package var withASCIIHost: String {
        guard let host = URLAuthority.host(in: self), host.utf8.contains(where: { $0 >= 0x80 }),
            let ascii = InternationalHost.ascii(host)
        else { return self }
        return "\(self[..<host.startIndex])\(ascii)\(self[host.endIndex...])"
    }
}
