/// Where the stream of events of a document is: where the configuration says, or else the document's server.
struct MonitorLink: Sendable {
    private static let silenceBounds = Duration.seconds(1)...Duration.seconds(86_400)

    private let remote: RemoteConfiguration
    private let server: Origin
    /// The stream, with what is remembered of it; nil if there is none, or none yet.
    private(set) var stream: EventStreamRequest?
    /// Why a link cannot be used, until it is reported; each once.
    private var failure: FetchError?
    private var lastFailure: FetchError?

    /// Creates the link of a document.
    /// - Parameters:
    ///   - remote: How the document is fetched.
    ///   - url: The document's URL.
    /// - Throws: An error if the URL of the stream cannot be used.
    init(_ remote: RemoteConfiguration, url: EndpointURL) throws(ConfigurationError) {
        self.remote = remote
        server = url.origin
        if let url = try remote.streamURL { stream = request(url) }
    }

    /// Takes the link of an answer that succeeded, for a service that polls. An answer without a link that says that the document has
    /// not changed leaves the one before.
    mutating func take(_ answer: DocumentRequest.Answer) {
        guard remote.streamEndpoint == nil, remote.pollInterval != nil else { return }
        let references = LinkHeader.targets("monitor", in: answer.headers)
        if references.isEmpty, answer.document == nil { return }
        var found: EndpointURL?
        var unusable: FetchError?
        for reference in references where found == nil {
            var reason = "\(EndpointURL.withoutSecrets(reference).excerpt) is not a URL"
            do throws(ConfigurationError) {
                found = try answer.url.resolving(reference)
            } catch {
                reason = error.reason
            }
            unusable = FetchError(.stream, reason: "the link to the stream of events cannot be used: \(reason)")
        }
        if found != stream?.url { stream = found.map(request) }
        guard found == nil else { return }
        if unusable != lastFailure { failure = unusable }
        lastFailure = unusable
    }

    /// Takes the failure that was not reported yet.
    mutating func takeFailure() -> FetchError? {
        defer { failure = nil }
        return failure
    }

    private func request(_ url: EndpointURL) -> EventStreamRequest {
        let bounds = Self.silenceBounds
        return EventStreamRequest(
            RedirectedURL(url, headers: remote.headers, for: server), timeout: remote.timeout,
            longestSilence: min(max(remote.streamTimeout, bounds.lowerBound), bounds.upperBound),
            maxEventSize: remote.maxDocumentSize, certificateFile: remote.certificateFile)
    }
}
