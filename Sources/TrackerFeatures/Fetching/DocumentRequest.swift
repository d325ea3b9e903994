package import TrackerCore

/// A conditional request for a document.
///
/// Redirects follow the rules of ``RedirectedURL``, and the timeout applies to all of them together. Validators of more
/// than 1 KiB are neither stored nor sent. If the server answers a conditional request with a 4xx that may be due to
/// its condition (any but 401, 403, 404, 407, 408, 410 and 429), the request is repeated without a condition.
package struct DocumentRequest: Sendable {
    /// A response.
    package struct Answer: Sendable {
        /// The document; nil if it has not changed.
        package let document: FetchedDocument?
        /// The headers of the response, also if the document has not changed.
        package let headers: [HTTPHeader]
    }

    // These statuses do not depend on a request's conditions.
    private static let unconditionalFailures: Set = [401, 403, 404, 407, 408, 410, 429]

    private let method: String
    private let start: RedirectedURL
    private let timeout: Duration
    private let maxSize: Int
    private let certificateFile: String?

    /// Creates a request.
    /// - Parameters:
    ///   - method: The method, in upper case; `GET` by default.
    ///   - url: The URL.
    ///   - show: Returns the text of a URL for errors; by default the URL without user, password and the values of its
    ///     query.
    ///   - headers: Additional headers; not sent if a redirect leads to another server.
    ///   - timeout: The timeout of the whole fetch, including redirects.
    ///   - maxSize: The maximum size of the document in bytes, after decompression.
    ///   - certificateFile: The path of a file of certificates to trust instead of the system's; nil for the system's.
    package init(
        method: String = "GET", url: EndpointURL, show: @escaping @Sendable (EndpointURL) -> String = { $0.shown },
        headers: [HTTPHeader], timeout: Duration,
        maxSize: Int, certificateFile: String?
    ) {
        (self.method, start) = (method, RedirectedURL(url, show: show, headers: headers))
        (self.timeout, self.maxSize, self.certificateFile) = (timeout, maxSize, certificateFile)
    }

    /// Fetches the document.
    /// - Parameters:
    ///   - validators: The validators of the document in use; nil sends a request without a condition.
    ///   - transport: The transport of the requests.
    ///   - time: The clock of the timeout.
    /// - Returns: The answer.
    /// - Throws: A ``FetchError`` with the URL if the response is neither a document nor 304.
    package func fetch(
        _ validators: DocumentValidators?, over transport: any HTTPTransport, time: any TimeSource
    ) async throws(FetchError) -> Answer {
        do throws(FetchError) {
            return try await response(validators, over: transport, time: time)
        } catch {
            var error = error
            // A shutdown is not a failure of the URL.
            if error.code != .shutDown { error.url = start.shownStart }
            throw error
        }
    }

    private func response(
        _ validators: DocumentValidators?, over transport: any HTTPTransport, time: any TimeSource
    ) async throws(FetchError) -> Answer {
        var asked = validators?.usable
        var refused: DocumentValidators?
        let deadline = time.uptime + timeout
        var place = start
        var method = self.method
        while true {
            let left = deadline - time.uptime
            guard left > .zero else { throw late(place) }
            let request = self.request(to: place, method, asked, timeout: left)
            let response = try await send(request, to: place, over: transport)
            switch response.status {
            case 200:
                let validators = DocumentValidators(
                    entityTag: response.header("ETag"), lastModified: lastModified(of: response, time)
                ).usable.flatMap { $0 == refused ? nil : $0 }
                var document = FetchedDocument(
                    response.body, validators: validators ?? DocumentValidators(), headers: response.headers)
                document.url = place.shownWithRedirects
                return Answer(document: document, headers: response.headers)
            case 304:
                guard asked != nil else {
                    throw FetchError(
                        .status, reason: place.answer("status 304 to a request without a condition"),
                        status: 304)
                }
                return Answer(document: nil, headers: response.headers)
            case let status where RedirectedURL.isRedirect(status):
                try place.follow(response)
                // RFC 9110, section 15.4: 307 and 308 keep the method; after other redirects it is GET.
                if status < 307 { method = "GET" }
            case 400...499 where asked != nil && !Self.unconditionalFailures.contains(response.status):
                (refused, asked) = (asked, nil)
            default:
                throw FetchError(
                    .status, reason: place.answer("status \(response.status)"),
                    retryAfter: Duration(retryAfter: response.header("Retry-After"), now: time.wallTime),
                    status: response.status)
            }
        }
    }

    /// The `Last-Modified` of a response if it is reliable as a validator: it has whole seconds, so a document that
    /// changed within the last minute may change again with the same time (RFC 9110, section 8.8.2.2).
    private func lastModified(of response: HTTPTransportResponse, _ time: any TimeSource) -> String? {
        let answered = response.header("Date").flatMap(HTTPDate.init)?.seconds ?? Int(time.wallTime / 1000)
        return response.header("Last-Modified").flatMap { text in
            HTTPDate(text).flatMap { answered - $0.seconds >= 60 ? text : nil }
        }
    }

    private func request(
        to place: RedirectedURL, _ method: String, _ validators: DocumentValidators?, timeout: Duration
    ) -> HTTPTransportRequest {
        var sent = [HTTPHeader(name: "Accept", value: "application/json")]
        if let tag = validators?.entityTag { sent.append(HTTPHeader(name: "If-None-Match", value: tag)) }
        if let date = validators?.lastModified { sent.append(HTTPHeader(name: "If-Modified-Since", value: date)) }
        return HTTPTransportRequest(
            method: method, url: place.url.text, headers: place.headers(with: sent), body: method == "POST" ? [] : nil,
            timeout: timeout, maxResponseSize: maxSize, certificateFile: certificateFile)
    }

    private func send(
        _ request: HTTPTransportRequest, to place: RedirectedURL, over transport: any HTTPTransport
    ) async throws(FetchError) -> HTTPTransportResponse {
        let response: HTTPTransportResponse
        do throws(HTTPTransportError) {
            response = try await transport.send(request)
        } catch {
            switch error.code {
            case .timeout: throw late(place, cause: error)
            case .responseTooLarge: throw tooLarge(cause: error)
            case .cancelled: throw FetchError(.shutDown, reason: error.reason, cause: error)
            default: throw FetchError(.transport, reason: place.failure(error.reason), cause: error)
            }
        }
        // A service's own transport may have ignored the limit.
        guard response.body.count <= maxSize else { throw tooLarge() }
        return response
    }

    private func late(_ place: RedirectedURL, cause: (any Error)? = nil) -> FetchError {
        FetchError(.timeout, reason: place.failure("no document within \(timeout)"), cause: cause)
    }

    private func tooLarge(cause: (any Error)? = nil) -> FetchError {
        FetchError(.tooLarge, reason: "the document is larger than \(maxSize) bytes", cause: cause)
    }
}

extension DocumentValidators {
    private static let maxLength = 1024

    /// The validators except those that are too long; nil if none are left.
    fileprivate var usable: DocumentValidators? {
        func bounded(_ text: String?) -> String? { text.flatMap { $0.utf8.count <= Self.maxLength ? $0 : nil } }
        let usable = DocumentValidators(entityTag: bounded(entityTag), lastModified: bounded(lastModified))
        return usable == DocumentValidators() ? nil : usable
    }
}
