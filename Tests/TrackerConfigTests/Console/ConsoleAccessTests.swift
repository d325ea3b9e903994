import TestSupport
import Testing
import TrackerCore

@testable import TrackerConfig
@testable import TrackerConsole

/// Who is let in, and who may change something.
@Suite("Console: access", .endsWhenItHangs)
struct ConsoleAccessTests {
    private static let read = ConsoleRoute.view(.overview)
    private static let write = ConsoleRoute.change(.setEnabled(feature: "f"))
    private static let json = HTTPHeader(name: "Content-Type", value: "application/json")

    /// The status that a request gets; 200 where it is let pass.
    private func status(
        _ headers: [HTTPHeader], for route: ConsoleRoute = read, bytes: Int = 0,
        _ configure: (inout ConsoleOptions) -> Void = { $0.allowsChanges = true }
    ) -> Int {
        refusal(headers, for: route, bytes: bytes, configure)?.status ?? 200
    }

    private func refusal(
        _ headers: [HTTPHeader], for route: ConsoleRoute = read, bytes: Int = 0,
        _ configure: (inout ConsoleOptions) -> Void = { $0.allowsChanges = true }
    ) -> ConsoleError? {
        var options = ConsoleOptions()
        configure(&options)
        let request = ConsoleRequest(
            method: "GET", path: "/", headers: headers, body: Array(repeating: 0, count: bytes))
        do throws(ConsoleError) {
            try ConsoleAccess(options).check(request, for: route)
            return nil
        } catch {
            return error
        }
    }

    @Test("each refusal says why, and what to do")
    func sentences() {
        let host = HTTPHeader(name: "Host", value: "localhost")
        func reason(
            _ headers: [HTTPHeader], for route: ConsoleRoute = Self.read, bytes: Int = 0,
            _ configure: (inout ConsoleOptions) -> Void = { $0.allowsChanges = true }
        ) -> String? {
            refusal(headers, for: route, bytes: bytes, configure)?.reason
        }
        for name in ["evil.example", "Evil.Example:8080"] {
            #expect(
                reason([HTTPHeader(name: "Host", value: name)])
                    == "host 'evil.example' is not allowed; set a token or add it to ConsoleOptions.hosts")
        }
        #expect(
            reason([HTTPHeader(name: "Host", value: "localhost:x")])
                == "host 'localhost:x' is not allowed; set a token or add it to ConsoleOptions.hosts")
        #expect(reason([]) == "expected one Host header")
        #expect(
            reason([host, HTTPHeader(name: "Origin", value: "http://evil.example")]) == "cross-origin request refused")
        #expect(reason([host]) { $0.token = "t" } == "a token is required")
        #expect(
            reason([host, HTTPHeader(name: "Authorization", value: "Bearer x")]) { $0.token = "t" }
                == "the token is wrong")
        #expect(reason([host, Self.json], for: Self.write) { _ in } == "this console is read-only")
        #expect(reason([host], for: Self.write) == "the Content-Type must be application/json")
        let most = ConsoleRequest.mostBytes
        #expect(reason([host], bytes: most + 1) == "the body is larger than \(most) bytes")
        #expect(ConsoleError.notAllowed("GET").reason == "method not allowed; use GET")
    }

    @Test(
        "without a token it answers under loopback names alone",
        arguments: [
            ("localhost", 200), ("LOCALHOST:8080", 200), ("127.0.0.1:80", 200), ("127.8.9.10", 200),
            ("[::1]:8080", 200),
            ("evil.example", 403), ("127.0.0.1.evil.example", 403), ("localhost.evil.example", 403), ("128.0.0.1", 403),
            ("127.0.0.256", 403), ("127.0.0.+1", 403), ("127.0.0", 403), ("", 403), ("[::2]", 403),
            ("[::1].evil.example", 403),
            ("localhost:8080.evil.example", 403), ("localhost:8080@evil.example", 403), ("localhost.", 403),
        ])
    func hosts(host: String, expected: Int) {
        #expect(status([HTTPHeader(name: "Host", value: host)]) == expected)
        #expect(status([HTTPHeader(name: "host", value: host)], for: .page) == expected)
    }

    @Test("without a Host, or with two, it answers nobody")
    func noHost() {
        #expect(status([]) == 403)
        #expect(
            status([HTTPHeader(name: "Host", value: "localhost"), HTTPHeader(name: "Host", value: "evil.example")])
                == 403)
    }

    @Test("a name that it was given is as good, and a token makes names needless")
    func names() {
        #expect(status([HTTPHeader(name: "Host", value: "Ops.example:8080")]) { $0.hosts = ["ops.example"] } == 200)
        for (name, host) in [("ops.example:8080", "ops.example"), ("::2", "[::2]:80"), ("[::2]", "[::2]")] {
            #expect(status([HTTPHeader(name: "Host", value: host)]) { $0.hosts = [name] } == 200, "\(name)")
        }
        #expect(status([HTTPHeader(name: "Host", value: "")]) { $0.hosts = [""] } == 403)
        let token = HTTPHeader(name: "Authorization", value: "Bearer t")
        #expect(status([HTTPHeader(name: "Host", value: "ops.example"), token]) { $0.token = "t" } == 200)
    }

    @Test(
        "a token must be the whole and right one",
        arguments: [
            ("Bearer secret", 200), ("bearer secret", 200), ("Bearer secre", 401), ("Bearer secrets", 401),
            ("Bearer Secret", 401), ("Basic secret", 401), ("secret", 401), ("Bearer ", 401), ("Bearer  secret", 401),
            ("", 401),
        ])
    func token(value: String, expected: Int) {
        #expect(status([HTTPHeader(name: "Authorization", value: value)]) { $0.token = "secret" } == expected)
    }

    @Test(
        "the token may come as the other scheme of OpenFeature's protocol, beside which Authorization counts",
        arguments: [
            ("secret", nil, 200), ("secre", nil, 401), ("", nil, 401), ("secret", "Bearer x", 401),
            ("x", "Bearer secret", 200),
        ] as [(String, String?, Int)])
    func key(key: String, authorization: String?, expected: Int) {
        let headers = [HTTPHeader(name: "X-API-Key", value: key)]
        let others = authorization.map { [HTTPHeader(name: "Authorization", value: $0)] } ?? []
        #expect(status(headers + others) { $0.token = "secret" } == expected)
    }

    @Test("no token where one is needed; the page itself needs none; an empty one lets nobody in")
    func noToken() {
        #expect(status([]) { $0.token = "secret" } == 401)
        #expect(status([], for: .page) { $0.token = "secret" } == 200)
        for given in ["Bearer", "Bearer ", "Bearer x", ""] {
            #expect(status([HTTPHeader(name: "Authorization", value: given)]) { $0.token = "" } == 401)
        }
        #expect(!ConsoleAccess.isEqual([], []))
        for given in ["Bearer", "Bearer ", "Bearer  ", "Bearer  \n"] {
            #expect(status([HTTPHeader(name: "Authorization", value: given)]) { $0.token = " \n" } == 401)
        }
    }

    @Test("a token as a file has it, with a line end, is the one without")
    func fileToken() {
        #expect(status([HTTPHeader(name: "Authorization", value: "Bearer secret")]) { $0.token = "secret\n" } == 200)
    }

    @Test("a token is the same only where every byte and the length are")
    func sameToken() {
        let token = Array("secret".utf8)
        for place in token.indices {
            var other = token
            other[place] ^= 1
            #expect(!ConsoleAccess.isEqual(other, token))
        }
        #expect(!ConsoleAccess.isEqual(token + token, token))
        #expect(ConsoleAccess.isEqual(token, token))
    }

    @Test(
        "another site's page is refused, to look and to change",
        arguments: [
            ([HTTPHeader(name: "Origin", value: "http://localhost:8080")], 200),
            ([HTTPHeader(name: "Origin", value: "https://LOCALHOST:8080")], 200),
            ([HTTPHeader(name: "Origin", value: "http://localhost:9090")], 403),
            ([HTTPHeader(name: "Origin", value: "http://evil.example")], 403),
            ([HTTPHeader(name: "Origin", value: "null")], 403), ([HTTPHeader(name: "Origin", value: "")], 403),
            ([HTTPHeader(name: "Sec-Fetch-Site", value: "same-origin")], 200),
            ([HTTPHeader(name: "Sec-Fetch-Site", value: "none")], 200),
            ([HTTPHeader(name: "Sec-Fetch-Site", value: "cross-site")], 403),
            ([HTTPHeader(name: "Sec-Fetch-Site", value: "same-site")], 403),
            (
                [
                    HTTPHeader(name: "Sec-Fetch-Site", value: "same-origin"),
                    HTTPHeader(name: "Sec-Fetch-Site", value: "cross-site"),
                ], 403
            ),
            (
                [
                    HTTPHeader(name: "Origin", value: "http://localhost:8080"),
                    HTTPHeader(name: "Sec-Fetch-Site", value: "cross-site"),
                ], 403
            ),
        ])
    func origins(headers: [HTTPHeader], expected: Int) {
        let all = headers + [HTTPHeader(name: "Host", value: "localhost:8080"), Self.json]
        #expect(status(all) == expected)
        #expect(status(all, for: Self.write) == expected)
    }

    @Test("behind a proxy with another name, the browser's name must be known")
    func proxied() {
        let headers = [
            HTTPHeader(name: "Host", value: "10.0.0.7:8080"), HTTPHeader(name: "Origin", value: "https://ops.example"),
            Self.json,
            HTTPHeader(name: "Authorization", value: "Bearer t"),
        ]
        #expect(status(headers, for: Self.write) { ($0.allowsChanges, $0.token) = (true, "t") } == 403)
        #expect(
            status(headers, for: Self.write) { ($0.allowsChanges, $0.token, $0.hosts) = (true, "t", ["ops.example"]) }
                == 200)
    }

    @Test("built in, nothing can be changed")
    func readOnly() {
        let host = HTTPHeader(name: "Host", value: "localhost")
        let changes: [ConsoleRoute.Change] = [
            .refresh, .setEnabled(feature: "f"), .resetEnabled(feature: "f"), .setVariable(VariableKey("f", "v")),
            .resetVariable(VariableKey("f", "v")), .force(experiment: "e"), .stopForcing(experiment: "e"),
            .removeOverrides,
        ]
        for change in changes {
            #expect(status([host, Self.json], for: .change(change)) { _ in } == 403)
            #expect(status([host, Self.json], for: .change(change)) == 200)
        }
        #expect(status([host, Self.json], for: .assignments) { _ in } == 200)
        #expect(status([host]) { _ in } == 200)
    }

    @Test(
        "a body must be JSON, which no form of another site can send",
        arguments: [
            ("application/json", 200), ("application/json; charset=utf-8", 200), ("Application/JSON", 200),
            ("text/plain", 415), ("application/x-www-form-urlencoded", 415), ("application/jsonx", 415), ("", 415),
        ])
    func types(type: String, expected: Int) {
        let headers = [HTTPHeader(name: "Host", value: "localhost"), HTTPHeader(name: "Content-Type", value: type)]
        #expect(status(headers, for: Self.write) == expected)
        #expect(status(headers, for: .assignments) == expected)
        #expect(status([HTTPHeader(name: "Host", value: "localhost")], for: Self.write) == 415)
    }

    @Test("a body has its bound")
    func size() {
        let headers = [HTTPHeader(name: "Host", value: "localhost"), Self.json]
        #expect(status(headers, for: Self.write, bytes: ConsoleRequest.mostBytes) == 200)
        #expect(status(headers, for: Self.write, bytes: ConsoleRequest.mostBytes + 1) == 413)
    }
}
