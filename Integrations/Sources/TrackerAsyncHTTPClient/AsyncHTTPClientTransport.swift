public import AsyncHTTPClient
public import NIOCore
import NIOHTTP1
import NIOHTTPCompression
import NIOSSL
public import TrackerCore

/// A transport with AsyncHTTPClient, for services that use one HTTP stack.
///
/// It creates its own `HTTPClient` on the service's event loops, because a transport must not follow redirects, which
/// is a setting of the client. Shut it down after the setup:
///
/// ```swift
/// let transport = AsyncHTTPClientTransport()
/// var options = SetupOptions()
/// options.transport = transport
/// let setup = try Setup(remote: remote, options: options)
/// …
/// await setup.shutdown()
/// try await transport.shutdown()
/// ```
///
/// Differences from ``CurlTransport``: the proxy variables of the environment have no effect (set
/// `HTTPClient.Configuration.proxy` instead), and there are no streams of server-sent events, so ``GrowthBookProvider``
/// polls.
public final class AsyncHTTPClientTransport: HTTPTransport {
    private let client: HTTPClient

    /// Creates a transport.
    /// - Parameters:
    ///   - eventLoopGroup: The event loops; by default the group that all clients share.
    ///   - configuration: Connections, proxy and TLS. The transport sets redirects, decompression, the read timeout and
    ///     retries of connections itself.
    ///   - maxDecompressedSize: The maximum size of any response after decompression, in bytes; 64 MiB by default. The
    ///     limit of a request, ``HTTPTransportRequest/maxResponseSize``, applies too.
    public init(
        eventLoopGroup: any EventLoopGroup = HTTPClient.defaultEventLoopGroup,
        configuration: HTTPClient.Configuration = HTTPClient.Configuration(), maxDecompressedSize: Int = 64 << 20
    ) {
        var configuration = configuration
        configuration.redirectConfiguration = .disallow
        configuration.decompression = .enabled(limit: .size(maxDecompressedSize))
        configuration.timeout.read = nil
        // Trackers and fetches have their own back-off, and need the reason for a failure.
        configuration.connectionPool.retryConnectionEstablishment = false
        client = HTTPClient(eventLoopGroup: eventLoopGroup, configuration: configuration)
    }

    /// Closes all connections; requests in progress fail.
    /// - Throws: The client's error, for example if it is already shut down.
    public func shutdown() async throws {
        try await client.shutdown()
    }

    /// Sends a request and waits for the complete response, whatever its status.
    /// - Parameter request: The request. Its timeout includes the wait for a connection.
    /// - Returns: The response.
    /// - Throws: `HTTPTransportError` if no complete response arrived.
    public func send(_ request: HTTPTransportRequest) async throws(HTTPTransportError) -> HTTPTransportResponse {
        let result = await withTaskGroup(of: Result<HTTPTransportResponse, HTTPTransportError>.self) { group in
            group.addTask { [client] in await Self.exchange(request, client) }
            group.addTask {
                do {
                    try await Task.sleep(for: request.timeout)
                    let reason = "no whole answer within \(request.timeout)"
                    return .failure(HTTPTransportError(.timeout, reason: reason))
                } catch {
                    return .failure(HTTPTransportError(.cancelled, reason: "the task was cancelled"))
                }
            }
            defer { group.cancelAll() }
            // The group has two tasks.
            return await group.next()!
        }
        return try result.get()
    }

    private static func exchange(
        _ request: HTTPTransportRequest, _ client: HTTPClient
    ) async -> Result<HTTPTransportResponse, HTTPTransportError> {
        var status: Int?
        do {
            // The other task enforces the deadline, which also covers the body.
            let response = try await client.execute(try HTTPClientRequest(request), timeout: .hours(24))
            status = Int(response.status.code)
            let body = try await response.body.collect(upTo: request.maxResponseSize)
            let headers = response.headers.map { HTTPHeader(name: $0.name, value: $0.value) }
            return .success(
                HTTPTransportResponse(
                    status: Int(response.status.code), headers: headers, body: Array(buffer: body)))
        } catch {
            return .failure(HTTPTransportError(error, of: request, status: status))
        }
    }
}

extension HTTPClientRequest {
    fileprivate init(_ request: HTTPTransportRequest) throws {
        self.init(url: request.url)
        method = HTTPMethod(rawValue: request.method)
        headers = HTTPHeaders(request.headers.map { ($0.name, $0.value) })
        if !headers.contains(name: "Accept-Encoding") { headers.add(name: "Accept-Encoding", value: "gzip") }
        if let body = request.body { self.body = .bytes(body) }
        if let file = request.certificateFile {
            var configuration = TLSConfiguration.makeClientConfiguration()
            // Loaded here, so that an unreadable file fails with its own error.
            configuration.trustRoots = .certificates(try NIOSSLCertificate.fromPEMFile(file))
            tlsConfiguration = configuration
        }
    }
}

extension HTTPTransportError {
    fileprivate init(_ error: any Error, of request: HTTPTransportRequest, status: Int?) {
        let (code, reason): (NamedCode<HTTPTransportError>, String) =
            switch error {
            case is CancellationError: (.cancelled, "the task was cancelled")
            case is NIOTooManyBytesError:
                (.responseTooLarge, "the answer is larger than \(request.maxResponseSize) bytes")
            case NIOHTTPDecompression.DecompressionError.limit:
                (.responseTooLarge, "the answer is larger after decompression than the transport allows")
            case let error as HTTPClientError where error == .cancelled: (.cancelled, "the task was cancelled")
            case let error as HTTPClientError where Self.timeouts.contains(error): (.timeout, "\(error)")
            default: (.failed, "\(error)")
            }
        self.init(code, reason: reason, status: status, cause: error)
    }
    private static let timeouts: [HTTPClientError] = [
        .connectTimeout, .deadlineExceeded, .getConnectionFromPoolTimeout, .tlsHandshakeTimeout,
    ]
}
