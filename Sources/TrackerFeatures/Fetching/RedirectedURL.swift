import FoundationEssentials
package import TrackerCore

/// The URL of a request, which changes with each redirect.
///
/// At most five redirects are followed, never from `https` to `http`. The headers are sent only to the server for which
/// they are configured.
package struct RedirectedURL: Sendable {
    private static let maxRedirects = 5

    /// The URL of the next request.
    package private(set) var url: EndpointURL

    private let headers: [HTTPHeader]
    private let server: Origin
    /// The first URL without secrets.
    package let shownStart: String

    private let show: @Sendable (EndpointURL) -> String
    private var redirects = 0

    /// Creates the URL of the first request.
    /// - Parameters:
    ///   - url: The URL.
    ///   - show: Returns the text of a URL for errors; by default the URL without user, password and the values of its
    ///     query.
    ///   - headers: The user's headers.
    ///   - server: The server to which the headers are sent; nil, the default, for the URL's server.
    package init(
        _ url: EndpointURL, show: @escaping @Sendable (EndpointURL) -> String = { $0.shown }, headers: [HTTPHeader],
        for server: Origin? = nil
    ) {
        (self.url, self.headers, self.server, self.show) = (url, headers, server ?? url.origin, show)
        shownStart = show(url)
    }

    /// Returns the headers of the next request.
    /// - Parameter own: The SDK's headers.
    /// - Returns: The SDK's headers, the user's headers unless the request goes to another server, and a `User-Agent`.
    package func headers(with own: [HTTPHeader]) -> [HTTPHeader] {
        // The credentials in headers are for the configured server, not for the target of a redirect.
        (own + (url.origin == server ? headers : [])).withUserAgent
    }

    /// The first URL and, after redirects, the URL of the last response, without secrets.
    package var shownWithRedirects: String {
        redirects == 0 ? shownStart : "\(shownStart) (from \(redirection))"
    }

    /// The last URL and the number of redirects that led to it, without secrets.
    private var redirection: String { "\(show(url)) after \(redirects) redirect\(redirects == 1 ? "" : "s")" }

    /// Appends the last URL to a response's text if there were redirects.
    package func answer(_ text: String) -> String { redirects == 0 ? text : "\(text) from \(redirection)" }

    /// Prepends the last URL to the reason of a failure if there were redirects.
    package func failure(_ reason: String) -> String { redirects == 0 ? reason : "\(redirection): \(reason)" }

    /// Whether a status is a redirect that can be followed.
    package static func isRedirect(_ status: Int) -> Bool { [301, 302, 303, 307, 308].contains(status) }

    /// Follows a redirect.
    /// - Parameter response: A response whose status satisfies ``isRedirect(_:)``.
    /// - Throws: A ``FetchError`` of the code `redirect` if the redirect must not be followed.
    package mutating func follow(_ response: HTTPTransportResponse) throws(FetchError) {
        redirects += 1
        guard redirects <= Self.maxRedirects else {
            throw FetchError(.redirect, reason: "more than \(Self.maxRedirects) redirects")
        }
        guard let location = response.header("Location"),
            let absolute = URL(string: location, relativeTo: URL(string: url.text))?.absoluteURL
        else {
            throw FetchError(
                .redirect, reason: "the redirect (status \(response.status)) has no usable Location header")
        }
        // A scheme without a host would be read as a host and its port.
        guard ["http", "https"].contains(absolute.scheme?.lowercased()), absolute.host?.isEmpty == false else {
            throw Self.refusal("\(EndpointURL.withoutSecrets(location).excerpt) is not a URL of a web server")
        }
        let target: EndpointURL
        do throws(ConfigurationError) {
            target = try EndpointURL(absolute.absoluteString)
        } catch {
            throw Self.refusal(error.reason)
        }
        if url.scheme == "https", target.scheme == "http" { throw Self.refusal("it leads from https to http") }
        url = target
    }

    private static func refusal(_ reason: String) -> FetchError {
        FetchError(.redirect, reason: "the redirect is not followed: \(reason)")
    }
}

extension EndpointURL {
    private static let maxShownLength = 300

    /// The URL without secrets, on one line and shortened if it is long, for errors.
    package var shown: String { Self.withoutSecrets(text).oneLine(most: Self.maxShownLength) }
}
