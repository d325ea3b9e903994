import HTTPTypes
public import Hummingbird
import ServiceLifecycle
public import TrackerConfig
public import TrackerConsole

extension RouterMethods {
    /// Mounts a console at the path of its options. HEAD needs the router's option `autoGenerateHeadEndpoints`.
    ///
    /// If the host has its own login, `client` returns the authenticated user:
    ///
    /// ```swift
    /// var options = ConsoleOptions()
    /// options.path = "/admin"
    /// options.allowsChanges = true
    /// router.group().add(middleware: StaffLogin()).addConsole(WebConsole(setup, options: options)) { _, context in
    ///     context.identity?.name
    /// }
    /// ```
    ///
    /// The console's access rules apply. Its open pages do not delay the server's graceful shutdown. The path is that
    /// of the whole request, so use the router or a group without a path.
    /// - Parameters:
    ///   - console: The console.
    ///   - client: Returns the name of the user whom the host's login has authenticated, which is recorded as the
    ///     author of changes. nil, the default, if there is no login: then `ConsoleOptions.token` or a known host
    ///     protects the console.
    /// - Returns: The router.
    @discardableResult
    public func addConsole(
        _ console: WebConsole,
        client: @escaping @Sendable (_ request: Request, _ context: Context) -> String? = { _, _ in nil }
    ) -> Self {
        for path: RouterPath in ["\(console.path)", "\(console.path)/**"] {
            for method: HTTPRequest.Method in [.get, .put, .post, .delete] {
                on(path, method: method) { request, context in
                    let asked = ConsoleRequest(
                        method: request.method.rawValue, path: request.uri.string, authority: request.head.authority,
                        headers: request.headers.map { HTTPHeader(name: $0.name.rawName, value: $0.value) },
                        body: Array(buffer: try await request.body.collect(upTo: ConsoleRequest.mostBytes)),
                        client: client(request, context))
                    return Response(await console.respond(to: asked))
                }
            }
        }
        return self
    }

    /// Adds routes for health probes and Prometheus, which need no token: put them behind the host's firewall, or on a
    /// separate server.
    ///
    /// ```swift
    /// router.addHealthAndMetrics(setup)
    /// ```
    ///
    /// The first route answers 200 if a document or the default is in use, and 503 otherwise, with the lines of the
    /// status as JSON; with `?strict` it also answers 503 if a tracker fails. The second route answers with the metrics
    /// for Prometheus.
    /// - Parameters:
    ///   - setup: The setup.
    ///   - health: The path of the first route; `health` by default.
    ///   - metrics: The path of the second route; `metrics` by default.
    /// - Returns: The router.
    @discardableResult
    public func addHealthAndMetrics(
        _ setup: Setup, health: RouterPath = "health", metrics: RouterPath = "metrics"
    ) -> Self {
        let console = WebConsole(setup)
        for (route, name) in [(health, "health"), (metrics, "metrics")] {
            get(route) { request, _ in
                let query = request.uri.query.map { "?\($0)" } ?? ""
                // A known host passes the console's check; the route serves only this page.
                return Response(
                    await console.respond(
                        to: ConsoleRequest(method: "GET", path: "/console/\(name)\(query)", authority: "localhost")))
            }
        }
        return self
    }
}

extension Response {
    fileprivate init(_ response: ConsoleResponse) {
        self.init(status: HTTPResponse.Status(code: response.status))
        for header in response.headers {
            // All header names of the console are valid.
            headers[HTTPField.Name(header.name)!] = header.value
        }
        switch response.body {
        case .bytes(let bytes): body = ResponseBody(byteBuffer: ByteBuffer(bytes: bytes))
        // An open page must not delay the server's shutdown.
        case .stream(let pieces):
            body = ResponseBody(asyncSequence: pieces.map { ByteBuffer(bytes: $0) }.cancelOnGracefulShutdown())
        }
    }
}
