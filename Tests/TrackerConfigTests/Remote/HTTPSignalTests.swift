import Dispatch
import TestSupport
import Testing
import TrackerConfig
import TrackerCore
import TrackerLoopbackServer
import TrackerTesting

/// What a source makes of the events of a server.
@Suite("Signals from server-sent events", .endsWhenItHangs)
struct HTTPSignalTests {
    private let site: SignalSite

    init() throws { site = try SignalSite() }

    /// The answer of a stream that ends after a text.
    private static func stream(_ text: String) -> ServerReply {
        .stream(status: 200, headers: [("Content-Type", "Text/Event-Stream")]) { $0.write(Array(text.utf8)) }
    }

    @Test("an open stream is connected before its first event, and events are signals as they come")
    func events() async throws {
        var signals = try #require(try site.source().signals()).makeAsyncIterator()
        #expect(await signals.next()?.kind == .connected)
        var streams = site.streams.makeAsyncIterator()
        let stream = try #require(await streams.next())
        stream.send("changed", #"{"version": 9, "etag": "x", "spread": 3}"#)
        let changed = await signals.next()
        #expect((changed?.kind, changed?.version) == (.changed, 9))
        #expect((changed?.entityTag, changed?.spread) == ("x", .seconds(3)))
        stream.send("other", "{}")
        stream.put("data: {\"version\": 10}\n\n")
        #expect(await signals.next()?.version == 10)
        stream.send("document", "{}")
        let document = await signals.next()
        #expect((document?.kind, document?.document?.bytes) == (.document, Array("{}".utf8)))
        #expect((document?.document?.validators, document?.document?.headers) == (DocumentValidators(), []))
        for text in ["", "hello", "[1]"] {
            stream.send("changed", text)
            let signal = await signals.next()
            #expect((signal?.kind, signal?.version, signal?.failure) == (.changed, nil, nil))
        }
        stream.send("changed", #"{"version": "9"}"#)
        let wrong = await signals.next()
        #expect((wrong?.kind, wrong?.version, wrong?.failure?.code) == (.changed, nil, .stream))
        stream.end()
        #expect(await signals.next() == nil)
        #expect(site.requests.map { $0.header("Accept") } == ["text/event-stream"])
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
            _ = await source.allSignals()
        }
        site.answer { _ in .response(status: 409) }
        _ = await source.allSignals()
        _ = await source.allSignals()
        #expect(site.requests.map { $0.header("Last-Event-ID") } == [nil, nil, "7", "7", "ü 8", nil, nil, "9", nil])
    }

    @Test(
        "the pause that a server asks for comes with the next failure, up to a day, and with the end of a stream",
        arguments: [("5000", 5), ("0", 0), ("86400001", 86_400), ("99999999999999999999", 86_400)])
    func retry(milliseconds: String, seconds: Int) async throws {
        let source = try site.source()
        site.answer { _ in Self.stream("retry: \(milliseconds)\n\n") }
        let ended = await source.allSignals() ?? []
        #expect(ended.map(\.kind) == [.connected, .disconnected])
        #expect(ended.last?.failure?.retryAfter == .seconds(seconds))
        #expect(ended.last?.failure?.reason == "the server closed the stream of events")
        site.answer { _ in .response(status: 503) }
        #expect(await source.refusal()?.retryAfter == .seconds(seconds))
        site.answer { _ in .response(status: 503, headers: [("Retry-After", "7")]) }
        #expect(await source.refusal()?.retryAfter == .seconds(7))
        site.answer { _ in .drop }
        #expect(await source.refusal()?.retryAfter == .seconds(seconds))
    }

    @Test("a stream that is silent for too long ends, and a comment is enough")
    func silence() async throws {
        var signals = try #require(try site.source().signals()).makeAsyncIterator()
        #expect(await signals.next()?.kind == .connected)
        var streams = site.streams.makeAsyncIterator()
        let stream = try #require(await streams.next())
        // The clock is looked at when the silence could be over, and then for as long as it has not been one.
        for limit in [45, 40, 40] {
            await site.time.waitForSleep(in: .seconds(limit) ... .seconds(limit))
            site.time.advance(by: .seconds(limit - 5))
            stream.put(":\n")
            // A signal shows that the comment has come.
            stream.send("changed", "")
            #expect(await signals.next()?.kind == .changed)
            site.time.advance(by: .seconds(5))
        }
        await site.time.waitForSleep(in: .seconds(40) ... .seconds(40))
        site.time.advance(by: .seconds(40))
        let failure = await signals.next()?.failure
        #expect(failure?.code == .timeout)
        #expect(failure?.reason == "the stream of events \(site.url)/events sent nothing for 45.0 seconds")
        #expect(await signals.next() == nil)
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
        async let refusal = source.refusal()
        await site.time.waitForSleep(in: .seconds(seconds) ... .seconds(seconds))
        site.time.advance(by: .seconds(seconds))
        let failure = await refusal
        #expect(failure?.code == .timeout)
        let stream = "the stream of events \(site.url)/events"
        #expect(failure?.reason == "\(stream) was not opened within \(Double(seconds)) seconds")
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
        let failure = await (try site.source()).refusal()
        #expect((failure?.code, failure?.status, failure?.retryAfter) == (.status, status, wait))
        #expect(failure?.reason == "the stream of events \(site.url)/events could not be opened: status \(status)")
    }

    @Test(
        "an answer of another type is none",
        arguments: ["text/html", "application/json", "text/event-streams", "", nil])
    func types(type: String?) async throws {
        site.answer { _ in
            .response(status: 200, headers: type.map { [("Content-Type", $0)] } ?? [], body: Array("data: 1\n\n".utf8))
        }
        let failure = await (try site.source()).refusal()
        #expect((failure?.code, failure?.status) == (.stream, 200))
        let reason = "expected text/event-stream, found \(type.map { "'\($0)'" } ?? "no Content-Type")"
        #expect(failure?.reason == "the stream of events \(site.url)/events could not be opened: \(reason)")
    }

    @Test("the end of a stream is no failure, unless the server closes it at once")
    func ends() async throws {
        let source = try site.source()
        site.answer { _ in Self.stream(": \n") }
        #expect(await source.allSignals()?.map(\.kind) == [.connected])
        site.answer { _ in Self.stream("") }
        let signals = await source.allSignals() ?? []
        #expect(signals.map(\.kind) == [.connected, .disconnected])
        let reason = "the stream of events \(site.url)/events could not be opened: status 200 without events"
        #expect(signals.last?.failure?.reason == reason)
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
        let signals = await (try site.source { $0.maxDocumentSize = 1 << 20 }).allSignals() ?? []
        #expect(signals.map(\.kind) == [.connected, .disconnected])
        let reason = "the stream of events \(site.url)/events has an event larger than 1048576 bytes"
        #expect((signals.last?.failure?.code, signals.last?.failure?.reason) == (.tooLarge, reason))
    }

    @Test("bytes that are no events say nothing, and the stream goes on")
    func garbage() async throws {
        let random = SeededRandom(seed: 7)
        let bytes = (0..<1000).map { _ in UInt8(random.fraction() * 256) }.filter { $0 != 0x3A }
        site.answer { _ in
            .stream(status: 200, headers: [("Content-Type", "text/event-stream")]) { writer in
                writer.write(bytes)
                writer.write(Array("\n\ndata: {\"version\": 3}\n\n".utf8))
            }
        }
        let signals = await (try site.source()).allSignals() ?? []
        #expect(signals.map(\.kind) == [.connected, .changed])
        #expect(signals.last?.version == 3)
    }

    @Test("a server that dies ends the connection with a failure")
    func dies() async throws {
        let headers = [("Content-Type", "text/event-stream"), ("Transfer-Encoding", "chunked")]
        let dead = DispatchSemaphore(value: 0)
        site.answer { _ in
            .stream(status: 200, headers: headers) { writer in
                writer.write(Array("2\r\n:\n\r\n".utf8))
                dead.wait()
            }
        }
        var signals = try #require(try site.source().signals()).makeAsyncIterator()
        #expect(await signals.next()?.kind == .connected)
        site.stop()
        dead.signal()
        let failure = await signals.next()?.failure
        #expect(failure?.code == .transport)
        #expect(failure?.reason.hasPrefix("the stream of events \(site.url)/events broke: ") == true)
        #expect(await signals.next() == nil)
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
            let reader = Task { await source.allSignals()?.map(\.kind) }
            try await waitUntil("the stream is asked for") { !site.requests.isEmpty }
            reader.cancel()
            #expect(await reader.value?.contains(.disconnected) == false)
        case 1: for await _ in try #require(source.signals()) { break }
        default: _ = source.signals()
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

    @Test("a transport that wraps another one has its streams")
    func wrappedTransport() async throws {
        site.answer { _ in Self.stream(": \n") }
        var remote = RemoteConfiguration(endpoint: site.url + "/c.json")
        remote.streamEndpoint = site.url + "/events"
        let signals = try HTTPSource(remote, transport: Wrapper()).signals()
        var iterator = try #require(signals).makeAsyncIterator()
        #expect(await iterator.next()?.kind == .connected)
    }

    @Test("a transport without streams says so")
    func otherTransport() async throws {
        var remote = RemoteConfiguration(endpoint: "https://config.example")
        remote.streamEndpoint = "https://config.example/events"
        let signals = try HTTPSource(remote, transport: ScriptedTransport()).signals()
        var iterator = try #require(signals).makeAsyncIterator()
        let signal = await iterator.next()
        #expect(signal?.kind == .disconnected)
        #expect(signal?.failure?.reason.hasSuffix("a transport of the type ScriptedTransport has no streams") == true)
    }
}
