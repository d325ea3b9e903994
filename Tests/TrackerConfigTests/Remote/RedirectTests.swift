import TestSupport
import Testing
import TrackerConfig
import TrackerFeatures
import TrackerLoopbackServer
import TrackerTesting

/// Where a source lets itself be sent.
@Suite("Redirects of a document", .endsWhenItHangs)
struct RedirectTests {
    private static func redirect(_ status: Int = 302, to location: String) -> ServerReply {
        .response(status: status, headers: [("Location", location)])
    }

    @Test("five redirects are followed, and no sixth")
    func followed() async throws {
        // `/5` leads by `/4` … to `/0`, which has the document.
        let site = try Site { request in
            guard let left = Int(request.path.dropFirst()), left > 0 else {
                return .response(status: 200, body: Array("{}".utf8))
            }
            return Self.redirect(to: "\(left - 1)")
        }
        #expect(try await site.fetch("/5").text == "{}")
        #expect(site.lines == (0...5).reversed().map { "GET /\($0)" })
        #expect(try await site.fetch("/6") == .failed(.redirect, "more than 5 redirects"))
        #expect(site.requests.count == 12)
    }

    @Test(
        "a relative Location counts from where it was found",
        arguments: [("/a/b", "c", "/a/c"), ("/a/b", "/c", "/c"), ("/a/b", "../c", "/c"), ("/a/b?x=1", "?y=2", "/a/b")])
    func relative(path: String, location: String, target: String) async throws {
        let site = try Site { request in
            request.target == path ? Self.redirect(to: location) : .response(status: 200, body: Array("{}".utf8))
        }
        #expect(try await site.fetch(path).text == "{}")
        #expect(site.requests.last?.path == target)
        #expect(site.requests.count == 2)
    }

    @Test(
        "307 and 308 keep POST, the others turn it into GET",
        arguments: [(301, "GET"), (302, "GET"), (303, "GET"), (307, "POST"), (308, "POST")])
    func method(status: Int, method: String) async throws {
        let site = try Site { request in
            request.path == "/a" ? Self.redirect(status, to: "/b") : .response(status: 200, body: Array("{}".utf8))
        }
        #expect(try await site.fetch("/a", method: .post).text == "{}")
        #expect(site.lines == ["POST /a", "\(method) /b"])
        #expect(site.requests.map(\.body) == [[], []])
    }

    @Test(
        "a redirect that says no usable place is a failure",
        arguments: [
            nil, "", "ftp://config.example/", "file:///etc/passwd", "http://", "http:/final", "https:443", "data:,x",
        ])
    func unusable(location: String?) async throws {
        // An empty Location leads to the same place again.
        let site = try Site { _ in .response(status: 302, headers: location.map { [("Location", $0)] } ?? []) }
        #expect(try await site.fetch("/a").code == .redirect)
        #expect(Set(site.lines) == ["GET /a"])
    }

    @Test("300 and 305 are no redirects")
    func otherStatus() async throws {
        for status in [300, 305] {
            let site = try Site { _ in Self.redirect(status, to: "/b") }
            #expect(try await site.fetch("/a").status == status)
            #expect(site.requests.count == 1)
        }
    }

    @Test("https to http is refused, at any step, and http to https is followed")
    func schemes() async throws {
        let transport = ScriptedTransport()
        transport.respond { request in
            let next = [
                "https://a.example": "http://b.example", "http://c.example": "https://d.example",
                "https://d.example": "http://e.example",
            ]
            guard let target = next[request.url] else { return .success(HTTPTransportResponse(status: 200)) }
            return .success(HTTPTransportResponse(status: 301, headers: [HTTPHeader(name: "Location", value: target)]))
        }
        for start in ["https://a.example", "http://c.example"] {
            let source = try HTTPSource(RemoteConfiguration(endpoint: start), transport: transport)
            let fetched = await HTTPSource.fetched(source)
            #expect(fetched == .failed(.redirect, "the redirect is not followed: it leads from https to http"))
        }
        #expect(transport.requests.map(\.url) == ["https://a.example", "http://c.example", "https://d.example"])
    }

    @Test("a failure names the first URL and the one that answered, without their secrets")
    func named() async throws {
        let transport = ScriptedTransport()
        let path = Locked("")
        transport.respond { request in
            guard request.url.contains("//b.example") else {
                let target = path.withLock { "https://b.example\($0)" }
                return .success(
                    HTTPTransportResponse(status: 302, headers: [HTTPHeader(name: "Location", value: target)]))
            }
            if request.url.contains("down") { return .failure(HTTPTransportError(.failed, reason: "no route")) }
            if request.url.contains("late") { return .failure(HTTPTransportError(.timeout, reason: "late")) }
            let body = request.url.contains("page") ? "<HTML lang=x>Sign in" : ""
            return .success(HTTPTransportResponse(status: body.isEmpty ? 403 : 200, body: Array(body.utf8)))
        }
        let remote = RemoteConfiguration(endpoint: "https://me:secret@a.example/c.json?token=secret")
        let source = try HTTPSource(remote, transport: transport)
        func failure() async throws -> String {
            do {
                let document = try #require(try await source.fetch(nil))
                let error = try #require(throws: ConfigurationError.self) { try Document(document.bytes) }
                return document.fault(error).description
            } catch let error as FetchError {
                return "\(error)"
            }
        }
        let start = "https://***@a.example/c.json?token=***"
        for (place, sentence) in [
            (
                "/other?key=abc#x",
                "cannot fetch \(start): status 403 from https://b.example/other?key=*** after 1 redirect"
            ),
            ("/down", "cannot fetch \(start): https://b.example/down after 1 redirect: no route"),
            (
                "/late",
                "cannot fetch \(start): https://b.example/late after 1 redirect: no document within 10.0 seconds"
            ),
            (
                "/page",
                "\(start) (from https://b.example/page after 1 redirect): "
                    + "the response is not JSON, it begins with \"<HTML lang=x>\"; is a proxy in between?"
            ),
        ] {
            path.withLock { $0 = place }
            #expect(try await failure() == sentence)
        }
    }

    @Test("the user's headers go to the server that was named and to no other, also on the way back")
    func headers() async throws {
        let back = Locked("")
        let other = try Site { _ in Self.redirect(to: back.withLock { $0 }) }
        let site = try Site { request in
            switch request.path {
            case "/a": Self.redirect(to: "/b")
            case "/b": Self.redirect(to: other.url("/c"))
            default: .response(status: 200, body: Array("{}".utf8))
            }
        }
        back.withLock { $0 = site.url("/d") }
        let fetched = try await site.fetch("/a") { $0.headers = [HTTPHeader(name: "Authorization", value: "secret")] }
        #expect(fetched.text == "{}")
        #expect(site.requests.map { $0.header("Authorization") } == ["secret", "secret", "secret"])
        #expect(other.requests.map { $0.header("Authorization") } == [nil])
    }

    @Test(
        "another scheme, host or port is another server, and the standard port is the same",
        arguments: [
            ("http://a.example", "https://a.example/x", false), ("http://a.example", "http://a.example:81/x", false),
            ("https://a.example", "https://A.example:443/x", true), ("http://a.example", "http://b.example/x", false),
            ("http://a.example", "http://a.example@evil.example/x", false),
        ])
    func origins(first: String, second: String, isSame: Bool) async throws {
        let transport = ScriptedTransport()
        transport.script([
            .success(HTTPTransportResponse(status: 302, headers: [HTTPHeader(name: "Location", value: second)]))
        ])
        var remote = RemoteConfiguration(endpoint: first)
        remote.headers = [HTTPHeader(name: "Authorization", value: "secret")]
        _ = await HTTPSource.fetched(try HTTPSource(remote, transport: transport))
        let sent = transport.requests.map { request in request.headers.contains { $0.name == "Authorization" } }
        #expect(sent == [true, isSame])
    }

    @Test("the timeout counts for all redirects together")
    func timeout() async throws {
        let transport = ScriptedTransport()
        let time = ManualTime()
        transport.respond { request in
            time.advance(by: .seconds(4))
            return .success(HTTPTransportResponse(status: 302, headers: [HTTPHeader(name: "Location", value: "/x")]))
        }
        let source = try HTTPSource(RemoteConfiguration(endpoint: "config.example"), transport: transport, time: time)
        let reason = "https://config.example/x after 3 redirects: no document within 10.0 seconds"
        #expect(await HTTPSource.fetched(source) == .failed(.timeout, reason))
        #expect(transport.requests.map(\.timeout) == [.seconds(10), .seconds(6), .seconds(2)])
    }
}
