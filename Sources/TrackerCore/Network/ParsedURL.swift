import TrackerCurl

/// A URL as libcurl reads it, so that checks and requests agree on the host.
struct ParsedURL: ~Copyable {
    private let url = curl_url()
    /// `CURLUE_OK`, or the reason why the text is not a URL.
    let code: Int32

    /// Reads a URL with its scheme, which libcurl need not support.
    init(_ text: String) {
        code = curl_url_set(url, CURLUPART_URL, text, CURLU_NON_SUPPORT_SCHEME)
    }

    deinit { curl_url_cleanup(url) }

    /// The host, percent-decoded, an IPv6 address in brackets and without its zone.
    var host: String? { part(CURLUPART_HOST) }

    /// The zone of an IPv6 address; nil if it has none.
    var zone: String? { part(CURLUPART_ZONEID) }

    /// The port; nil if the URL has none.
    var port: String? { part(CURLUPART_PORT) }

    private func part(_ part: Int32) -> String? {
        var text: UnsafeMutablePointer<CChar>?
        guard curl_url_get(url, part, &text, 0) == CURLUE_OK, let text else { return nil }
        defer { curl_free(text) }
        return String(cString: text)
    }
}
