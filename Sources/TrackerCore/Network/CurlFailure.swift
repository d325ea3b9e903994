import TrackerCurl
import TrackerPlatform

/// The reason why libcurl could not complete a request.
///
/// All of libcurl's sentences pass through here, because some repeat parts of URLs and of proxy settings.
struct CurlFailure {
    /// The cause as a sentence, and the remedy if one is known; without secrets.
    let reason: String

    private static let proxyVariables = ["http_proxy", "https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY"]
    /// The parts of TLS libraries' sentences about bytes that are not TLS.
    private static let signsOfPlainText = ["wrong version number", "packet length too long", "unexpected TLS packet"]
    /// A shorter text is too common in sentences to search for, and not a secret.
    private static let shortestSecret = 4

    /// Creates the sentence.
    /// - Parameters:
    ///   - code: libcurl's code.
    ///   - text: libcurl's own sentence; empty if it has none.
    ///   - request: The request.
    init(_ code: Int32, text: UnsafePointer<CChar>, of request: HTTPTransportRequest) {
        let own = String(cString: text)
        // The standard sentence of the code repeats nothing of the request.
        let isUsable = !own.isEmpty && !Self.mayShowSecrets(own, of: request)
        let sentence = isUsable ? own : String(cString: curl_easy_strerror(code))
        switch (code, request.certificateFile) {
        case (CURLE_SSL_CACERT_BADFILE, let file?):
            let fault = CertificateFile.fault(of: file) ?? "no certificate in PEM form was found in \(file)"
            reason = "the certificate file cannot be used: \(fault)"
        case (CURLE_SSL_CACERT_BADFILE, nil):
            reason =
                "\(sentence); the system has no usable CA certificates: install them (package 'ca-certificates') or set "
                + "certificateFile"
        case (CURLE_PEER_FAILED_VERIFICATION, let file?): reason = "\(sentence) (trusted: \(file))"
        case (CURLE_PEER_FAILED_VERIFICATION, nil): reason = "\(sentence) (trusted: the system's CA certificates)"
        case (CURLE_SSL_CONNECT_ERROR, _) where Self.signsOfPlainText.contains(where: own.contains):
            reason = "the server's port does not speak TLS: check the scheme and the port (\(sentence))"
        default: reason = sentence
        }
    }

    /// Whether a sentence may contain a secret: a header value, the URL's query, or a word of the users and passwords
    /// of the URL and of the proxy settings. Single words, because a mistake in a setting makes libcurl take a part of
    /// a password for a host.
    private static func mayShowSecrets(_ sentence: String, of request: HTTPTransportRequest) -> Bool {
        let authority = afterScheme(request.url).prefix { !"/?#".contains($0) }
        let proxies = proxyVariables.compactMap { getenv($0).map { afterScheme(String(cString: $0)) } }
        let logins = ([authority] + proxies).compactMap { text in text.lastIndex(of: "@").map { text[..<$0] } }
        let secretWords = Set((logins.map(String.init) + logins.compactMap(\.percentDecoded)).flatMap(words))
        let shownWords = words(of: sentence)
        let query = request.url.split(separator: "?", maxSplits: 1).dropFirst().map(String.init)
        return !secretWords.isDisjoint(with: shownWords)
            // libcurl cuts its sentences, which may leave the beginning of a word.
            || secretWords.contains { $0.hasPrefix(shownWords.last ?? " ") }
            || (query + request.headers.map(\.value)).contains {
                $0.utf8.count >= shortestSecret && sentence.contains($0)
            }
    }

    private static func afterScheme(_ url: String) -> Substring {
        url[(url.firstRange(of: "://")?.upperBound ?? url.startIndex)...]
    }

    private static func words(of text: String) -> [String] {
        text.split { !$0.isLetter && !$0.isNumber }.map { $0.lowercased() }
    }
}
