import AsyncHTTPClient
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import IntegrationTesting
import Testing
import TrackerAsyncHTTPClient
import TrackerConfig
import TrackerCore
import TrackerTesting

@Suite("AsyncHTTPClientTransport", .timeLimit(.minutes(10)))
struct AsyncHTTPClientTransportTests {
    /// Runs a test against a server that answers, redirects, stalls and compresses.
    private func withServer(
        _ body: @Sendable (_ transport: AsyncHTTPClientTransport, _ url: String) async throws -> Void
    ) async throws {
        let router = Router()
        router.post("echo") { request, _ in
            let buffer = try await request.body.collect(upTo: 1 << 20)
            var response = Response(status: .accepted, body: ResponseBody(byteBuffer: buffer))
            response.headers[HTTPField.Name("X-Type")!] = request.headers[.contentType]
            return response
        }
        router.get("redirect") { _, _ in Response.redirect(to: "/large", type: .temporary) }
        router.get("large") { _, _ in String(repeating: "x", count: 100_000) }
        router.get("stall") { _, _ in
            Response(
                status: .ok,
                body: ResponseBody { writer in
                    // Until the client closes the connection.
                    while true {
                        try await writer.write(ByteBuffer(string: "a piece"))
                        try await Task.sleep(for: .milliseconds(10))
                    }
                })
        }
        router.get("gzip") { request, _ in
            guard request.headers[.acceptEncoding] == "gzip" else { return Response(status: .notAcceptable) }
            var response = Response(status: .ok, body: ResponseBody(byteBuffer: ByteBuffer(bytes: Self.compressed)))
            response.headers[.contentEncoding] = "gzip"
            return response
        }
        try await Application(router: router).test(.live) { client in
            let transport = AsyncHTTPClientTransport()
            do {
                try await body(transport, "http://127.0.0.1:\(client.port ?? 0)")
            } catch {
                try await transport.shutdown()
                throw error
            }
            try await transport.shutdown()
        }
    }

    /// 1,000 times the letter a, by gzip.
    private static let compressed: [UInt8] = [
        0x1F, 0x8B, 0x08, 0x00, 0x00, 0x00, 0x00, 0x00, 0x02, 0x03, 0x4B, 0x4C, 0x1C, 0x05, 0xA3, 0x60,
        0x14, 0x0C, 0x77, 0x00, 0x00, 0x03, 0xDA, 0x38, 0x9A, 0xE8, 0x03, 0x00, 0x00,
    ]

    private func failure(
        _ transport: AsyncHTTPClientTransport, _ request: HTTPTransportRequest
    ) async -> HTTPTransportError? {
        do throws(HTTPTransportError) {
            _ = try await transport.send(request)
            return nil
        } catch {
            return error
        }
    }

    @Test("a body and headers are sent, and those of the response come back")
    func exchange() async throws {
        try await withServer { transport, url in
            let response = try await transport.send(
                HTTPTransportRequest(
                    method: "POST", url: "\(url)/echo", headers: [HTTPHeader(name: "Content-Type", value: "text/a")],
                    body: Array("hello".utf8)))
            #expect(response.status == 202)
            #expect(response.body == Array("hello".utf8))
            #expect(response.header("x-type") == "text/a")
            #expect(try await transport.send(HTTPTransportRequest(method: "GET", url: "\(url)/none")).status == 404)
            #expect(try await transport.send(HTTPTransportRequest(method: "POST", url: "\(url)/echo")).body.isEmpty)
        }
    }

    @Test("redirects are not followed")
    func redirect() async throws {
        try await withServer { transport, url in
            let response = try await transport.send(HTTPTransportRequest(method: "GET", url: "\(url)/redirect"))
            #expect(response.status == 307)
            #expect(response.header("Location") == "/large")
        }
    }

    @Test("a response that is larger than it may be fails, also after decompression")
    func size() async throws {
        try await withServer { transport, url in
            var request = HTTPTransportRequest(method: "GET", url: "\(url)/large", maxResponseSize: 100_000)
            let large = try await transport.send(request)
            #expect(large.body.count == 100_000)
            request.maxResponseSize = 99_999
            let error = await failure(transport, request)
            #expect(error?.code == .responseTooLarge)
            #expect(error?.status == 200)
            request = HTTPTransportRequest(method: "GET", url: "\(url)/gzip", maxResponseSize: 1000)
            let decompressed = try await transport.send(request)
            #expect(decompressed.body == Array(repeating: UInt8(ascii: "a"), count: 1000))
            request.maxResponseSize = 999
            #expect(await failure(transport, request)?.code == .responseTooLarge)
        }
    }

    @Test("the timeout counts for the whole body")
    func timeout() async throws {
        try await withServer { transport, url in
            // A time for each piece would never be over.
            let request = HTTPTransportRequest(method: "GET", url: "\(url)/stall", timeout: .milliseconds(200))
            #expect(await failure(transport, request)?.code == .timeout)
        }
    }

    @Test("a cancelled task does not wait for the response")
    func cancellation() async throws {
        try await withServer { transport, url in
            let task = Task { await failure(transport, HTTPTransportRequest(method: "GET", url: "\(url)/stall")) }
            task.cancel()
            #expect(await task.value?.code == .cancelled)
        }
    }

    @Test("an unusable URL, a closed port and a missing file of certificates fail")
    func failures() async throws {
        try await withServer { transport, url in
            #expect(await failure(transport, HTTPTransportRequest(method: "GET", url: "nonsense"))?.code == .failed)
            #expect(
                await failure(transport, HTTPTransportRequest(method: "GET", url: "http://127.0.0.1:1"))?.code
                    == .failed)
            let request = HTTPTransportRequest(
                method: "GET", url: url.replacing("http:", with: "https:"), certificateFile: "/nowhere/ca.pem")
            #expect(await failure(transport, request)?.code == .failed)
        }
    }

    @Test("it keeps the promises of HTTPTransport")
    func conformance() async throws {
        let transport = AsyncHTTPClientTransport()
        do {
            try await Conformance.check(transport)
        } catch {
            try await transport.shutdown()
            throw error
        }
        try await transport.shutdown()
    }

    @Test("a setup fetches its document and sends its events over it")
    func setup() async throws {
        let (received, continuation) = AsyncStream<String>.makeStream()
        let router = Router()
        router.get("shop.json") { _, _ in String(decoding: DocumentSource.document(3), as: UTF8.self) }
        router.post("com.snowplowanalytics.snowplow/tp2") { request, _ in
            continuation.yield(String(buffer: try await request.body.collect(upTo: 1 << 20)))
            return HTTPResponse.Status.ok
        }
        try await Application(router: router).test(.live) { client in
            let url = "http://127.0.0.1:\(client.port ?? 0)"
            let (transport, directory) = (AsyncHTTPClientTransport(), TemporaryDirectory())
            var options = SetupOptions()
            (options.transport, options.cache, options.stateDirectory) = (transport, MemoryCache(), directory.path)
            options.storesEvents = false
            let setup = try Setup(
                remote: RemoteConfiguration(endpoint: "\(url)/shop.json"),
                default: [ConfigurationBundle(namespace: "other", network: NetworkConfiguration(endpoint: url))],
                options: options)
            #expect(await setup.refresh().version == 3)
            setup.tracker("other")?.track(Structured(category: "cart", action: "add"))
            let report = await setup.shutdown()
            #expect(report.sent == 1)
            continuation.finish()
            #expect(await received.first { _ in true }?.contains("cart") == true)
            try await transport.shutdown()
        }
    }
}
