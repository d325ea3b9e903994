import TestSupport
import Testing
import TrackerConfig
import TrackerCore

@testable import TrackerConsole

/// Who is let in, and who may change something.
@Suite("Console: access", .endsWhenItHangs)
struct ConsoleAccessTests {
    private static let read = ConsoleRoute.features
    private static let write = ConsoleRoute.change(.set(FeatureOverride(feature: "f")))
    private static let json = HTTPHeader(name: "Content-Type", value: "application/json")

    /// The status that a request gets; 200 if it is let pass.
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
        for (name, shown) in [("Evil.Example:8080", "evil.example"), ("localhost:x", "localhost:x")] {
            #expect(
                refusal([HTTPHeader(name: "Host", value: name)])?.reason
                    == "host '\(shown)' is not allowed; set a token or add it to ConsoleOptions.hosts")
        }
        #expect(refusal([])?.reason == "expected one Host header")
        let origin = HTTPHeader(name: "Origin", value: "http://evil.example")
        #expect(refusal([host, origin])?.reason == "cross-origin request refused")
        #expect(refusal([host]) { $0.token = "t" }?.reason == "a token is required")
        let wrong = HTTPHeader(name: "Authorization", value: "Bearer x")
        #expect(refusal([host, wrong]) { $0.token = "t" }?.reason == "the token is wrong")
        #expect(refusal([host], for: Self.write)?.reason == "the Content-Type must be application/json")
        let most = ConsoleRequest.mostBytes
        #expect(refusal([host], bytes: most + 1)?.reason == "the body is larger than \(most) bytes")
        #expect(status([host], bytes: most + 1) == 413)
        #expect(status([host, Self.json], for: Self.write, bytes: most) == 200)
    }

    @Test(
        "without a token it answers under loopback names alone",
        arguments: [
            ("LOCALHOST:8080", 200), ("127.8.9.10", 200), ("[::1]:8080", 200), ("evil.example", 403),
            ("127.0.0.1.evil.example", 403), ("128.0.0.1", 403), ("127.0.0.256", 403), ("127.0.0.+1", 403),
            ("127.0.0", 403), ("", 403), ("[::2]", 403), ("[::1].evil.example", 403),
            ("localhost:8080.evil.example", 403), ("localhost:8080@evil.example", 403), ("localhost.", 403),
        ])
    func hosts(host: String, expected: Int) {
        #expect(status([HTTPHeader(name: "Host", value: host)]) == expected)
        #expect(status([HTTPHeader(name: "host", value: host)], for: .page) == expected)
    }

    @Test(
        "a user of the host's login comes under any name of the host, but not from another site, and a token stays one")
    func login() {
        func status(_ client: String, origin: String? = nil, _ configure: (inout ConsoleOptions) -> Void = { _ in })
            -> Int
        {
            var options = ConsoleOptions()
            configure(&options)
            var headers = [HTTPHeader(name: "Host", value: "orders.example.com")]
            if let origin { headers.append(HTTPHeader(name: "Origin", value: origin)) }
            let request = ConsoleRequest(method: "GET", path: "/", headers: headers, client: client)
            do throws(ConsoleError) {
                try ConsoleAccess(options).check(request, for: Self.read)
                return 200
            } catch {
                return error.status
            }
        }
        #expect(status("dana") == 200)
        #expect(status(" ") == 403)
        #expect(status("dana", origin: "https://evil.example") == 403)
        #expect(status("dana") { $0.token = "t" } == 401)
    }

    @Test("a name that it was given is as good, two are as bad as none, and a token makes names needless")
    func names() {
        #expect(status(["localhost", "evil.example"].map { HTTPHeader(name: "Host", value: $0) }) == 403)
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
            ("Bearer secret", 200), ("bearer secret", 200), ("Bearer secre", 401), ("Bearer secreT", 401),
            ("Bearer secretsecret", 401), ("Bearer Secret", 401), ("Basic secret", 401), ("secret", 401),
            ("Bearer ", 401), ("Bearer  secret", 401), ("", 401),
        ])
    func token(value: String, expected: Int) {
        // A token as a file has it, with a line end, is the one without.
        for token in ["secret", "secret\n"] {
            #expect(status([HTTPHeader(name: "Authorization", value: value)]) { $0.token = token } == expected)
        }
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
        for given in ["Bearer", "Bearer ", "Bearer  \n", "Bearer x", ""] {
            for token in ["", " \n"] {
                #expect(status([HTTPHeader(name: "Authorization", value: given)]) { $0.token = token } == 401)
            }
        }
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
            Self.json, HTTPHeader(name: "Authorization", value: "Bearer t"),
        ]
        for (hosts, expected) in [([], 403), (["ops.example"], 200)] as [(Set<String>, Int)] {
            let found = status(headers, for: Self.write) {
                ($0.allowsChanges, $0.token, $0.hosts) = (true, "t", hosts)
            }
            #expect(found == expected)
        }
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
}
