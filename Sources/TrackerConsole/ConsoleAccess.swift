import TrackerConfig

/// Who may look and who may change; decides by the request alone.
struct ConsoleAccess: Sendable {
    private let token: [UInt8]?
    private let hosts: Set<String>
    private let allowsChanges: Bool

    init(_ options: ConsoleOptions) {
        // The line end of a file that has the token could stand in no header, and would let no request pass.
        token = options.token.map { Array($0.trimmed.utf8) }
        // With a port, or with an address's brackets or without, as people write them.
        hosts = Set(options.hosts.map { Authority($0)?.host ?? $0.lowercased() }).subtracting([""])
        allowsChanges = options.allowsChanges
    }

    /// Lets a request pass or throws why not.
    func check(_ request: ConsoleRequest, for route: ConsoleRoute) throws(ConsoleError) {
        guard request.body.count <= ConsoleRequest.mostBytes else {
            throw ConsoleError(413, "the body is larger than \(ConsoleRequest.mostBytes) bytes")
        }
        try checkHost(request)
        switch route {
        // They reveal nothing about the service, and without them no user could enter a token.
        case .page, .redirect: return
        default: break
        }
        try checkOrigin(request)
        try checkToken(request)
        switch route {
        case .assignments, .explanation, .flags: try checkType(request)
        case .change(let change):
            guard allowsChanges else { throw ConsoleError(403, "this console is to look only") }
            switch change {
            case .setEnabled, .setVariable, .force: try checkType(request)
            default: break
            }
        default: break
        }
    }

    /// Another site's page must not reach a console without a token by a name of its own that leads here.
    private func checkHost(_ request: ConsoleRequest) throws(ConsoleError) {
        guard token == nil else { return }
        guard let host = request.header("host"), isKnown(Authority(host)?.host ?? "") else {
            throw ConsoleError(
                403, "without a token the console answers under this machine's own name, or one that it was given")
        }
    }

    /// A browser names the page of a request; other programs send no such header.
    private func checkOrigin(_ request: ConsoleRequest) throws(ConsoleError) {
        let refused = ConsoleError(403, "another site's page asks")
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
            // The other scheme of OpenFeature's protocol.
            given = key
        } else {
            throw ConsoleError(401, "a token is needed", headers: challenge)
        }
        guard Self.isEqual(Array(given.utf8), token) else { throw wrong }
    }

    /// A form of another site cannot send this type.
    private func checkType(_ request: ConsoleRequest) throws(ConsoleError) {
        let type = request.header("content-type")?.prefix { $0 != ";" }.lowercased()
        guard type?.split(separator: " ").first == "application/json" else {
            throw ConsoleError(415, "the body must be application/json")
        }
    }

    private func isKnown(_ host: String) -> Bool {
        if host == "localhost" || host == "::1" || hosts.contains(host) { return true }
        // `UInt8` also reads a number with a sign.
        let numbers = host.split(separator: ".", omittingEmptySubsequences: false)
            .map { $0.utf8.allSatisfy { 0x30...0x39 ~= $0 } ? UInt8($0) : nil }
        return numbers.count == 4 && numbers[0] == 127 && !numbers.contains(nil)
    }

    /// Takes the same time wherever two texts differ.
    static func isEqual(_ given: [UInt8], _ expected: [UInt8]) -> Bool {
        var difference = given.count ^ expected.count
        for index in given.indices {
            difference |= Int(given[index] ^ (expected.isEmpty ? 1 : expected[index % expected.count]))
        }
        return difference == 0 && !expected.isEmpty
    }

    /// The part of a URL that names a server.
    private struct Authority {
        /// The name or address, without a port and in small letters.
        let host: String

        /// Nil where anything but a port follows the name.
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
