/// A document on a web server.
///
/// Redirects are followed at most five times, never from `https` to `http`, and the timeout is for all of them
/// together. Validators of more than 1 KiB are neither kept nor sent. If the server answers a conditional request with
/// a 4xx that may be due to its condition (any but 401, 403, 404, 407, 408, 410 and 429), the source repeats the
/// request without a condition.
///
/// Its signals are server-sent events of ``RemoteConfiguration/streamEndpoint``, or of the URL that the last answer named by a
/// header `Link: <URL>; rel="monitor"`. An event `changed`, or one without a name, has a message as
/// ``SourceSignal/init(json:)`` reads it; the data of an event `document` is the document itself, of at most
/// ``RemoteConfiguration/maxDocumentSize``. Others are ignored.
public struct HTTPSource: ConfigurationSource {
    private let request: DocumentRequest
    private let monitor: Locked<MonitorLink>
    private let transport: any HTTPTransport
    private let time: any TimeSource

    /// Creates a source.
    /// - Parameters:
    ///   - remote: The URL of the document and how to fetch it.
    ///   - transport: The transport of the requests.
    /// - Throws: An error if the URL cannot be used.
    public init(_ remote: RemoteConfiguration, transport: any HTTPTransport) throws(ConfigurationError) {
        try self.init(remote, transport: transport, time: SystemTime())
    }

    package init(
        _ remote: RemoteConfiguration, transport: any HTTPTransport, time: any TimeSource
    ) throws(ConfigurationError) {
        let url = try remote.url
        monitor = Locked(try MonitorLink(remote, url: url))
        request = DocumentRequest(
            method: remote.method.rawValue.uppercased(), url: url, headers: remote.headers,
            timeout: remote.timeout, maxSize: remote.maxDocumentSize, certificateFile: remote.certificateFile)
        self.transport = transport
        self.time = time
    }

    /// Fetches the document.
    /// - Parameter validators: The validators of the document in use; nil sends a request without a condition.
    /// - Returns: The document; nil if it has not changed.
    /// - Throws: ``FetchError`` if there is neither.
    public func fetch(_ validators: DocumentValidators?) async throws(FetchError) -> FetchedDocument? {
        let answer = try await request.fetch(validators, over: transport, time: time)
        monitor.withLock { $0.take(answer) }
        return answer.document
    }

    /// Opens a connection to the stream of events of the document's server.
    /// - Returns: The signals; nil if the server has named no stream yet.
    public func signals() -> AsyncStream<SourceSignal>? {
        let (stream, failure) = monitor.withLock { ($0.stream, $0.takeFailure()) }
        if let failure {
            return AsyncStream { signals in
                signals.yield(.disconnected(failure))
                signals.finish()
            }
        }
        guard let stream else { return nil }
        return SignalConnection { [transport, time] signal in
            let ending = await stream.follow(over: transport, time: time) { arrival in
                if let arrived = SourceSignal(arrival) { signal(arrived) }
            }
            switch ending {
            case .failed(let failure): signal(.disconnected(failure))
            case .closed:
                guard let pause = stream.pause else { break }
                signal(
                    .disconnected(
                        FetchError(.closed, reason: "the server closed the stream of events", retryAfter: pause)))
            case .expired: break
            }
        }.signals
    }
}

extension SourceSignal {
    /// What an event says; nil if it is not for this SDK.
    fileprivate init?(_ arrival: EventStreamRequest.Arrival) {
        switch arrival {
        case .opened: self = .connected
        case .event(let event):
            switch event.name {
            case "changed", "message": self.init(json: event.data)
            case "document": self = .document(FetchedDocument(event.data))
            default: return nil
            }
        }
    }
}
