import TrackerFeatures

/// The source of a provider's payload.
struct GrowthBookSource: Sendable {
    private static let path = "/api/features/"
    private static let streamPath = "/sub/"

    /// The maximum size of a payload in bytes, after decompression.
    static let maxPayloadSize = 8 << 20

    /// The URL of the payload.
    let url: EndpointURL

    /// The request of the payload.
    let request: DocumentRequest

    /// The stream's URL, if there can be one.
    private let streamURL: EndpointURL?

    /// Checks a source.
    /// - Parameters:
    ///   - url: The URL of the payload.
    ///   - options: The options of the requests.
    /// - Throws: A ``/TrackerConfig/ConfigurationError`` if the URL, a header or the certificate file cannot be used.
    init(_ url: String, _ options: GrowthBookOptions) throws(ConfigurationError) {
        let url = try EndpointURL(url)
        try HTTPHeader.check(options.headers, place: "headers")
        self.url = url
        request = DocumentRequest(
            url: url, show: Self.withoutKey(of: url), headers: options.headers, timeout: options.timeout,
            maxSize: Self.maxPayloadSize, certificateFile: options.certificateFile)
        let stream = url.text.replacing(Self.path, with: Self.streamPath, maxReplacements: 1)
        // If the URL with the other path is unusable, there is no stream, and requests continue.
        streamURL = options.usesStreaming && stream != url.text ? try? EndpointURL(stream) : nil
    }

    /// The URL of the stream of events.
    /// - Parameter headers: The headers of the server's last response.
    /// - Returns: The URL; nil if the server offers no stream.
    func streamURL(for headers: [HTTPHeader]) -> EndpointURL? {
        let isOffered = headers.contains {
            $0.name.lowercased() == "x-sse-support" && $0.value.trimmed.lowercased() == "enabled"
        }
        return isOffered ? streamURL : nil
    }

    /// URLs for errors, without the client's key, which is in the path of the first URL and may be anywhere in
    /// redirected URLs.
    static func withoutKey(of first: EndpointURL) -> @Sendable (EndpointURL) -> String {
        let end = [path, streamPath].lazy.compactMap { first.text.firstRange(of: $0)?.upperBound }.first
        let key = end.map { first.text[$0...].prefix { $0 != "?" && $0 != "#" } } ?? ""
        return { url in key.isEmpty ? url.shown : url.shown.replacing(key, with: "***") }
    }
}
