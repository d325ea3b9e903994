import HTTPTypes
import Hummingbird
import ServiceLifecycle
import TrackerConfig
import TrackerConsole

extension Router {
    /// Mounts a console at the path that it has built in.
    func mount(_ console: WebConsole) {
        for path: RouterPath in ["console", "console/**"] {
            for method: HTTPRequest.Method in [.get, .put, .post, .delete] {
                on(path, method: method) { request, _ in try await console.respond(to: request) }
            }
        }
    }
}

extension WebConsole {
    fileprivate func respond(to request: Request) async throws -> Response {
        let answer = await respond(
            to: ConsoleRequest(
                method: request.method.rawValue, path: request.uri.string, authority: request.head.authority,
                headers: request.headers.map { HTTPHeader(name: $0.name.rawName, value: $0.value) },
                body: Array(buffer: try await request.body.collect(upTo: ConsoleRequest.mostBytes))))
        var response = Response(status: HTTPResponse.Status(code: answer.status))
        for header in answer.headers { response.headers[HTTPField.Name(header.name)!] = header.value }
        switch answer.body {
        case .bytes(let bytes): response.body = ResponseBody(byteBuffer: ByteBuffer(bytes: bytes))
        // An open page must not keep the server from shutting down.
        case .stream(let pieces):
            response.body = ResponseBody(
                asyncSequence: pieces.map { ByteBuffer(bytes: $0) }.cancelOnGracefulShutdown())
        }
        return response
    }
}
