/// A request of the SDK to a collector or for a document.
public struct HTTPTransportRequest: Sendable {
    /// The method, in capitals.
    public var method: String

    /// The whole URL.
    public var url: String

    /// The headers, in order.
    public var headers: [HTTPHeader]

    /// The body; nil for none.
    public var body: [UInt8]?

    /// The timeout of the whole exchange, from connecting to the last byte. Before that, a request waits for a
    /// connection for at most the same time.
    public var timeout: Duration

    /// The maximum size of the response's body in bytes, after decompression; a larger body fails the request.
    public var maxResponseSize: Int

    /// The path of a PEM file with certificates to trust instead of the system's; nil for the system's.
    public var certificateFile: String?

    /// Creates a request.
    /// - Parameters:
    ///   - method: The method, in capitals.
    ///   - url: The whole URL.
    ///   - headers: The headers, in order.
    ///   - body: The body; nil for none.
    ///   - timeout: The timeout of the whole exchange.
    ///   - maxResponseSize: The maximum size of the response's body in bytes, after decompression.
    ///   - certificateFile: The path of a PEM file with certificates to trust instead of the system's.
    public init(
        method: String,
        url: String,
        headers: [HTTPHeader] = [],
        body: [UInt8]? = nil,
        timeout: Duration = .seconds(30),
        maxResponseSize: Int = 65_536,
        certificateFile: String? = nil
    ) {
        self.method = method
        self.url = url
        self.headers = headers
        self.body = body
        self.timeout = timeout
        self.maxResponseSize = maxResponseSize
        self.certificateFile = certificateFile
    }
}

/// A header of a request or a response.
public struct HTTPHeader: Sendable, Hashable {
    /// The name; upper and lower case are equal.
    public var name: String

    /// The value.
    public var value: String

    /// Creates a header.
    /// - Parameters:
    ///   - name: The name; upper and lower case are equal.
    ///   - value: The value.
    public init(name: String, value: String) {
        self.name = name
        self.value = value
    }
}

extension [HTTPHeader] {
    /// The headers with the SDK's `User-Agent`, unless they already have one, in any case.
    package var withUserAgent: [HTTPHeader] {
        if contains(where: { $0.name.lowercased() == "user-agent" }) { return self }
        return [HTTPHeader(name: "User-Agent", value: TrackerVersion.userAgent)] + self
    }

    /// Replaces all headers with a name, in any case; nil removes them.
    mutating func replace(_ name: String, _ value: String?) {
        removeAll { $0.name.lowercased() == name.lowercased() }
        if let value { append(HTTPHeader(name: name, value: value)) }
    }
}

extension HTTPHeader {
    /// Checks that each header stays a single header on one line.
    package static func check(_ headers: [HTTPHeader], place: String) throws(ConfigurationError) {
        for header in headers {
            let isOneLine = !header.value.utf8.contains { $0 < 0x20 || $0 == 0x7F }
            guard !header.name.isEmpty, header.name.utf8.allSatisfy(tokenBytes.contains), isOneLine else {
                throw ConfigurationError(
                    .outOfRange, place: place,
                    reason: "the header \(header.name.excerpt) has a name of other than ASCII letters, digits and "
                        + "!#$%&'*+-.^_`|~, or a line break in its value")
            }
        }
    }

    /// The bytes of a name (RFC 9110, section 5.6.2).
    private static let tokenBytes = Set(
        "!#$%&'*+-.^_`|~0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz".utf8)
}
