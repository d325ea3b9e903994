import Dispatch
import TestSupport
import Testing
import TrackerConfig
import TrackerFeatures
import TrackerLoopbackServer
import TrackerTesting

/// What a source makes of the events of a server.
@Suite("Hints from server-sent events", .endsWhenItHangs)
struct HTTPHintTests {
    private let site: StreamSite

    init() throws { site = try StreamSite() }

    private var start: String { "the stream of events \(site.url)/events" }

    /// The answer of a stream that ends after a text.
    private static func stream(_ text: String) -> ServerReply {
        .stream(status: 200, headers: [("Content-Type", "Text/Event-Stream")]) { $0.write(Array(text.utf8)) }
    }

    /// The failure of a connection that was not opened.
    private func refusal(_ source: HTTPSource? = nil) async throws -> FetchError? {
        let (hints, failure) = try #require(await (try source ?? site.source()).allHints())
        #expect(hints.isEmpty)
        return failure
    }

    @Test("the first hint comes with the open stream, the others with the events that are for the SDK")
    func events() async throws {
        var hints = try #require(try site.source().changes()).makeAsyncIterator()
        #expect(try await hints.next() == ChangeHint())
        var streams = site.streams.makeAsyncIterator()
        let stream = try #require(await streams.next())
        stream.send("changed", #"{"version": 9, "spread": 3, "etag": "x"}"#)
        #expect(try await hints.next() == ChangeHint(version: 9, spread: .seconds(3)))
        for name in ["other", "document"] { stream.send(name, #"{"version": 1}"#) }
        stream.put("data: {\"version\": 10}\n\n")
        #expect(try await hints.next() == ChangeHint(version: 10))
        for text in ["", "hello", "[1]"] {
            stream.send("changed", text)
            #expect(try await hints.next() == ChangeHint())
        }
        stream.end()
        #expect(try await hints.next() == nil)
        #expect(site.requests.map { $0.header("Accept") } == ["text/event-stream"])
    }

    @Test("without an endpoint there is no stream, and with an unusable one no source")
    func endpoint() async throws {
        #expect(try site.source { $0.streamEndpoint = nil }.changes() == nil)
        for unusable in ["ftp://a.example", "", "https://{user}.example/"] {
            let error = #expect(throws: ConfigurationError.self) {
                try site.source { remote in (remote.streamEndpoint, remote.user) = (unusable, "u") }
            }
            #expect(["remote.streamEndpoint", "user"].contains(error?.place))
        }
        site.answer { _ in .response(status: 204) }
        _ = try await refusal(
            site.source { remote in
                remote.endpoint += "?user={user}"
                (remote.streamEndpoint, remote.user) = ("\(site.url)/events/{user}?u={user}", "a/b")
            })
        #expect(site.requests.map(\.target) == ["/events/a%2Fb?u=a%2Fb"])
    }

    @Test("headers go to the document's server only, over at most five redirects")
    func headers() async throws {
        let other = try StreamSite()
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
        #expect(try await refusal(site.source { $0.headers = [header] })?.status == 204)
        #expect(site.requests.map(\.path) == ["/events", "/events/1", "/events/3"])
        #expect(site.requests.allSatisfy { $0.header("Authorization") == "secret" })
        #expect(other.requests.map { $0.header("Authorization") } == [nil])
        site.answer { _ in .response(status: 301, headers: [("Location", "/events")]) }
        #expect(try await refusal()?.reason == "\(start) could not be opened: more than 5 redirects")
    }

    @Test("the id of the last event is sent with the next request, unless the server refuses it or it is no header")
    func lastEventID() async throws {
        let long = String(repeating: "x", count: 1025)
        let source = try site.source()
        let texts = [
            "", "id: 7\ndata: 1\n\n", ": none\n\n", "id: ü 8\n\n", "id: \(long)\n\n", "id: a\u{1}b\n\n", "id: 9\n\n",
        ]
        for text in texts {
            site.answer { _ in Self.stream(": \n\(text)") }
            _ = await source.allHints()
        }
        site.answer { _ in .response(status: 409) }
        _ = await source.allHints()
        _ = await source.allHints()
        #expect(site.requests.map { $0.header("Last-Event-ID") } == [nil, nil, "7", "7", "ü 8", nil, nil, "9", nil])
    }

    @Test(
        "the pause that a server asks for comes with the next failure, up to a day, and with the end of a stream",
        arguments: [("5000", 5), ("0", 0), ("86400001", 86_400), ("99999999999999999999", 86_400)])
    func retry(milliseconds: String, seconds: Int) async throws {
        let source = try site.source()
        site.answer { _ in Self.stream("retry: \(milliseconds)\n\n") }
        let ended = try #require(await source.allHints())
        #expect(ended.hints == [ChangeHint()])
        #expect(ended.failure?.retryAfter == .seconds(seconds))
        #expect(ended.failure?.reason == "the server closed the stream of events")
        site.answer { _ in .response(status: 503) }
        #expect(try await refusal(source)?.retryAfter == .seconds(seconds))
        site.answer { _ in .response(status: 503, headers: [("Retry-After", "7")]) }
        #expect(try await refusal(source)?.retryAfter == .seconds(7))
    }

    @Test("a stream that is silent for too long ends, and a comment is enough")
    func silence() async throws {
        var hints = try #require(try site.source().changes()).makeAsyncIterator()
        #expect(try await hints.next() != nil)
        var streams = site.streams.makeAsyncIterator()
        let stream = try #require(await streams.next())
        // The clock is looked at when the silence could be over, and then for as long as it has not been one.
        for limit in [45, 40, 40] {
            await site.time.waitForSleep(in: .seconds(limit) ... .seconds(limit))
            site.time.advance(by: .seconds(limit - 5))
            stream.put(":\n")
            // A hint shows that the comment has come.
            stream.send("changed", "")
            #expect(try await hints.next() != nil)
            site.time.advance(by: .seconds(5))
        }
        await site.time.waitForSleep(in: .seconds(40) ... .seconds(40))
        site.time.advance(by: .seconds(40))
        let failure = await #expect(throws: FetchError.self) { try await hints.next() }
        #expect((failure?.code, failure?.reason) == (.timeout, "\(start) sent nothing for 45.0 seconds"))
        stream.end()
    }

    @Test(
        "a stream that is not opened in time ends: within the time-out, or the longest silence if that is less",
        arguments: [(10, 45, 10), (100, 45, 45), (10, 0, 1), (100_000, 100_000, 86_400)])
    func opening(timeout: Int, streamTimeout: Int, seconds: Int) async throws {
        let gate = DispatchSemaphore(value: 0)
        site.answer { _ in
            gate.wait()
            return .drop
        }
        let source = try site.source { remote in
            (remote.timeout, remote.streamTimeout) = (.seconds(timeout), .seconds(streamTimeout))
        }
        async let refusal = refusal(source)
        await site.time.waitForSleep(in: .seconds(seconds) ... .seconds(seconds))
        site.time.advance(by: .seconds(seconds))
        let failure = try await refusal
        #expect(failure?.reason == "\(start) was not opened within \(Double(seconds)) seconds")
        gate.signal()
    }

    @Test(
        "an answer that is no stream is a failure with its status, and with the wait that it asks for",
        arguments: [
            (204, nil, nil), (401, nil, nil), (404, "5", .seconds(5)), (429, "120", .seconds(120)),
            (503, "99999999", .seconds(86_400)), (500, "soon", nil), (300, nil, nil), (304, nil, nil),
        ] as [(Int, String?, Duration?)])
    func statuses(status: Int, retryAfter: String?, wait: Duration?) async throws {
        site.answer { _ in
            .response(
                status: status, headers: retryAfter.map { [("Retry-After", $0)] } ?? [],
                body: status == 204 || status == 304 ? [] : Array("data: 1\n\n".utf8))
        }
        let failure = try await refusal()
        #expect((failure?.code, failure?.status, failure?.retryAfter) == (.status, status, wait))
        #expect(failure?.reason == "\(start) could not be opened: status \(status)")
    }

    @Test(
        "an answer of another type is none",
        arguments: ["text/html", "application/json", "text/event-streams", "", nil])
    func types(type: String?) async throws {
        site.answer { _ in
            .response(status: 200, headers: type.map { [("Content-Type", $0)] } ?? [], body: Array("data: 1\n\n".utf8))
        }
        let failure = try await refusal()
        #expect((failure?.code, failure?.status) == (.stream, 200))
        let reason = "expected text/event-stream, found \(type.map { "'\($0)'" } ?? "no Content-Type")"
        #expect(failure?.reason == "\(start) could not be opened: \(reason)")
    }

    @Test("the end of a stream is no failure, unless the server closes it at once")
    func ends() async throws {
        site.answer { _ in Self.stream(": \n") }
        #expect(await (try site.source()).allHints()?.failure == nil)
        site.answer { _ in Self.stream("") }
        let failure = await (try site.source()).allHints()?.failure
        #expect(failure?.reason == "\(start) could not be opened: status 200 without events")
    }

    @Test(
        "an event or a line that is larger than a document may be ends the connection", arguments: ["data: ", ":", ""])
    func tooLarge(field: String) async throws {
        site.answer { _ in
            .stream(status: 200, headers: [("Content-Type", "text/event-stream")]) { writer in
                writer.write(Array(field.utf8))
                while writer.write(Array(repeating: 0x78, count: 1 << 16)) {}
            }
        }
        let failure = await (try site.source { $0.maxDocumentSize = 1 << 20 }).allHints()?.failure
        #expect((failure?.code, failure?.reason) == (.tooLarge, "\(start) has an event larger than 1048576 bytes"))
    }

    @Test("a connection ends when its reader is cancelled, stops reading, or never begins", arguments: 0..<3)
    func closes(how: Int) async throws {
        let (left, hasLeft) = AsyncStream.makeStream(of: Void.self)
        site.answer { _ in
            .stream(status: 200, headers: [("Content-Type", "text/event-stream")]) { writer in
                while writer.write(Array(": \n".utf8)) {}
                hasLeft.yield()
            }
        }
        let source = try site.source()
        switch how {
        case 0:
            let reader = Task { await source.allHints()?.failure }
            try await waitUntil("the stream is asked for") { !site.requests.isEmpty }
            reader.cancel()
            #expect(await reader.value == nil)
        case 1: for try await _ in try #require(source.changes()) { break }
        default: _ = source.changes()
        }
        if how == 2, site.requests.isEmpty { return }
        for await _ in left { break }
    }

    /// A transport that passes everything on, as one that measures does.
    private struct Wrapper: HTTPTransport {
        let transport = CurlTransport()

        func send(_ request: HTTPTransportRequest) async throws(HTTPTransportError) -> HTTPTransportResponse {
            try await transport.send(request)
        }

        func stream(
            _ request: HTTPTransportRequest,
            receive: @escaping @Sendable (_ head: HTTPTransportResponse, _ piece: [UInt8]) -> Bool
        ) async throws(HTTPTransportError) -> HTTPTransportResponse {
            try await transport.stream(request, receive: receive)
        }
    }

    @Test("a transport that wraps another one has its streams, and one without streams says so")
    func transports() async throws {
        site.answer { _ in Self.stream(": \n") }
        var remote = RemoteConfiguration(endpoint: site.url + "/c.json")
        remote.streamEndpoint = site.url + "/events"
        let wrapped = try #require(await HTTPSource(remote, transport: Wrapper()).allHints())
        #expect(wrapped.hints == [ChangeHint()] && wrapped.failure == nil)
        let failure = try await refusal(HTTPSource(remote, transport: ScriptedTransport()))
        #expect(failure?.reason.hasSuffix("a transport of the type ScriptedTransport has no streams") == true)
    }
}
