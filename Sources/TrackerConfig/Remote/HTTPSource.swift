public import TrackerFeatures

/// A document on a web server; see ``RemoteConfiguration/source(transport:)``.
package struct HTTPSource: ConfigurationSource {
    private let request: DocumentRequest
    /// The stream of events; nil if there is none.
    private let stream: EventStreamRequest?
    private let transport: any HTTPTransport
    private let time: any TimeSource

    package init(
        _ remote: RemoteConfiguration, transport: any HTTPTransport, time: any TimeSource = SystemTime()
    ) throws(ConfigurationError) {
        let url = try remote.url
        stream = try remote.streamURL.map { stream in
            EventStreamRequest(
                RedirectedURL(stream, headers: remote.headers, for: url.origin), timeout: remote.timeout,
                longestSilence: min(max(remote.streamTimeout, .seconds(1)), .seconds(86_400)),
                maxEventSize: remote.maxDocumentSize, certificateFile: remote.certificateFile)
        }
        request = DocumentRequest(
            method: remote.method.rawValue.uppercased(), url: url, headers: remote.headers,
            timeout: remote.timeout, maxSize: remote.maxDocumentSize, certificateFile: remote.certificateFile)
        self.transport = transport
        self.time = time
    }

    /// Fetches the document.
    /// - Parameter validators: The validators of the document in use; nil sends a request without a condition.
    /// - Returns: The document; nil if it has not changed.
    /// - Throws: ``FetchError`` if the fetch fails.
    package func fetch(_ validators: DocumentValidators?) async throws(FetchError) -> FetchedDocument? {
        try await request.fetch(validators, over: transport, time: time).document
    }

    /// Opens a connection to the stream of events.
    /// - Returns: The hints; nil if ``RemoteConfiguration/streamEndpoint`` is nil.
    package func changes() -> AsyncThrowingStream<ChangeHint, any Error>? {
        guard let stream else { return nil }
        return .connection { [transport, time] hint throws(FetchError) in
            let ending = await stream.follow(over: transport, time: time) { arrival in
                switch arrival {
                case .opened: hint(ChangeHint())
                case .event(let event):
                    if event.name == "changed" || event.name == "message" { hint(ChangeHint(json: event.data)) }
                }
            }
            if case .failed(let failure) = ending { throw failure }
            if ending == .closed, let pause = stream.pause {
                throw FetchError(.closed, reason: "the server closed the stream of events", retryAfter: pause)
            }
        }
    }
}

extension RemoteConfiguration {
    /// Returns the source of a document on a web server, for ``SetupOptions/source``: for another transport, or for a
    /// source that wraps it.
    ///
    /// At most five redirects are followed, never from `https` to `http`, and the timeout applies to all of them
    /// together. Validators of more than 1 KiB are neither stored nor sent. If the server answers a conditional request
    /// with a 4xx that may be due to its condition (any but 401, 403, 404, 407, 408, 410 and 429), the source repeats
    /// the request without a condition.
    ///
    /// Its hints are the server-sent events of ``RemoteConfiguration/streamEndpoint`` that are named `changed`, or have
    /// no name, with a message for ``ChangeHint/init(json:)``. Other events are ignored.
    /// - Parameter transport: The transport of the requests.
    /// - Returns: The source.
    /// - Throws: ``ConfigurationError`` if the URL cannot be used.
    public func source(transport: any HTTPTransport) throws(ConfigurationError) -> any ConfigurationSource {
        try HTTPSource(self, transport: transport)
    }
}
