import TrackerPlatform

/// A client that sends exactly the bytes it is told to, for tests of servers; shares no code with the one under test.
///
/// Every call waits at most two minutes for the server, so that a broken one fails the test instead of hanging it.
package final class RawClient {
    /// Why the client could not go on.
    package enum Failure: Error, Equatable {
        /// The server takes no connection; with the system's error number.
        case refused(Int32)
        /// The connection ended early: 0 where the server closed it, EAGAIN after two minutes of silence, else its error.
        case ended(Int32)
        /// What came is no HTTP answer.
        case malformed(String)
    }

    /// An answer, with its whole body.
    package struct Answer {
        /// The status.
        package let status: Int
        /// The header fields, with names in lower case.
        package let headers: [String: String]
        /// The body.
        package let body: [UInt8]

        /// The body as text.
        package var text: String {
            String(decoding: body, as: UTF8.self)
        }
    }

    private let descriptor: Int32
    private var received: [UInt8] = []
    private var isOpen = true

    /// Connects to a port of 127.0.0.1; throws ``Failure/refused(_:)`` where nobody listens there.
    package init(port: UInt16) throws(Failure) {
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        var timeout = timeval(tv_sec: 120, tv_usec: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &timeout, socklen_t(MemoryLayout<timeval>.size))
        setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &timeout, socklen_t(MemoryLayout<timeval>.size))
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = INADDR_LOOPBACK.bigEndian
        let connected = withUnsafeBytes(of: &address) { bytes in
            connect(descriptor, bytes.assumingMemoryBound(to: sockaddr.self).baseAddress, socklen_t(bytes.count))
        }
        guard connected == 0 else {
            let reason = errno
            close()
            throw .refused(reason)
        }
    }

    deinit {
        close()
    }

    /// Closes the connection.
    package func close() {
        guard isOpen else { return }
        isOpen = false
        TrackerPlatform.close(descriptor)
    }

    /// Sends text as it is; line ends are the caller's.
    package func send(_ text: String) throws(Failure) {
        try send(Array(text.utf8))
    }

    /// Sends bytes as they are.
    package func send(_ bytes: [UInt8]) throws(Failure) {
        var sent = 0
        while sent < bytes.count {
            let count = bytes.withUnsafeBytes { bytes in
                TrackerPlatform.send(
                    descriptor, bytes.baseAddress.map { $0 + sent }, bytes.count - sent, Int32(MSG_NOSIGNAL))
            }
            guard count > 0 else { throw .ended(errno) }
            sent += count
        }
    }

    /// Tells the server that nothing more will be sent.
    package func finishSending() throws(Failure) {
        guard shutdown(descriptor, Int32(SHUT_WR)) == 0 else { throw .ended(errno) }
    }

    /// Waits for so many bytes, and takes them.
    package func read(_ count: Int) throws(Failure) -> [UInt8] {
        while received.count < count {
            guard try receive() else { throw .ended(0) }
        }
        defer { received.removeFirst(count) }
        return Array(received.prefix(count))
    }

    /// Waits until the server closes, and takes all bytes until then.
    package func readToEnd() throws(Failure) -> [UInt8] {
        while try receive() {}
        defer { received = [] }
        return received
    }

    /// Waits for an answer, and takes it; without `Content-Length` its body lasts until the server closes.
    ///
    /// With `hasBody` false, as for HEAD, the length tells of a body that does not come.
    package func readAnswer(hasBody: Bool = true) throws(Failure) -> Answer {
        let lines = try readHead().split(separator: "\r\n", omittingEmptySubsequences: false)
        let words = (lines.first ?? "").split(separator: " ", maxSplits: 2, omittingEmptySubsequences: false)
        guard words.count == 3, words[0] == "HTTP/1.1", let status = Int(words[1]) else {
            throw .malformed(lines.joined(separator: "\n"))
        }
        var headers: [String: String] = [:]
        for line in lines.dropFirst() {
            guard let colon = line.firstRange(of: ": ") else { throw .malformed(String(line)) }
            headers[line[..<colon.lowerBound].lowercased()] = String(line[colon.upperBound...])
        }
        var body: [UInt8] = []
        if hasBody, status >= 200, status != 204, status != 304 {
            if let length = headers["content-length"] {
                guard let length = Int(length) else { throw .malformed(length) }
                body = try read(length)
            } else {
                body = try readToEnd()
            }
        }
        return Answer(status: status, headers: headers, body: body)
    }

    private func readHead() throws(Failure) -> String {
        while true {
            if let end = received.firstRange(of: Array("\r\n\r\n".utf8)) {
                defer { received.removeFirst(end.upperBound) }
                return String(decoding: received[..<end.lowerBound], as: UTF8.self)
            }
            guard try receive() else { throw .ended(0) }
        }
    }

    /// Returns false where the server has closed.
    private func receive() throws(Failure) -> Bool {
        var failure: Int32 = 0
        let piece = [UInt8](unsafeUninitializedCapacity: 256 * 1024) { piece, count in
            let received = recv(descriptor, piece.baseAddress, piece.count, 0)
            if received < 0 { failure = errno }
            count = max(0, received)
        }
        guard failure == 0 else { throw .ended(failure) }
        received += piece
        return !piece.isEmpty
    }
}
