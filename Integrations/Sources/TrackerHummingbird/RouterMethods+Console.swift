import HTTPTypes
public import Hummingbird
import ServiceLifecycle
public import TrackerConfig
public import TrackerConsole

extension RouterMethods {
    /// Mounts a console at the path of its options. HEAD needs the router's option `autoGenerateHeadEndpoints`.
    ///
    /// ```swift
    /// var options = ConsoleOptions()
    /// options.path = "/admin"
    /// options.token = token
    /// router.addConsole(WebConsole(setup, options: options))
    /// ```
    ///
    /// The console's access rules apply. Its open pages do not delay the server's graceful shutdown. The path is that of the
    /// whole request, so use the router or a group without a path.
    /// - Parameter console: The console.
    /// - Returns: The router.
    @discardableResult
    public func addConsole(_ console: WebConsole) -> Self {
        for path: RouterPath in ["\(console.path)", "\(console.path)/**"] {
            for method: HTTPRequest.Method in [.get, .put, .post, .delete] {
                on(path, method: method) { request, _ in try await console.respond(to: request) }
            }
        }
        return self
    }

    /// Adds routes for probes and for Prometheus, which need no token: put them behind the host's firewall, or on a server of
    /// their own.
    ///
    /// ```swift
    /// router.addHealthAndMetrics(setup)
    /// ```
    ///
    /// The first route answers 200 if a document or the default is in use, and 503 otherwise, with the lines of the status as
    /// JSON; with `?strict` also 503 if a tracker fails. The second answers what Prometheus scrapes.
    /// - Parameters:
    ///   - setup: The setup.
    ///   - health: The path of the first route; `health` by default.
    ///   - metrics: The path of the second route; `metrics` by default.
    /// - Returns: The router.
    @discardableResult
    public func addHealthAndMetrics(
        _ setup: Setup, health: RouterPath = "health", metrics: RouterPath = "metrics"
    ) -> Self {
        var options = ConsoleOptions()
        // Requests pass with a token that only these routes have, under any name of the host.
        let token =
            String(UInt64.random(in: .min ... .max), radix: 36) + String(UInt64.random(in: .min ... .max), radix: 36)
        options.token = token
        let console = WebConsole(setup, options: options)
        for (route, name) in [(health, "health"), (metrics, "metrics")] {
            get(route) { request, _ in
                var asked = ConsoleRequest(
                    method: "GET", path: "/console/\(name)",
                    headers: [
                        HTTPHeader(name: "Authorization", value: "Bearer \(token)")
                    ])
                if let query = request.uri.query { asked.path += "?\(query)" }
                if let accept = request.headers[.accept] {
                    asked.headers.append(HTTPHeader(name: "Accept", value: accept))
                }
                return Response(await console.respond(to: asked))
            }
        }
        return self
    }
}

extension WebConsole {
    fileprivate func respond(to request: Request) async throws -> Response {
        let asked = ConsoleRequest(
            method: request.method.rawValue, path: request.uri.string, authority: request.head.authority,
            headers: request.headers.map { HTTPHeader(name: $0.name.rawName, value: $0.value) },
            body: Array(buffer: try await request.body.collect(upTo: ConsoleRequest.mostBytes)))
        return Response(await respond(to: asked))
    }
}

extension Response {
    fileprivate init(_ response: ConsoleResponse) {
        self.init(status: HTTPResponse.Status(code: response.status))
        for header in response.headers {
            // All names of the console are names of HTTP.
            headers[HTTPField.Name(header.name)!] = header.value
        }
        switch response.body {
        case .bytes(let bytes): body = ResponseBody(byteBuffer: ByteBuffer(bytes: bytes))
        // An open page must not keep the server from shutting down.
        case .stream(let pieces):
            body = ResponseBody(asyncSequence: pieces.map { ByteBuffer(bytes: $0) }.cancelOnGracefulShutdown())
        }
    }
}
