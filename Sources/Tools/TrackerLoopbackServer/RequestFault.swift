/// Why no request could be read from a connection.
enum RequestFault: Error {
    /// The client closed the connection, or the server stopped.
    case peerGone
    /// The bytes are no HTTP.
    case malformed
    /// The body is larger than the server takes.
    case bodyTooLarge
    /// The head is larger than the server takes.
    case headTooLarge
    /// The body has a transfer coding, such as `chunked`.
    case transferCoding
    /// The version is neither HTTP/1.1 nor HTTP/1.0.
    case unknownVersion

    /// The status that the client receives, or nil if the client has gone.
    var status: Int? {
        switch self {
        case .peerGone: nil
        case .malformed: 400
        case .bodyTooLarge: 413
        case .headTooLarge: 431
        case .transferCoding: 501
        case .unknownVersion: 505
        }
    }
}
