import TrackerPlatform

/// Why a server could not start.
package struct ServerError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The step that failed.
    package enum Code: String, Sendable, Hashable {
        /// Making the listening socket.
        case openSocket = "open a socket for"
        /// Taking the address; the port may be in use or need privileges.
        case bind = "bind to"
        /// Waiting for connections at the address.
        case listen = "listen on"
        /// Starting the thread that accepts connections.
        case startThread = "start a thread for"
    }

    /// The step that failed.
    package let code: Code

    /// The address that was asked for.
    package let address: String

    /// The port that was asked for; 0 where any would have done.
    package let port: UInt16

    /// The system's error number.
    package let errorNumber: Int32

    init(_ code: Code, address: String = "127.0.0.1", port: UInt16, errorNumber: Int32 = errno) {
        self.code = code
        self.address = address
        self.port = port
        self.errorNumber = errorNumber
    }

    /// A sentence that says what failed, where and why.
    package var description: String {
        let host = address.contains(":") ? "[\(address)]" : address
        return "cannot \(code.rawValue) \(host):\(port): \(String(cString: strerror(errorNumber)))"
    }
}
