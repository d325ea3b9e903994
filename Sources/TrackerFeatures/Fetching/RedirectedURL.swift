import FoundationEssentials
package import TrackerCore

/// Where a request goes: the URL that was named, and where redirects lead from there.
///
/// They are followed at most five times and never from `https` to `http`. Another server than the one that the headers are for gets
/// none of them.
package struct RedirectedURL: Sendable {
    private static let maxRedirects = 5

    /// The URL of the next request.
    package private(set) var url: EndpointURL

    private let headers: [HTTPHeader]
    private let server: Origin
    private var redirects = 0

    /// Creates the place of the first request.
    /// - Parameters:
    ///   - url: The URL that was named.
    ///   - headers: The headers of the user.
    ///   - server: The server that the headers are for; nil, the default, is that of the URL.
    package init(_ url: EndpointURL, headers: [HTTPHeader], for server: Origin? = nil) {
        (self.url, self.headers, self.server) = (url, headers, server ?? url.origin)
    }

    /// The headers of the next request.
    /// - Parameter own: Those of the SDK.
    /// - Returns: Its own, with the user's unless the request goes to another server, and a `User-Agent`.
    package func headers(with own: [HTTPHeader]) -> [HTTPHeader] {
        // What a header authorises is meant for the server that was named, not for where it points.
        (own + (url.origin == server ? headers : [])).withUserAgent
    }

    /// Whether a status is that of a redirect that can be followed.
    package static func isRedirect(_ status: Int) -> Bool { [301, 302, 303, 307, 308].contains(status) }

    /// Goes to where a response redirects to.
    /// - Parameter response: A response with a status of which ``isRedirect(_:)`` is true.
    /// - Throws: A ``FetchError/Code/redirect`` error if that must not be followed.
    package mutating func follow(_ response: HTTPTransportResponse) throws(FetchError) {
        redirects += 1
        guard redirects <= Self.maxRedirects else {
            throw FetchError(.redirect, reason: "more than \(Self.maxRedirects) redirects")
        }
        do throws(ConfigurationError) {
            if let location = response.header("Location"), let target = try url.resolving(location) {
                url = target
                return
            }
        } catch {
            throw FetchError(.redirect, reason: "a redirect that is not followed: \(error.reason)")
        }
        throw FetchError(.redirect, reason: "a redirect (\(response.status)) that does not say where to")
    }
}

extension EndpointURL {
    /// The URL that a response from this one refers to.
    /// - Parameter reference: The reference, absolute or relative to this URL.
    /// - Returns: The URL; nil if the reference is none.
    /// - Throws: The reason as a sentence, in a ``ConfigurationError`` without a place, if it is not a URL of a web server or leads
    ///   from `https` to `http`.
    package func resolving(_ reference: String) throws(ConfigurationError) -> EndpointURL? {
        guard let absolute = URL(string: reference.withASCIIHost, relativeTo: URL(string: text))?.absoluteURL else {
            return nil
        }
        // What names a scheme but no host would be read as a host and its port.
        guard ["http", "https"].contains(absolute.scheme?.lowercased()), absolute.host?.isEmpty == false else {
            throw ConfigurationError(
                .unusableURL, place: "",
                reason: "\(EndpointURL.withoutSecrets(reference).excerpt) is not a URL of a web server")
        }
        let target = try EndpointURL(absolute.absoluteString)
        guard !(scheme == "https" && target.scheme == "http") else {
            throw ConfigurationError(.unusableURL, place: "", reason: "it leads from https to http")
        }
        return target
    }
}
