import TrackerCore

extension RemoteConfiguration {
    private static let placeholder = "{user}"

    /// Whether each user has a separate document.
    var namesUser: Bool { endpoint.contains(Self.placeholder) }

    /// The document's URL with the user.
    /// - Throws: An error if the URL is invalid, or the user's id cannot be part of it.
    var url: EndpointURL {
        get throws(ConfigurationError) { try url(endpoint, ["http", "https", "file"]) }
    }

    /// The URL of the stream of events with the user; nil if ``streamEndpoint`` is nil.
    /// - Throws: An error if the URL is invalid, or the user's id cannot be part of it.
    var streamURL: EndpointURL? {
        get throws(ConfigurationError) {
            guard let streamEndpoint else { return nil }
            do throws(ConfigurationError) {
                guard namesUser || !streamEndpoint.contains(Self.placeholder) else {
                    throw Self.unusable("{user} stands in the URL of the stream, and not in that of the document")
                }
                return try url(streamEndpoint, ["http", "https"])
            } catch {
                let place = error.place.isEmpty ? "remote.streamEndpoint" : error.place
                throw ConfigurationError(error.code, place: place, reason: error.reason)
            }
        }
    }

    private func url(_ endpoint: String, _ schemes: Set<String>) throws(ConfigurationError) -> EndpointURL {
        guard endpoint.contains(Self.placeholder) else { return try EndpointURL(endpoint, schemes: schemes) }
        let user = user ?? ""
        // Servers and libraries interpret these as directories, even if they are percent-encoded.
        guard user != "." && user != ".." else {
            throw Self.unusable("the id '\(user)' would name a folder in the URL")
        }
        // A user who chooses an id must not be able to choose the server.
        guard !Self.authority(of: endpoint).contains(Self.placeholder) else {
            throw Self.unusable("{user} stands before the path of the URL, where it would choose the server")
        }
        let isFile = endpoint.prefix { $0 != ":" }.lowercased() == "file"
        let encoded = user.percentEncoded
        // The path of a file is decoded once, so encode twice: the result is a name without a slash.
        let text = isFile ? encoded.percentEncoded : encoded
        return try EndpointURL(endpoint.replacing(Self.placeholder, with: text), schemes: schemes)
    }

    /// Returns the name of the document in the cache and in the state directory: ``cacheKey`` with the user, or else
    /// the URL.
    /// - Parameter url: The document's URL.
    /// - Returns: The name.
    /// - Throws: An error if the key is empty or has a line break.
    func documentName(at url: EndpointURL) throws(ConfigurationError) -> String {
        guard let cacheKey else { return url.text }
        guard !cacheKey.isEmpty, !cacheKey.utf8.contains(where: { $0 < 0x20 }) else {
            let found = cacheKey.isEmpty ? "an empty string" : "a control character"
            throw ConfigurationError(
                .outOfRange, place: "remote.cacheKey", reason: "expected a name, found \(found); nil is the URL")
        }
        guard namesUser, let user, !user.isEmpty else { return cacheKey }
        return "\(cacheKey)/\(user.percentEncoded)"
    }

    private static func unusable(_ reason: String) -> ConfigurationError {
        ConfigurationError(.unusableURL, place: "user", reason: reason)
    }

    private static func authority(of url: String) -> Substring {
        let start = url.firstRange(of: "://")?.upperBound ?? url.startIndex
        return url[start...].prefix { !"/?#".contains($0) }
    }
}
