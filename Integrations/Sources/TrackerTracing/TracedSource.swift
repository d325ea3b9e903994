import Tracing
public import TrackerFeatures

/// A source with a span for each fetch of the document.
///
/// ```swift
/// let remote = RemoteConfiguration(endpoint: "https://config.example.com/shop.json")
/// var options = SetupOptions()
/// options.source = TracedSource(try remote.source(transport: CurlTransport()), url: remote.endpoint)
/// ```
///
/// The span is named `fetch configuration` and is of the kind client. Its attributes are `url.full`,
/// `http.response.status_code` if the fetch failed because of a response, and `trackerconfig.fetch.result`: `document`,
/// `notModified` or the code of the failure, which is also recorded as an error. Fetches belong to no request, so each
/// span starts a trace.
public struct TracedSource: ConfigurationSource {
    private let source: any ConfigurationSource
    private let url: String

    /// Creates a source.
    /// - Parameters:
    ///   - source: The source that fetches the document.
    ///   - url: The document's URL; its user, password and query are left out of the span.
    public init(_ source: any ConfigurationSource, url: String) {
        self.source = source
        self.url = Self.withoutSecrets(url)
    }

    /// Fetches the document in a span.
    /// - Parameter validators: The validators of the document in use; nil fetches the document in any case.
    /// - Returns: The document; nil if it has not changed.
    /// - Throws: The error of the other source.
    public func fetch(_ validators: DocumentValidators?) async throws(FetchError) -> FetchedDocument? {
        let span = startSpan("fetch configuration", context: .topLevel, ofKind: .client)
        defer { span.end() }
        span.attributes["url.full"] = url
        do throws(FetchError) {
            let result = try await source.fetch(validators)
            span.attributes["trackerconfig.fetch.result"] = result == nil ? "notModified" : "document"
            return result
        } catch {
            span.attributes["trackerconfig.fetch.result"] = error.code.rawValue
            if let status = error.status { span.attributes["http.response.status_code"] = status }
            span.recordError(error)
            span.setStatus(SpanStatus(code: .error, message: error.reason))
            throw error
        }
    }

    /// Opens a connection of the other source; hints have no spans.
    /// - Returns: The hints of the connection; nil if the source has no stream.
    public func changes() -> AsyncThrowingStream<ChangeHint, any Error>? { source.changes() }

    private static func withoutSecrets(_ url: String) -> String {
        let plain = url.prefix { $0 != "?" && $0 != "#" }
        guard let scheme = plain.firstRange(of: "://") else { return String(plain) }
        let rest = plain[scheme.upperBound...]
        let authority = rest.prefix { $0 != "/" }
        guard let user = authority.lastIndex(of: "@") else { return String(plain) }
        return String(plain[..<scheme.upperBound] + rest[rest.index(after: user)...])
    }
}
