import TrackerConfig
public import TrackerCore

/// The response of a ``WebConsole``.
public struct ConsoleResponse: Sendable {
    /// The body of a response.
    public enum Body: Sendable {
        /// The complete body.
        case bytes([UInt8])
        /// A stream of pieces until the reader stops: server-sent events. Cancel it when the server shuts down.
        case stream(AsyncStream<[UInt8]>)
    }

    /// The status.
    public let status: Int

    /// The headers. The server adds `Content-Length`.
    public let headers: [HTTPHeader]

    /// The body, also for `HEAD`, so that the server can send its length; the server does not send the body for `HEAD`.
    public let body: Body

    init(_ status: Int, _ headers: [HTTPHeader], _ body: Body) {
        self.init(status: status, headers: headers + Self.always, body: body)
    }

    /// The response without its body, for a stream, which has no length.
    var head: ConsoleResponse { ConsoleResponse(status: status, headers: headers, body: .bytes([])) }

    /// Creates a response.
    /// - Parameters:
    ///   - status: The status.
    ///   - headers: The headers.
    ///   - body: The body.
    public init(status: Int, headers: [HTTPHeader] = [], body: Body) {
        (self.status, self.headers, self.body) = (status, headers, body)
    }

    init(json: JSONObject, status: Int = 200, headers: [HTTPHeader] = []) {
        var writer = ByteWriter(capacity: 4096)
        writer.append(json: json)
        self.init(
            status, [HTTPHeader(name: "Content-Type", value: "application/json")] + headers, .bytes(Array(writer.bytes))
        )
    }

    init(_ error: ConsoleError) {
        self.init(json: ["error": .string(error.reason)], status: error.status, headers: error.headers)
    }

    /// Prevents caching, framing by other pages, and guessing of the content type.
    private static let always = [
        HTTPHeader(name: "Cache-Control", value: "no-store"),
        HTTPHeader(name: "X-Content-Type-Options", value: "nosniff"),
        HTTPHeader(name: "X-Frame-Options", value: "DENY"),
        HTTPHeader(name: "Referrer-Policy", value: "no-referrer"),
        HTTPHeader(name: "Cross-Origin-Resource-Policy", value: "same-origin"),
        HTTPHeader(name: "Cross-Origin-Opener-Policy", value: "same-origin"),
    ]
}
