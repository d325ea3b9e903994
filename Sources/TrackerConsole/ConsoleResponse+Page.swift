import TrackerConfig

extension ConsoleResponse {
    /// The page, without any data of a service. Only its own script and style may run: each response has a nonce that
    /// injected text cannot know (https://www.w3.org/TR/CSP3/#framework-directive-source-list).
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
            .bytes(Array(pageParts.joined(separator: Array(nonce.utf8)))))
    }

    /// The parts of the page, between which the nonce is inserted.
    private static let pageParts: [[UInt8]] = {
        var (parts, rest) = ([[UInt8]](), PackageResources.page_html[...])
        for (name, end, content) in [
            ("style", "</head>", PackageResources.style_css), ("script", "</body>", Array(scripts.joined())),
        ] {
            let index = rest.firstRange(of: end.utf8)?.lowerBound ?? rest.endIndex
            parts.append((parts.popLast() ?? []) + rest[..<index] + "<\(name) nonce=\"".utf8)
            parts.append("\">\n".utf8 + content + "</\(name)>\n".utf8)
            rest = rest[index...]
        }
        parts.append((parts.popLast() ?? []) + rest)
        return parts
    }()

    /// The scripts in order; they share one scope.
    private static var scripts: [[UInt8]] {
        [
            PackageResources.base_js, PackageResources.views_js, PackageResources.header_js,
            PackageResources.overview_js, PackageResources.trackers_js, PackageResources.live_js,
            PackageResources.features_js, PackageResources.overrides_js, PackageResources.editor_js,
            PackageResources.experiments_js, PackageResources.users_js, PackageResources.changes_js,
            PackageResources.start_js,
        ]
    }
}
