import TrackerCurl

/// A transport with libcurl: one thread, which starts with the first request, and connections that are reused unless
/// they were idle for more than 118 seconds or are older than 5 minutes.
///
/// At most ``init(maxConnections:maxConnectionsPerHost:)`` requests are in progress. Further requests wait in order,
/// and the server with the fewest requests in progress comes first. A request's timeout counts from its start; before
/// that, it waits for at most the same time. A quarter of the connections is reserved for servers without a request in
/// progress, so that some servers that hang do not delay the requests to others. A stream has a separate connection,
/// which does not count towards these bounds.
///
/// - Protocol: requests use HTTP/1.1.
/// - Proxies: libcurl honours the environment variables `http_proxy` (in lower case only), `https_proxy`, `all_proxy`
///   and `no_proxy` (also in upper case). `no_proxy` lists the hosts that are reached without a proxy.
/// - Certificates: the system's CA certificates are trusted, or those of ``HTTPTransportRequest/certificateFile``
///   instead. `SSL_CERT_FILE`, `SSL_CERT_DIR` and `CURL_CA_BUNDLE` have no effect.
/// - Names: with libcurl 7.87 or later, timeouts also apply while a name server does not answer. An older libcurl waits
///   for the system's resolver.
///
/// libcurl silently sends a request once more if a reused connection turned out to be dead before any response; a
/// collector may then receive it twice.
public final class CurlTransport: HTTPTransport {
    /// The messages of other threads to the transport's thread.
    struct Inbox {
        /// libcurl's handle, to wake the thread; nil until the thread has created it. The thread reads the inbox after
        /// that.
        var multi: OpaquePointer?
        var added: [CurlTransfer.Order] = []
        var cancelled: [UInt64] = []
        var lastID: UInt64 = 0
        var stopped = false
    }

    /// The bounds of a transport's connections.
    struct Limits: Sendable {
        let maxConnections: Int
        let maxConnectionsPerHost: Int
        /// The maximum idle time of a connection that is reused.
        let maxIdleTime: Duration
        /// The maximum age of a connection that is reused; a new address of a server takes effect within this time.
        let maxLifetime: Duration
    }

    typealias Receiver = @Sendable (_ head: HTTPTransportResponse, _ bytes: [UInt8]) -> Bool

    private let threadName: String
    private let limits: Limits
    private let inbox = Locked(Inbox())

    /// Creates a transport.
    /// - Parameters:
    ///   - maxConnections: The maximum number of connections, including idle ones; 1 … 65,535; 64 by default.
    ///   - maxConnectionsPerHost: The maximum number of requests in progress to one server; 1 … 65,535; 6 by default.
    public convenience init(maxConnections: Int = 64, maxConnectionsPerHost: Int = 6) {
        self.init(
            threadName: "tracker-http", maxConnections: maxConnections, maxConnectionsPerHost: maxConnectionsPerHost)
    }

    package init(
        threadName: String, maxConnections: Int = 64, maxConnectionsPerHost: Int = 6,
        maxIdleTime: Duration = .seconds(118), maxLifetime: Duration = .seconds(300)
    ) {
        _ = Self.isInitialised
        self.threadName = threadName
        limits = Limits(
            maxConnections: min(max(maxConnections, 1), 65_535),
            maxConnectionsPerHost: min(max(maxConnectionsPerHost, 1), 65_535),
            maxIdleTime: maxIdleTime, maxLifetime: maxLifetime)
    }

    deinit {
        // No wake-up is needed: the thread releases libcurl's handle as soon as it sees this.
        inbox.withLock { $0.stopped = true }
    }

    // libcurl requires one initialisation before its first use. Not on the transport's own thread, although that would
    // shorten a start: OpenSSL crashes if the process exits during its initialisation.
    private static let isInitialised = curl_global_init(Int(CURL_GLOBAL_DEFAULT)) == CURLE_OK

    /// Sends a request and waits for the complete response, whatever its status.
    /// - Parameter request: The request.
    /// - Returns: The response.
    /// - Throws: ``HTTPTransportError`` if no complete response arrived.
    public func send(_ request: HTTPTransportRequest) async throws(HTTPTransportError) -> HTTPTransportResponse {
        try await transfer(request, nil)
    }

    /// Sends a request, and passes the body on in pieces until the server closes it.
    /// - Parameters:
    ///   - request: The request. Its timeout covers the whole body, and its maximum response size does not apply.
    ///   - receive: Receives each piece of the body, decompressed, with the head of the response, whatever its status;
    ///     before them an empty piece, as soon as the head has arrived. Called on the transport's thread, so it must
    ///     not block. If it returns false, the request fails.
    /// - Returns: The response, without the body.
    /// - Throws: ``HTTPTransportError`` if the body is incomplete.
    public func stream(
        _ request: HTTPTransportRequest,
        receive: @escaping @Sendable (_ head: HTTPTransportResponse, _ piece: [UInt8]) -> Bool
    ) async throws(HTTPTransportError) -> HTTPTransportResponse {
        try await transfer(request, receive)
    }

    private func transfer(
        _ request: HTTPTransportRequest, _ receive: Receiver?
    ) async throws(HTTPTransportError) -> HTTPTransportResponse {
        let id = inbox.withLock { inbox in
            inbox.lastID += 1
            return inbox.lastID
        }
        if id == 1 {
            WorkerThread.start(name: threadName) { [inbox, limits] in CurlWorker.run(inbox, limits) }
        }
        let result = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                wake { inbox in
                    inbox.added.append(
                        CurlTransfer.Order(id: id, request: request, receive: receive, answer: continuation))
                    // A cancellation before this point found no request to cancel.
                    if Task.isCancelled { inbox.cancelled.append(id) }
                }
            }
        } onCancel: {
            wake { $0.cancelled.append(id) }
        }
        return try result.get()
    }

    /// Changes the inbox and wakes the thread, which releases libcurl's handle only after the transport is gone.
    private func wake(_ change: (inout Inbox) -> Void) {
        let multi = inbox.withLock { inbox in
            change(&inbox)
            return inbox.multi
        }
        if let multi { curl_multi_wakeup(multi) }
    }
}
