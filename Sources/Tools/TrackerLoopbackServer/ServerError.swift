import TrackerPlatform

/// The error of a server that could not start.
package struct ServerError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The step that failed.
    package enum Code: String, Sendable, Hashable {
        /// Creating the listening socket.
        case openSocket = "open a socket for"
        /// Binding the address; the port may be in use or need privileges.
        case bind = "bind to"
        /// Waiting for connections at the address.
        case listen = "listen on"
        /// Starting the thread that accepts connections.
        case startThread = "start a thread for"
    }

    /// The step that failed.
    package let code: Code

    /// The requested address.
    package let address: String

    /// The requested port; 0 for any free one.
    package let port: UInt16

    /// The system's error number.
    package let errorNumber: Int32

    init(_ code: Code, address: String = "127.0.0.1", port: UInt16, errorNumber: Int32 = errno) {
        self.code = code
        self.address = address
        self.port = port
        self.errorNumber = errorNumber
    }

    /// A sentence with the failed step, the address and the reason.
    package var description: String {
        let host = address.contains(":") ? "[\(address)]" : address
        return "cannot \(code.rawValue) \(host):\(port): \(String(cString: strerror(errorNumber)))"
    }
}
