import TestSupport
import Testing
import TrackerCore
import TrackerLoopbackServer

/// What comes before and after a response's body.
@Suite("Headers and trailers of a response", .endsWhenItHangs)
struct ResponseHeadTests {
    private static let tooLarge = "the headers and trailers of the answer are larger than 65536 bytes"

    private func response(_ reply: ServerReply) async throws -> HTTPTransportResponse {
        let server = try LoopbackServer { _ in reply }
        return try await CurlTransport().send(HTTPTransportRequest(method: "GET", url: server.url))
    }

    private func expectTooLarge(_ reply: ServerReply) async {
        let error = await #expect(throws: HTTPTransportError.self) { try await response(reply) }
        #expect(error?.code == .failed)
        #expect(error?.reason == Self.tooLarge)
    }

    @Test("endless trailers end the request", arguments: ["t: 1\r\n", "t: \(String(repeating: "a", count: 1000))\r\n"])
    func endlessTrailers(line: String) async throws {
        await expectTooLarge(
            .stream(status: 200, headers: [("Transfer-Encoding", "chunked")]) { writer in
                writer.write(Array("0\r\n".utf8))
                while writer.write(Array(line.utf8)) {}
            })
    }

    @Test("headers are bounded, also those of interim responses together")
    func bounded() async throws {
        let padding = String(repeating: "a", count: 10_000)
        func head(_ status: String, _ count: Int) -> String {
            "HTTP/1.1 \(status)\r\n" + (0..<count).map { "X-\($0): \(padding)\r\n" }.joined() + "\r\n"
        }
        let small = Array((head("103 Early Hints", 2) + head("200 OK", 4)).utf8)
        #expect(try await response(.raw(small)).headers.count == 4)
        await expectTooLarge(.raw(Array(head("200 OK", 7).utf8)))
        let interim = String(repeating: head("103 Early Hints", 2), count: 4)
        await expectTooLarge(.raw(Array((interim + head("200 OK", 1)).utf8)))
    }

    @Test("headers are those of the final response alone, whatever trailers are called")
    func finalHeaders() async throws {
        let text =
            "HTTP/1.1 103 Early Hints\r\nETag: early\r\nX-Early: 1\r\n\r\n"
            + "HTTP/1.1 200 OK\r\nETag: right\r\nTransfer-Encoding: chunked\r\n\r\n"
            + "1\r\na\r\n0\r\nHTTP/1.1: x\r\nETag: trailer\r\n\r\n"
        let response = try await response(.raw(Array(text.utf8)))
        #expect(response.body == Array("a".utf8))
        #expect(
            response.headers == [
                HTTPHeader(name: "ETag", value: "right"), HTTPHeader(name: "Transfer-Encoding", value: "chunked"),
            ])
    }
}
