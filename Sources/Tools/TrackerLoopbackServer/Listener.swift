import TrackerPlatform

/// A listening socket.
///
/// ``close()`` must be called once, after the last ``accept()``.
struct Listener: Sendable {
    /// The actual port, also if port 0 was requested.
    let port: UInt16

    private let descriptor: Int32

    /// Listens on `port`, or on a free one if it is 0; throws a ``ServerError`` if that fails.
    init(address: String, port: UInt16) throws(ServerError) {
        descriptor = socket(Self.family(of: address), Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { throw ServerError(.openSocket, port: port) }
        do throws(ServerError) {
            self.port = try Self.listen(descriptor, address: address, port: port)
        } catch {
            TrackerPlatform.close(descriptor)
            throw error
        }
    }

    /// Waits for a connection; returns nil if it fails, or after ``shutDown()``.
    func accept() -> Socket? {
        let connected = TrackerPlatform.accept(descriptor, nil, nil)
        guard connected < 0 else {
            // Swift's Glibc has no `accept4`, which would combine both calls.
            _ = fcntl(connected, F_SETFD, FD_CLOEXEC)
            return Socket(owning: connected)
        }
        // Wait if descriptors or memory are exhausted, because an immediate retry would only use the CPU.
        if ![EINTR, ECONNABORTED, EINVAL].contains(errno) { usleep(10_000) }
        return nil
    }

    /// Stops a waiting ``accept()`` and all later ones.
    func shutDown() {
        shutdown(descriptor, Int32(SHUT_RDWR))
    }

    /// Frees the port.
    func close() {
        TrackerPlatform.close(descriptor)
    }

    private static func listen(_ descriptor: Int32, address text: String, port: UInt16) throws(ServerError) -> UInt16 {
        var yes: Int32 = 1
        setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &yes, socklen_t(MemoryLayout<Int32>.size))

        // Large enough for addresses of both families.
        var address = sockaddr_storage()
        let isVersion6 = family(of: text) == AF_INET6
        let isParsed = withUnsafeMutableBytes(of: &address) { bytes in
            if isVersion6 {
                let address = bytes.assumingMemoryBound(to: sockaddr_in6.self)
                address[0].sin6_family = sa_family_t(AF_INET6)
                address[0].sin6_port = port.bigEndian
                return inet_pton(AF_INET6, text, &address[0].sin6_addr) == 1
            }
            let address = bytes.assumingMemoryBound(to: sockaddr_in.self)
            address[0].sin_family = sa_family_t(AF_INET)
            address[0].sin_port = port.bigEndian
            return inet_pton(AF_INET, text, &address[0].sin_addr) == 1
        }
        guard isParsed else { throw ServerError(.bind, address: text, port: port, errorNumber: EINVAL) }
        var length = socklen_t(isVersion6 ? MemoryLayout<sockaddr_in6>.size : MemoryLayout<sockaddr_in>.size)

        let (bound, named) = withUnsafeMutableBytes(of: &address) { bytes in
            let address = bytes.assumingMemoryBound(to: sockaddr.self).baseAddress
            guard bind(descriptor, address, length) == 0 else { return (false, false) }
            return (true, getsockname(descriptor, address, &length) == 0)
        }
        guard bound else { throw ServerError(.bind, address: text, port: port) }
        guard named, TrackerPlatform.listen(descriptor, SOMAXCONN) == 0 else {
            throw ServerError(.listen, address: text, port: port)
        }
        // The port is at the same offset in both families.
        return withUnsafeBytes(of: address) {
            UInt16(bigEndian: $0.assumingMemoryBound(to: sockaddr_in.self)[0].sin_port)
        }
    }

    private static func family(of address: String) -> Int32 {
        address.contains(":") ? AF_INET6 : AF_INET
    }
}
