import TrackerPlatform

/// A connected socket with blocking calls. It is closed when its last owner releases it.
///
/// No call raises SIGPIPE. ``shutDown()`` may be called on any thread and ends blocked calls on other threads.
final class Socket: Sendable {
    private let descriptor: Int32

    /// Takes ownership of an open descriptor.
    init(owning descriptor: Int32) {
        self.descriptor = descriptor
        setOption(Int32(IPPROTO_TCP), TCP_NODELAY, to: Int32(1))
    }

    deinit {
        close(descriptor)
    }

    /// Waits for bytes; returns their number, or 0 at the end of the stream.
    func receive(into buffer: UnsafeMutableRawBufferPointer) -> Int {
        while true {
            let count = recv(descriptor, buffer.baseAddress, buffer.count, 0)
            if count >= 0 { return count }
            if errno != EINTR { return 0 }
        }
    }

    /// Sends all bytes; returns false if the peer has disconnected.
    func send(_ bytes: [UInt8]) -> Bool {
        bytes.withUnsafeBytes { bytes in
            var rest = bytes[...]
            while !rest.isEmpty {
                let piece = UnsafeRawBufferPointer(rebasing: rest)
                let count = TrackerPlatform.send(descriptor, piece.baseAddress, piece.count, Int32(MSG_NOSIGNAL))
                if count >= 0 {
                    rest = rest.dropFirst(count)
                } else if errno != EINTR {
                    return false
                }
            }
            return true
        }
    }

    /// Waits for a time; returns false at once if the peer has finished sending or disconnected, or after
    /// ``shutDown()``.
    func staysOpen(for time: Duration) -> Bool {
        let end = ContinuousClock.now + time
        // Linux's POLLRDHUP, which Swift's Glibc does not have. Incoming bytes must not end the wait.
        var event = pollfd(fd: descriptor, events: 0x2000, revents: 0)
        while true {
            let (seconds, attoseconds) = (end - .now).components
            let left = seconds * 1000 + attoseconds / 1_000_000_000_000_000
            guard left > 0 else { return true }
            let count = poll(&event, 1, Int32(clamping: left))
            if count > 0 { return false }
        }
    }

    /// Shuts down the sending side of the connection.
    func finishSending() {
        shutdown(descriptor, Int32(SHUT_WR))
    }

    /// Sets the longest wait of later calls of ``receive(into:)`` and ``send(_:)``.
    func limitWaiting(_ time: Duration) {
        let (seconds, attoseconds) = time.components
        let interval = timeval(tv_sec: Int(seconds), tv_usec: Int(attoseconds / 1_000_000_000_000))
        for option in [SO_RCVTIMEO, SO_SNDTIMEO] { setOption(SOL_SOCKET, option, to: interval) }
    }

    /// Closes both directions at once.
    func shutDown() {
        shutdown(descriptor, Int32(SHUT_RDWR))
    }

    private func setOption<Value>(_ level: Int32, _ name: Int32, to value: Value) {
        withUnsafePointer(to: value) { value in
            _ = setsockopt(descriptor, level, name, value, socklen_t(MemoryLayout<Value>.size))
        }
    }
}
