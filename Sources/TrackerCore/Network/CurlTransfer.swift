import TrackerCurl
import TrackerPlatform

/// A request in libcurl; used on the transport's thread only.
final class CurlTransfer {
    /// The maximum size of a response's status lines, headers and trailers in bytes, including interim responses.
    static let maxHeaderBytes = 65_536

    static let noMemory = "libcurl has no memory for a request"

    /// The size of libcurl's buffer for a stream, which stays in memory while the stream is open.
    private static let streamBufferSize = 2048

    /// A request and the continuation for its response.
    struct Order: Sendable {
        let id: UInt64
        let request: HTTPTransportRequest
        /// Receives the body of a stream in pieces; nil to collect the body.
        let receive: CurlTransport.Receiver?
        let answer: CheckedContinuation<Result<HTTPTransportResponse, HTTPTransportError>, Never>
    }

    let easy: OpaquePointer
    /// The reason why the request cannot be sent, or was stopped; nil if libcurl's result applies.
    private(set) var fault: (code: NamedCode<HTTPTransportError>, reason: String)?
    private let order: Order
    /// libcurl's sentence about the failure.
    private let errorText: UnsafeMutablePointer<CChar>
    private var headerList: UnsafeMutablePointer<curl_slist>?
    private var head = ResponseHead()
    private var received: [UInt8] = []

    init?(_ order: Order, _ limits: CurlTransport.Limits) {
        guard let easy = curl_easy_init() else { return nil }
        self.easy = easy
        self.order = order
        errorText = .allocate(capacity: Int(CURL_ERROR_SIZE))
        errorText.initialize(repeating: 0, count: Int(CURL_ERROR_SIZE))
        configure()
        if order.receive != nil { configureStream() }
        ccurl_set_long(easy, CURLOPT_MAXAGE_CONN, Int(limits.maxIdleTime.components.seconds))
        ccurl_set_long(easy, CURLOPT_MAXLIFETIME_CONN, Int(limits.maxLifetime.components.seconds))
    }

    deinit {
        curl_easy_cleanup(easy)
        curl_slist_free_all(headerList)
        errorText.deallocate()
    }

    private func configure() {
        let request = order.request
        let context = Unmanaged.passUnretained(self).toOpaque()
        ccurl_set_string(easy, CURLOPT_URL, request.url)
        ccurl_set_pointer(easy, CURLOPT_ERRORBUFFER, errorText)
        // libcurl closes the connection of a request that timed out, but would continue to use an HTTP/2 connection.
        ccurl_set_long(easy, CURLOPT_HTTP_VERSION, Int(CURL_HTTP_VERSION_1_1))
        ccurl_set_long(easy, CURLOPT_NOSIGNAL, 1)
        // Otherwise libcurl waits for its resolver's thread, which a dead name server blocks for half a minute.
        ccurl_set_long(easy, CURLOPT_QUICK_EXIT, 1)
        ccurl_set_long(easy, CURLOPT_SUPPRESS_CONNECT_HEADERS, 1)
        ccurl_set_long(easy, CURLOPT_FOLLOWLOCATION, 0)
        ccurl_set_long(easy, CURLOPT_PROTOCOLS, Int(CURLPROTO_HTTP_AND_HTTPS))
        ccurl_set_long(easy, CURLOPT_TIMEOUT_MS, Int(min(max(request.timeout / .milliseconds(1), 1), 2_147_483_647)))
        ccurl_set_string(easy, CURLOPT_ACCEPT_ENCODING, "gzip")
        // libcurl caches certificates for a day, although both the system's and a file may be replaced. The system's
        // are many, so they are cached for a minute.
        ccurl_set_long(easy, CURLOPT_CA_CACHE_TIMEOUT, request.certificateFile == nil ? 60 : 0)
        if let file = request.certificateFile {
            // Otherwise the system's directory would be trusted too; some TLS libraries do not support a directory.
            let withoutDirectory = ccurl_set_string(easy, CURLOPT_CAPATH, nil)
            if ccurl_set_string(easy, CURLOPT_CAINFO, file) != CURLE_OK
                || ![CURLE_OK, CURLE_NOT_BUILT_IN, CURLE_UNKNOWN_OPTION].contains(withoutDirectory)
            {
                fault = (.failed, "libcurl cannot trust the certificate file instead of the system's certificates")
            }
        }
        switch (request.method, request.body) {
        case ("GET", nil): ccurl_set_long(easy, CURLOPT_HTTPGET, 1)
        case ("HEAD", nil): ccurl_set_long(easy, CURLOPT_NOBODY, 1)
        case (let method, let body):
            ccurl_set_long(easy, CURLOPT_POST, 1)
            ccurl_set_string(easy, CURLOPT_CUSTOMREQUEST, method)
            let body = body ?? []
            ccurl_set_offset(easy, CURLOPT_POSTFIELDSIZE_LARGE, Int64(body.count))
            let isTaken = body.withUnsafeBytes { ccurl_set_pointer(easy, CURLOPT_COPYPOSTFIELDS, $0.baseAddress) }
            if isTaken != CURLE_OK { fault = (.failed, Self.noMemory) }
        }
        // Without the empty header libcurl waits up to a second for "100 Continue" before it sends a large body.
        headerList = curl_slist_append(nil, "Expect:")
        for header in request.headers {
            // libcurl leaves out a header without a value unless it ends with a semicolon.
            let isEmpty = header.value.utf8.allSatisfy { $0 == UInt8(ascii: " ") }
            headerList = curl_slist_append(headerList, header.name + (isEmpty ? ";" : ": \(header.value)"))
        }
        ccurl_set_list(easy, CURLOPT_HTTPHEADER, headerList)
        ccurl_set_pointer(easy, CURLOPT_WRITEDATA, context)
        ccurl_set_callback(easy, CURLOPT_WRITEFUNCTION) { bytes, size, count, context in
            Unmanaged<CurlTransfer>.fromOpaque(context!).takeUnretainedValue().receive(bytes, size * count)
        }
        ccurl_set_pointer(easy, CURLOPT_HEADERDATA, context)
        ccurl_set_callback(easy, CURLOPT_HEADERFUNCTION) { bytes, size, count, context in
            Unmanaged<CurlTransfer>.fromOpaque(context!).takeUnretainedValue().receiveHeader(bytes, size * count)
        }
    }

    private func configureStream() {
        // A separate connection that ends with the stream, because nothing else may use it after it died unnoticed.
        ccurl_set_long(easy, CURLOPT_FRESH_CONNECT, 1)
        ccurl_set_long(easy, CURLOPT_FORBID_REUSE, 1)
        ccurl_set_long(easy, CURLOPT_TCP_KEEPALIVE, 1)
        ccurl_set_long(easy, CURLOPT_BUFFERSIZE, Self.streamBufferSize)
        // A server that compresses delays data that should come at once; a compressed body is still decompressed.
        ccurl_set_string(easy, CURLOPT_ACCEPT_ENCODING, "identity")
    }

    private func receive(_ bytes: UnsafeMutablePointer<CChar>?, _ count: Int) -> Int {
        if let receive = order.receive {
            let piece = Array(UnsafeRawBufferPointer(start: bytes, count: count))
            return pass(piece, to: receive) ? count : 0
        }
        guard received.count + count <= order.request.maxResponseSize else {
            fault = (.responseTooLarge, "the answer is larger than \(order.request.maxResponseSize) bytes")
            return 0
        }
        received.append(contentsOf: UnsafeRawBufferPointer(start: bytes, count: count))
        return count
    }

    private func receiveHeader(_ bytes: UnsafeMutablePointer<CChar>?, _ count: Int) -> Int {
        guard head.size + count <= Self.maxHeaderBytes else {
            fault = (.failed, "the headers and trailers of the answer are larger than \(Self.maxHeaderBytes) bytes")
            return 0
        }
        let wasOver = head.isOver
        head.receive(UnsafeRawBufferPointer(start: bytes, count: count))
        guard let receive = order.receive, head.isOver, !wasOver else { return count }
        return pass([], to: receive) ? count : 0
    }

    private func pass(_ piece: [UInt8], to receive: CurlTransport.Receiver) -> Bool {
        if receive(HTTPTransportResponse(status: status, headers: head.headers), piece) { return true }
        fault = (.failed, "the receiver refused the rest of the answer")
        return false
    }

    /// The status of the response; 0 before its head has arrived.
    private var status: Int { number(CURLINFO_RESPONSE_CODE) }

    /// The status by which a proxy refused the request; nil if no proxy did.
    private var proxyStatus: Int? {
        let statusOfConnect = number(CURLINFO_HTTP_CONNECTCODE)
        if statusOfConnect != 0, !(200...299 ~= statusOfConnect) { return statusOfConnect }
        return status == HTTPTransportResponse.proxyAuthenticationRequired ? status : nil
    }

    private func number(_ info: Int32) -> Int {
        var number = 0
        ccurl_get_long(easy, info, &number)
        return number
    }

    /// Completes the request with libcurl's result.
    func finish(_ code: Int32) {
        if let proxyStatus {
            let needsUser = proxyStatus == HTTPTransportResponse.proxyAuthenticationRequired
            let hint = needsUser ? ": its URL needs a user and a password" : ""
            return order.fail(.failed, "the proxy answered \(proxyStatus)\(hint)")
        }
        if let fault { return fail(fault.code, fault.reason) }
        switch code {
        case CURLE_OK:
            var response = HTTPTransportResponse(status: status, headers: head.headers, body: received)
            response.url = order.request.url
            order.answer.resume(returning: .success(response))
        case CURLE_OPERATION_TIMEDOUT: fail(.timeout, "no whole answer within \(order.request.timeout)")
        default: fail(.failed, CurlFailure(code, text: errorText, of: order.request).reason)
        }
    }

    /// Completes the request with an error, which has the status if the head has arrived.
    func fail(_ code: NamedCode<HTTPTransportError>, _ reason: String) {
        order.fail(code, reason, status: status == 0 ? nil : status)
    }
}

extension CurlTransfer.Order {
    /// Completes the request with an error.
    func fail(_ code: NamedCode<HTTPTransportError>, _ reason: String, status: Int? = nil) {
        answer.resume(returning: .failure(HTTPTransportError(code, reason: reason, status: status)))
    }
}
