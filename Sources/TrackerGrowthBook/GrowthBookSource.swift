import TrackerFeatures

/// Where the payload of a provider is.
struct GrowthBookSource: Sendable {
    private static let path = "/api/features/"
    fileprivate static let streamPath = "/sub/"

    /// The request of the payload.
    let request: DocumentRequest

    /// The URL of the payload.
    let url: EndpointURL

    private let streaming: GrowthBookOptions.Streaming
    /// The stream's URL, if there can be one.
    private let streamURL: EndpointURL?

    /// Checks a source.
    /// - Parameters:
    ///   - url: The URL of the payload.
    ///   - options: How it is fetched.
    /// - Throws: A ``/TrackerConfig/ConfigurationError`` if a URL, a header or the file of certificates cannot be used.
    init(_ url: String, _ options: GrowthBookOptions) throws(ConfigurationError) {
        self.url = try EndpointURL(url)
        try HTTPHeader.check(options.headers, place: "headers")
        request = DocumentRequest(
            url: self.url, show: Self.withoutKey(of: self.url), headers: options.headers, timeout: options.timeout,
            maxSize: options.maxPayloadSize,
            certificateFile: options.certificateFile)
        streaming = options.streaming
        switch options.streaming {
        case .off: streamURL = nil
        case .url(let text): streamURL = try EndpointURL(text)
        case .automatic: streamURL = Self.streamURL(of: self.url)
        }
    }

    /// The URL of the stream of events.
    /// - Parameter headers: The headers of the server's last answer.
    /// - Returns: nil if the server offers none.
    func streamURL(for headers: [HTTPHeader]) -> EndpointURL? {
        guard case .automatic = streaming else { return streamURL }
        let isOffered = headers.contains {
            $0.name.lowercased() == "x-sse-support" && $0.value.trimmed.lowercased() == "enabled"
        }
        return isOffered ? streamURL : nil
    }

    /// URLs as errors show them: the client's key is in the path of the first, and may be anywhere in those that it is redirected to.
    static func withoutKey(of first: EndpointURL) -> @Sendable (EndpointURL) -> String {
        let end = [path, streamPath].lazy.compactMap { first.text.firstRange(of: $0)?.upperBound }.first
        let key = end.map { first.text[$0...].prefix { $0 != "?" && $0 != "#" } } ?? ""
        return { url in key.isEmpty ? url.shown : url.shown.replacing(key, with: "***") }
    }

    private static func streamURL(of url: EndpointURL) -> EndpointURL? {
        guard let range = url.text.firstRange(of: path) else { return nil }
        // A URL that is unusable with the other path has no stream, and requests go on.
        return try? EndpointURL(url.text.replacingCharacters(in: range))
    }
}

extension String {
    fileprivate func replacingCharacters(in range: Range<String.Index>) -> String {
        "\(self[..<range.lowerBound])\(GrowthBookSource.streamPath)\(self[range.upperBound...])"
    }
}
