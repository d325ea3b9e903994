/// The answer to an ``HTTPTransportRequest``.
public struct HTTPTransportResponse: Sendable {
    /// The status code.
    public var status: Int

    /// Names and values, in order.
    public var headers: [HTTPHeader]

    /// The body, decompressed.
    public var body: [UInt8]

    /// Creates an answer.
    /// - Parameters:
    ///   - status: The status code.
    ///   - headers: Names and values, in order.
    ///   - body: The body, decompressed.
    public init(status: Int, headers: [HTTPHeader] = [], body: [UInt8] = []) {
        self.status = status
        self.headers = headers
        self.body = body
    }

    /// The value of the last header of that name.
    /// - Parameter name: The name, in any case.
    /// - Returns: The value, nil if there is none.
    public func header(_ name: String) -> String? {
        headers.last { $0.name.lowercased() == name.lowercased() }?.value
    }
}
