import TrackerConfig

/// The check of a request's permissions, which depends on the request only.
struct ConsoleAccess: Sendable {
    private let token: [UInt8]?
    private let hosts: Set<String>
    private let allowsChanges: Bool

    init(_ options: ConsoleOptions) {
        // A token file ends with a line break, which no header can contain.
        token = options.token.map { Array($0.trimmed.utf8) }
        // Hosts may be written with a port, and IPv6 addresses with or without brackets.
        hosts = Set(options.hosts.map { Authority($0)?.host ?? $0.lowercased() }).subtracting([""])
        allowsChanges = options.allowsChanges
    }

    /// Checks a request.
    /// - Throws: The reason for the rejection.
    func check(_ request: ConsoleRequest, for route: ConsoleRoute) throws(ConsoleError) {
        guard request.body.count <= ConsoleRequest.mostBytes else {
            throw ConsoleError(413, "the body is larger than \(ConsoleRequest.mostBytes) bytes")
        }
        try checkHost(request)
        switch route {
        // The page reveals nothing about the service, and users need it to enter a token.
        case .page, .redirect: return
        default: break
        }
        try checkOrigin(request)
        try checkToken(request)
        switch route {
        case .assignments, .explanation, .flags: try checkType(request)
        case .change(let change):
            guard allowsChanges else { throw ConsoleError(403, "this console is read-only") }
            if case .set = change { try checkType(request) }
        default: break
        }
    }

    /// Protects a console without a token from DNS rebinding: pages of other sites with a host name that resolves to
    /// this machine.
    private func checkHost(_ request: ConsoleRequest) throws(ConsoleError) {
        // A page of another site does not have the credentials of the host's login.
        guard token == nil, request.client?.trimmed.isEmpty != false else { return }
        guard let header = request.header("host") else { throw ConsoleError(403, "expected one Host header") }
        let host = Authority(header)?.host ?? ""
        guard isKnown(host) else {
            let shown = host.isEmpty ? header.excerpt : host.excerpt
            throw ConsoleError(403, "host \(shown) is not allowed; set a token or add it to ConsoleOptions.hosts")
        }
    }

    /// Rejects cross-origin requests. Browsers send headers that identify them; other clients send neither.
    private func checkOrigin(_ request: ConsoleRequest) throws(ConsoleError) {
        let refused = ConsoleError(403, "cross-origin request refused")
        if request.has("sec-fetch-site"), !["same-origin", "none"].contains(request.header("sec-fetch-site")) {
            throw refused
        }
        guard request.has("origin") else { return }
        guard let origin = request.header("origin"), let separator = origin.firstRange(of: "://") else { throw refused }
        let authority = origin[separator.upperBound...].lowercased()
        if authority == request.header("host")?.lowercased() { return }
        guard let host = Authority(authority)?.host, hosts.contains(host) else { throw refused }
    }

    private func checkToken(_ request: ConsoleRequest) throws(ConsoleError) {
        guard let token else { return }
        let challenge = [HTTPHeader(name: "WWW-Authenticate", value: "Bearer")]
        let wrong = ConsoleError(401, "the token is wrong", headers: challenge)
        let given: String
        if let header = request.header("authorization") {
            let words = header.split(separator: " ", maxSplits: 1)
            guard words.count == 2, words[0].lowercased() == "bearer" else { throw wrong }
            given = String(words[1])
        } else if let key = request.header("x-api-key") {
            // OpenFeature's protocol also allows this header.
            given = key
        } else {
            throw ConsoleError(401, "a token is required", headers: challenge)
        }
        guard Self.isEqual(Array(given.utf8), token) else { throw wrong }
    }

    /// Requires JSON, because a form on another site cannot send this type.
    private func checkType(_ request: ConsoleRequest) throws(ConsoleError) {
        let type = request.header("content-type")?.prefix { $0 != ";" }.lowercased()
        guard type?.split(separator: " ").first == "application/json" else {
            throw ConsoleError(415, "the Content-Type must be application/json")
        }
    }

    private func isKnown(_ host: String) -> Bool {
        if host == "localhost" || host == "::1" || hosts.contains(host) { return true }
        // `UInt8` also accepts a sign.
        let numbers = host.split(separator: ".", omittingEmptySubsequences: false)
            .map { $0.utf8.allSatisfy { 0x30...0x39 ~= $0 } ? UInt8($0) : nil }
        return numbers.count == 4 && numbers[0] == 127 && !numbers.contains(nil)
    }

    /// Compares in constant time, wherever the texts differ.
    static func isEqual(_ given: [UInt8], _ expected: [UInt8]) -> Bool {
        var difference = given.count ^ expected.count
        for index in given.indices {
            difference |= Int(given[index] ^ (expected.isEmpty ? 1 : expected[index % expected.count]))
        }
        return difference == 0 && !expected.isEmpty
    }

    /// The host and the port of a URL.
    private struct Authority {
        /// The name or address in lower case, without the port.
        let host: String

        /// nil if anything but a port follows the name.
        init?(_ text: String) {
            let text = text.lowercased()
            let rest: Substring
            if text.hasPrefix("["), let end = text.firstIndex(of: "]") {
                host = String(text[..<end].dropFirst())
                rest = text[end...].dropFirst()
            } else {
                let end = text.firstIndex(of: ":") ?? text.endIndex
                host = String(text[..<end])
                rest = text[end...]
            }
            guard rest.isEmpty || rest.hasPrefix(":") && rest.dropFirst().allSatisfy({ "0"..."9" ~= $0 }) else {
                return nil
            }
        }
    }
}
