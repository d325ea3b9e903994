/// The response to an ``HTTPTransportRequest``.
public struct HTTPTransportResponse: Sendable {
    /// The status code.
    public var status: Int

    /// The headers, in order.
    public var headers: [HTTPHeader]

    /// The body, decompressed.
    public var body: [UInt8]

    /// The requested URL; nil if the transport does not provide it.
    package var url: String?

    /// The status by which a proxy asks for a user and a password. It is not the server's answer.
    static let proxyAuthenticationRequired = 407

    /// Creates a response.
    /// - Parameters:
    ///   - status: The status code.
    ///   - headers: The headers, in order.
    ///   - body: The body, decompressed.
    public init(status: Int, headers: [HTTPHeader] = [], body: [UInt8] = []) {
        self.status = status
        self.headers = headers
        self.body = body
    }

    /// Returns the value of the last header with a name.
    /// - Parameter name: The name, in any case.
    /// - Returns: The value; nil if there is none.
    public func header(_ name: String) -> String? {
        headers.last { $0.name.lowercased() == name.lowercased() }?.value
    }
}
