/// The error of a request that could not be read.
enum RequestFault: Error {
    /// The client closed the connection, or the server stopped.
    case peerGone
    /// The bytes are not HTTP.
    case malformed
    /// The body is larger than the server accepts.
    case bodyTooLarge
    /// The head is larger than the server accepts.
    case headTooLarge
    /// The body has a transfer coding, such as `chunked`.
    case transferCoding
    /// The version is neither HTTP/1.1 nor HTTP/1.0.
    case unknownVersion

    /// The status of the answer; nil if the client has disconnected.
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
