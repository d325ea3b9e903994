import TrackerCurl

/// The sentence on why libcurl could not finish a request.
struct CurlFailure {
    /// The cause, and what to do about it if that is known.
    let reason: String

    /// Creates the sentence.
    /// - Parameters:
    ///   - code: libcurl's code.
    ///   - text: libcurl's own sentence; empty if it has none.
    ///   - certificateFile: The file of certificates to trust, nil for the system's.
    init(_ code: Int32, text: UnsafePointer<CChar>, certificateFile: String?) {
        let own = String(cString: text)
        let sentence = Self.withoutTimes(own.isEmpty ? String(cString: curl_easy_strerror(code)) : own)
        switch (code, certificateFile) {
        case (CURLE_SSL_CACERT_BADFILE, let file?):
            let fault = CertificateFile.fault(of: file) ?? "no certificate in PEM form was found in \(file)"
            reason = "the certificate file cannot be used: \(fault)"
        case (CURLE_SSL_CACERT_BADFILE, nil):
            reason =
                "\(sentence); the system has no usable CA certificates: install them (package 'ca-certificates') or set "
                + "certificateFile"
        case (CURLE_PEER_FAILED_VERIFICATION, let file?): reason = "\(sentence) (trusted: \(file))"
        case (CURLE_PEER_FAILED_VERIFICATION, nil): reason = "\(sentence) (trusted: the system's CA certificates)"
        default: reason = sentence
        }
    }

    /// The sentence without the milliseconds that libcurl puts in: the same failure is to have the same sentence each time.
    private static func withoutTimes(_ sentence: String) -> String {
        let words = sentence.split(separator: " ", omittingEmptySubsequences: false)
        guard
            let index = words.indices.dropLast(2).first(where: { index in
                words[index] == "after" && words[index + 1].allSatisfy(\.isNumber) && words[index + 2].hasPrefix("ms")
            })
        else { return sentence }
        // What follows the unit, as a colon, stays.
        let rest = words[index + 2].dropFirst(2)
        return words[..<index].joined(separator: " ") + rest + words[(index + 3)...].map { " \($0)" }.joined()
    }
}
