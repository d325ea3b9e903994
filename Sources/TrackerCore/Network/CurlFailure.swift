import Glibc
import TrackerCurl

/// The sentence on why libcurl could not finish a request.
///
/// All of libcurl's sentences pass through here, because some repeat parts of URLs and of proxy settings.
struct CurlFailure {
    /// The cause, and what to do about it if that is known; without secrets.
    let reason: String

    private static let proxyVariables = ["http_proxy", "https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY"]
    /// The parts of TLS libraries' sentences about bytes that are not TLS.
    private static let signsOfPlainText = ["wrong version number", "packet length too long", "unexpected TLS packet"]
    /// A shorter text is too common in sentences to be replaced, and no secret.
    private static let shortestSecret = 4

    /// Creates the sentence.
    /// - Parameters:
    ///   - code: libcurl's code.
    ///   - text: libcurl's own sentence; empty if it has none.
    ///   - request: The request.
    init(_ code: Int32, text: UnsafePointer<CChar>, of request: HTTPTransportRequest) {
        let own = String(cString: text)
        let sentence = Self.withoutSecrets(own.isEmpty ? String(cString: curl_easy_strerror(code)) : own, of: request)
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
        case (CURLE_SSL_CONNECT_ERROR, _) where Self.signsOfPlainText.contains(where: sentence.contains):
            reason = "the server's port does not speak TLS: check the scheme and the port (\(sentence))"
        default: reason = sentence
        }
    }

    /// Replaces each secret by `***`: the header values, the URL's query, and each word of the users and passwords of the URL and
    /// of the proxy settings. A slip in a setting makes libcurl take a part of a password for a host, hence the single words.
    private static func withoutSecrets(_ sentence: String, of request: HTTPTransportRequest) -> String {
        let authority = afterScheme(request.url).prefix { !"/?#".contains($0) }
        let proxies = proxyVariables.compactMap { getenv($0).map { afterScheme(String(cString: $0)) } }
        let logins = ([authority] + proxies).compactMap { text in text.lastIndex(of: "@").map { text[..<$0] } }
        let words = Set((logins.map(String.init) + logins.compactMap(\.percentDecoded)).flatMap(words))

        let query = request.url.split(separator: "?", maxSplits: 1).dropFirst().map(String.init)
        var text = sentence
        for secret in query + request.headers.map(\.value) where secret.utf8.count >= shortestSecret {
            text = text.replacing(secret, with: "***")
        }
        var (shown, rest) = ("", text[...])
        while !rest.isEmpty {
            let word = rest.prefix(while: isInWord)
            let gap = rest[word.endIndex...].prefix { !isInWord($0) }
            // libcurl cuts its sentences, which may leave the beginning of a word.
            let isCut = gap.isEmpty && !word.isEmpty && words.contains { $0.hasPrefix(word.lowercased()) }
            shown += (isCut || words.contains(word.lowercased()) ? "***" : word) + gap
            rest = rest[gap.endIndex...]
        }
        return shown
    }

    private static func afterScheme(_ url: String) -> Substring {
        url[(url.firstRange(of: "://")?.upperBound ?? url.startIndex)...]
    }

    private static func words(of text: String) -> [String] {
        text.split { !isInWord($0) }.map { $0.lowercased() }
    }

    private static func isInWord(_ character: Character) -> Bool { character.isLetter || character.isNumber }
}
