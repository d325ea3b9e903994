import TrackerConfig

extension ConsoleResponse {
    /// The page, which has no data of a service. Its script and style alone may run and show: each answer has a word of its
    /// own that no injected text can know (https://www.w3.org/TR/CSP3/#framework-directive-source-list).
    static var page: ConsoleResponse {
        var random = SystemRandomNumberGenerator()
        let nonce = String(random.next(), radix: 36) + String(random.next(), radix: 36)
        let policy = """
            default-src 'none'; script-src 'nonce-\(nonce)'; style-src 'nonce-\(nonce)'; connect-src 'self'; \
            img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'
            """
        return ConsoleResponse(
            200,
            [
                HTTPHeader(name: "Content-Type", value: "text/html; charset=utf-8"),
                HTTPHeader(name: "Content-Security-Policy", value: policy),
            ],
            .bytes(Array(ConsolePage.parts.joined(separator: Array(nonce.utf8)))))
    }
}
