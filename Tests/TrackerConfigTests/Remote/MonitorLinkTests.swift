import TestSupport
import Testing
import TrackerConfig
import TrackerCore
import TrackerLoopbackServer
import TrackerTesting

/// Where the stream of a document is, and what is sent there.
@Suite("Where a document's stream is", .endsWhenItHangs)
struct MonitorLinkTests {
    private let site: SignalSite

    init() throws {
        site = try SignalSite()
        site.answer { _ in
            .stream(status: 200, headers: [("Content-Type", "text/event-stream")]) { $0.write(Array(":\n".utf8)) }
        }
    }

    /// A source whose document names its stream.
    private func linked(_ configure: (inout RemoteConfiguration) -> Void = { _ in }) throws -> HTTPSource {
        try site.source { remote in
            (remote.streamEndpoint, remote.pollInterval) = (nil, .seconds(60))
            configure(&remote)
        }
    }

    @Test("a document names its stream from its first answer on, and until an answer of another one")
    func link() async throws {
        let source = try linked()
        #expect(source.signals() == nil)
        site.setHeaders([("Link", "</events/1>; rel=monitor")])
        _ = try await source.fetch(nil)
        #expect(await source.allSignals()?.map(\.kind) == [.connected])
        // An answer without a link that says that nothing has changed.
        site.setHeaders([])
        _ = try await source.fetch(DocumentValidators(entityTag: "x"))
        #expect(await source.allSignals()?.count == 1)
        site.setHeaders([("Link", "</events/2>; rel=monitor")])
        _ = try await source.fetch(DocumentValidators(entityTag: "x"))
        #expect(await source.allSignals()?.count == 1)
        site.setHeaders([])
        _ = try await source.fetch(nil)
        #expect(source.signals() == nil)
        #expect(site.requests.map(\.path) == ["/events/1", "/events/1", "/events/2"])
    }

    @Test("a link is found in all forms that there are, and what is no such link is none")
    func forms() async throws {
        for (value, isLink) in [
            ("</events> ; REL = \"MONITOR\"", true), ("<>; rel=next, </events>; rel=monitor", true),
            ("</a>; rel=\"next\"; title=\"a, <b>; rel=monitor\", </events>; rel=\"hub  monitor self\"; a; b=c, ", true),
            ("</a>; rel=monitor; anchor=\"/other\", <ftp://a.example/>; rel=monitor, < /events >; rel=monitor", true),
            ("/events; rel=monitor", false), ("</events>; rel=monitors", false), ("</events; rel=monitor", false),
            ("</events>; title=\"rel=monitor", false),
        ] {
            site.setHeaders([("link", value)])
            let source = try linked()
            _ = try await source.fetch(nil)
            let kinds: [NamedCode<SourceSignal>]? = isLink ? [.connected] : nil
            #expect(await source.allSignals()?.map(\.kind) == kinds, "\(value)")
        }
        #expect(site.requests.map(\.path) == Array(repeating: "/events", count: 4))
    }

    @Test("a link that cannot be used is a failure, once, and one that can is for services that poll")
    func unusable() async throws {
        site.setHeaders([("Link", "<ftp://a.example/>; rel=monitor")])
        let source = try linked()
        for round in 0..<2 {
            _ = try await source.fetch(nil)
            let failure = await source.refusal()
            #expect(failure?.code == (round == 0 ? .stream : nil))
            #expect(failure?.reason.hasPrefix("the link to the stream of events cannot be used: ") != false)
        }
        site.setHeaders([("Link", "<http://a b/>; rel=monitor")])
        _ = try await source.fetch(nil)
        #expect(await source.refusal()?.code == .stream, "another one is another failure")
        site.setHeaders([("Link", "</events>; rel=monitor")])
        let withoutPolls = try linked { $0.pollInterval = nil }
        _ = try await withoutPolls.fetch(nil)
        #expect(withoutPolls.signals() == nil)
    }

    @Test("a relative link counts from where the document came from")
    func redirectedDocument() async throws {
        let source = try linked { $0.endpoint = "\(site.url)/events/old" }
        site.answer { request in
            switch request.path {
            case "/events/old": .response(status: 302, headers: [("Location", "/events/a/b")])
            case "/events/a/b":
                .response(status: 200, headers: [("Link", "<c>; rel=monitor")], body: Array("{}".utf8))
            default: .response(status: 204)
            }
        }
        _ = try await source.fetch(nil)
        _ = await source.allSignals()
        #expect(site.requests.map(\.path) == ["/events/old", "/events/a/b", "/events/a/c"])
    }

    @Test("the configuration's stream is used, whatever the document names, with the user in it")
    func endpoint() async throws {
        site.setHeaders([("Link", "</events/link>; rel=monitor")])
        let source = try site.source { remote in
            remote.endpoint += "?user={user}"
            remote.streamEndpoint = "\(site.url)/events/{user}?u={user}"
            remote.user = "a/b"
        }
        _ = try await source.fetch(nil)
        _ = await source.allSignals()
        #expect(site.requests.map(\.target) == ["/events/a%2Fb?u=a%2Fb"])
        for unusable in ["ftp://a.example", "", "https://{user}.example/"] {
            let error = #expect(throws: ConfigurationError.self) {
                try site.source { remote in (remote.streamEndpoint, remote.user) = (unusable, "u") }
            }
            #expect(["remote.streamEndpoint", "user"].contains(error?.place))
        }
    }

    @Test("headers go to the document's server only, over redirects and back")
    func headers() async throws {
        let other = try SignalSite()
        let back = site.url
        site.answer { request in
            switch request.path {
            case "/events": .response(status: 307, headers: [("Location", "/events/1")])
            case "/events/1": .response(status: 302, headers: [("Location", "\(other.url)/events/2")])
            default: .response(status: 204)
            }
        }
        other.answer { _ in .response(status: 308, headers: [("Location", "\(back)/events/3")]) }
        let header = HTTPHeader(name: "Authorization", value: "secret")
        #expect(await (try site.source { $0.headers = [header] }).refusal()?.status == 204)
        #expect(site.requests.map(\.path) == ["/events", "/events/1", "/events/3"])
        #expect(site.requests.allSatisfy { $0.header("Authorization") == "secret" })
        #expect(other.requests.map { $0.header("Authorization") } == [nil])
        // A stream that is elsewhere from the start.
        _ = await
            (try site.source { remote in
                (remote.headers, remote.streamEndpoint) = ([header], "\(other.url)/events")
            }).allSignals()
        #expect(other.requests.map { $0.header("Authorization") } == [nil, nil])
        #expect(other.requests.allSatisfy { $0.header("Accept") == "text/event-stream" })
    }

    @Test("six redirects are too many, and one to no URL of a web server is not followed")
    func redirects() async throws {
        site.answer { _ in .response(status: 301, headers: [("Location", "/events")]) }
        let source = try site.source()
        let failure = await source.refusal()
        #expect((failure?.code, site.requests.count) == (.redirect, 6))
        #expect(failure?.reason == "the stream of events \(site.url)/events could not be opened: more than 5 redirects")
        site.answer { _ in .response(status: 301, headers: [("Location", "file:///etc/passwd")]) }
        #expect(await source.refusal()?.code == .redirect)
    }
}
