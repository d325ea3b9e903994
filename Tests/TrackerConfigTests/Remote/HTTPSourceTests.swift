import Foundation
import TestSupport
import Testing
import TrackerConfig
import TrackerFeatures
import TrackerLoopbackServer

/// The source over libcurl and a server on this machine.
@Suite("A document on a web server", .endsWhenItHangs)
struct HTTPSourceTests {
    private static let then = "Sun, 06 Nov 1994 08:49:37 GMT"

    @Test(
        "a Last-Modified is a validator only if it is a minute older than the answer",
        arguments: [
            ("Sun, 06 Nov 1994 08:50:37 GMT", true), ("Sun, 06 Nov 1994 08:50:36 GMT", false),
            ("Sun, 06 Nov 1994 08:49:37 GMT", false), ("Sun, 06 Nov 1994 08:00:00 GMT", false), (nil, true),
            ("soon", true),
        ])
    func lastModified(answered: String?, isValidator: Bool) async throws {
        let site = try Site { _ in
            let date = answered.map { [("Date", $0)] } ?? []
            return .response(status: 200, headers: [("Last-Modified", Self.then)] + date, body: Array("text".utf8))
        }
        let validators = DocumentValidators(lastModified: isValidator ? Self.then : nil)
        #expect(try await site.fetch() == .document("text", validators))
    }

    @Test("200 gives the bytes and the validators, with one GET and no condition")
    func document() async throws {
        let site = try Site { _ in
            .response(
                status: 200, headers: [("ETag", "\"1\""), ("Last-Modified", Self.then)], body: Array("text\u{0}\n".utf8)
            )
        }
        let fetched = try await site.fetch { $0.headers = [HTTPHeader(name: "Authorization", value: "secret")] }
        #expect(fetched == .document("text\u{0}\n", DocumentValidators(entityTag: "\"1\"", lastModified: Self.then)))
        #expect(site.lines == ["GET /trackers.json"])
        let request = site.requests[0]
        #expect(request.header("Accept") == "application/json")
        #expect(request.header("Authorization") == "secret")
        #expect(request.header("Accept-Encoding")?.contains("gzip") == true)
        #expect(request.header("If-None-Match") == nil)
        #expect(request.header("If-Modified-Since") == nil)
    }

    @Test("validators make the request conditional, and 304 is not modified")
    func notModified() async throws {
        let site = try Site { _ in .response(status: 304) }
        let fetched = try await site.fetch("/x", DocumentValidators(entityTag: "W/\"é\"", lastModified: "then"))
        #expect(fetched == .notModified)
        #expect(site.requests[0].header("If-None-Match") == "W/\"é\"")
        #expect(site.requests[0].header("If-Modified-Since") == "then")
        #expect(try await site.fetch("/x", DocumentValidators(lastModified: "then")) == .notModified)
        #expect(site.requests[1].header("If-None-Match") == nil)
        let unasked = "status 304 to a request without a condition"
        #expect(try await site.fetch() == .failed(.status, unasked, status: 304))
    }

    @Test("a failure names the URL and the status")
    func sentences() async throws {
        let transport = ScriptedTransport()
        let source = try HTTPSource(RemoteConfiguration(endpoint: "config.example/c.json"), transport: transport)
        for (status, reason) in [(404, "status 404"), (206, "status 206")] {
            transport.script(status)
            let error = try await #require(throws: FetchError.self) { try await source.fetch(nil) }
            #expect((error.code, error.status, error.reason) == (.status, status, reason))
            let sentence = "cannot fetch https://config.example/c.json: \(reason)"
            let outcome = ConfigurationOutcome.failed(error)
            #expect((outcome.description, outcome.reason) == (sentence, sentence))
        }
        let own = ConfigurationOutcome.failed(FetchError(.transport, reason: "no route"))
        #expect(own.description == "cannot fetch the document: no route")
    }

    @Test(
        "a response that is no JSON at all is said to be what it is",
        arguments: [
            (" \n", "text/html", "the response is empty"),
            (
                "<html>\n<body>", "text/html; charset=utf-8",
                "the response is not JSON, it begins with \"<html>\" (text/html); is a proxy in between?"
            ),
            (
                "404 page not found\n", "text/plain",
                "the response is not JSON, it begins with \"404 page not found\" (text/plain)"
            ),
            (
                "not found \u{202E}" + String(repeating: "x", count: 100), nil,
                "the response is not JSON, it begins with \"not found \\u{202E}"
                    + String(repeating: "x", count: 29) + "…\""
            ),
            ("{", "text/html", nil), ("\"a", nil, nil), ("\u{FEFF}{}", nil, nil),
        ] as [(String, String?, String?)])
    func noJSON(body: String, type: String?, reason: String?) throws {
        let headers = type.map { [HTTPHeader(name: "content-type", value: $0)] } ?? []
        var document = FetchedDocument(Array(body.utf8), headers: headers)
        let error = try #require(throws: ConfigurationError.self) { try Document(document.bytes) }
        #expect(document.fault(error) == error, "it is no response")
        document.url = "https://config.example"
        let fault = document.fault(error)
        #expect(fault.description == reason.map { "https://config.example: \($0)" } ?? error.description)
        #expect(fault.code == .malformed)
    }

    @Test("POST has an empty body and its length")
    func post() async throws {
        let site = try Site { _ in .response(status: 200, body: Array("{}".utf8)) }
        #expect(try await site.fetch(method: .post).text == "{}")
        #expect(site.lines == ["POST /trackers.json"])
        #expect(site.requests[0].body == [])
        #expect(site.requests[0].header("Content-Length") == "0")
    }

    @Test(
        "a document of exactly the limit is taken, and one byte more is not, with and without a length",
        arguments: [1000, 1001], [true, false])
    func size(size: Int, hasLength: Bool) async throws {
        let body = Array(repeating: UInt8(ascii: "a"), count: size)
        let site = try Site { _ in
            hasLength ? .response(status: 200, body: body) : .stream(status: 200) { writer in writer.write(body) }
        }
        let fetched = try await site.fetch { $0.maxDocumentSize = 1000 }
        if size <= 1000 {
            #expect(fetched.text?.count == size)
        } else {
            #expect(fetched == .failed(.tooLarge, "the document is larger than 1000 bytes"))
        }
    }

    @Test("an endless document is stopped at the limit, and the connection is closed")
    func endless() async throws {
        let (ends, end) = AsyncStream.makeStream(of: Int.self)
        let site = try Site { _ in
            .stream(status: 200) { writer in
                var count = 0
                while writer.write(Array(repeating: 97, count: 4096)) { count += 4096 }
                end.yield(count)
            }
        }
        #expect(try await site.fetch { $0.maxDocumentSize = 100_000 }.code == .tooLarge)
        var iterator = ends.makeAsyncIterator()
        // The rest is what lay in the buffers of both sockets.
        #expect(try #require(await iterator.next()) < 50_000_000)
    }

    @Test("gzip is read, the limit counts what comes out, and what is broken or cut is no document")
    func gzip() async throws {
        let text = DocumentText.document(1, DocumentText.bundle())
        let whole = Gzip.stored(Array(text.utf8))
        let body = Locked(whole)
        let site = try Site { _ in
            .response(status: 200, headers: [("Content-Encoding", "gzip")], body: body.withLock { $0 })
        }
        // The body itself is larger than the limit, by its head.
        #expect(try await site.fetch { $0.maxDocumentSize = text.utf8.count }.text == text)
        #expect(try await site.fetch { $0.maxDocumentSize = text.utf8.count - 1 }.code == .tooLarge)
        body.withLock { $0[whole.count - 5] ^= 1 }
        #expect(try await site.fetch().code == .transport)
        body.withLock { $0 = Array(whole.prefix(100)) }
        // libcurl does not tell that the stream has no end.
        let cut = Array((try await site.fetch().text ?? "").utf8)
        #expect(throws: ConfigurationError.self) { try Document(cut) }
    }

    @Test("the largest timeout and size do not trap", arguments: [Int64.max, 1 << 40])
    func largest(seconds: Int64) async throws {
        let site = try Site { _ in .response(status: 200, body: Array("{}".utf8)) }
        #expect(try await site.fetch { ($0.timeout, $0.maxDocumentSize) = (.seconds(seconds), .max) }.text == "{}")
    }

    @Test("a timeout that is no time fails at once, without a request", arguments: [0, -1])
    func noTime(seconds: Int) async throws {
        let site = try Site { _ in .response(status: 200) }
        #expect(try await site.fetch { $0.timeout = .seconds(seconds) }.code == .timeout)
        #expect(site.requests.isEmpty)
    }

    @Test(
        "a dropped connection, garbage and a document cut short are failures",
        arguments: [
            ServerReply.drop, .raw(Array("garbage\r\n\r\n".utf8)), .raw([]), .raw([0, 1, 2, 255]),
            .raw(Array("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n{}".utf8)),
            .raw(Array("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n".utf8)),
        ])
    func broken(reply: ServerReply) async throws {
        let site = try Site { _ in reply }
        #expect(try await site.fetch().code == .transport)
    }

    @Test("a file of certificates that does not exist fails the fetch and says so")
    func certificates() async throws {
        let site = try Site { _ in .response(status: 200) }
        let fetched = try await site.fetch {
            $0.endpoint = $0.endpoint.replacing("http://", with: "https://")
            $0.certificateFile = "/nonexistent/ca.pem"
        }
        let cause = "cannot open /nonexistent/ca.pem: No such file or directory"
        #expect(fetched == .failed(.transport, "the certificate file cannot be used: \(cause)"))
        #expect(site.requests.isEmpty)
    }

    @Test(
        "a fetch names the SDK and its version, and headers replace it in any case",
        arguments: [nil, "User-Agent", "user-agent"])
    func userAgent(name: String?) async throws {
        let transport = ScriptedTransport()
        let elsewhere = HTTPTransportResponse(
            status: 302, headers: [HTTPHeader(name: "Location", value: "https://other.example/")])
        transport.script([.success(elsewhere)])
        var remote = RemoteConfiguration(endpoint: "config.example")
        remote.headers = name.map { [HTTPHeader(name: $0, value: "acme/1")] } ?? []
        _ = await HTTPSource.fetched(try HTTPSource(remote, transport: transport))
        let sent = transport.requests.map { request in
            request.headers.filter { $0.name.lowercased() == "user-agent" }.map(\.value)
        }
        let own = "tracker-config/0.4.0 (swift-srv-0.4.0)"
        #expect(sent == [[name == nil ? own : "acme/1"], [own]])
    }

    @Test("a transport that keeps no limit does not help a document over it")
    func otherTransport() async throws {
        let transport = ScriptedTransport()
        transport.script([.success(HTTPTransportResponse(status: 200, body: [1, 2, 3, 4]))])
        var remote = RemoteConfiguration(endpoint: "config.example")
        remote.maxDocumentSize = 3
        let source = try HTTPSource(remote, transport: transport)
        #expect(await HTTPSource.fetched(source).code == .tooLarge)
        #expect(transport.requests[0].maxResponseSize == 3)
    }

    @Test(
        "a transport's failures are told apart",
        arguments: [
            (NamedCode<HTTPTransportError>.timeout, NamedCode<FetchError>.timeout), (.responseTooLarge, .tooLarge),
            (.cancelled, .shutDown), (.failed, .transport),
        ])
    func failures(failure: NamedCode<HTTPTransportError>, code: NamedCode<FetchError>) async throws {
        let transport = ScriptedTransport()
        transport.script([.failure(HTTPTransportError(failure, reason: "because"))])
        let source = try HTTPSource(RemoteConfiguration(endpoint: "config.example"), transport: transport)
        #expect(await HTTPSource.fetched(source).code == code)
    }

    @Test("the cause of a failure is the transport's error, and the file's for a file that cannot be read")
    func causes() async throws {
        let transport = ScriptedTransport()
        let failure = HTTPTransportError(.failed, reason: "the test says so")
        transport.respond { _ in .failure(failure) }
        let source = try HTTPSource(RemoteConfiguration(endpoint: "https://c.example/x"), transport: transport)
        let missing = await #expect(throws: FetchError.self) { try await source.fetch(nil) }
        #expect(missing?.cause as? HTTPTransportError == failure)
        let file = FileSource(path: "/nowhere/document.json")
        let unreadable = await #expect(throws: FetchError.self) { try await file.fetch(nil) }
        #expect(unreadable?.cause is FileError)
    }
}
