import Glibc

/// A connected socket with blocking calls, closed when its last owner releases it.
///
/// No call raises SIGPIPE. ``shutDown()`` may come from any thread and stops calls that wait in others.
final class Socket: Sendable {
    private let descriptor: Int32

    /// Takes over an open descriptor.
    init(owning descriptor: Int32) {
        self.descriptor = descriptor
        setOption(IPPROTO_TCP, TCP_NODELAY, to: Int32(1))
    }

    deinit {
        close(descriptor)
    }

    /// Waits for bytes; returns how many came, or 0 once none will come.
    ///
    /// With `untilFull`, it waits until the whole buffer is filled, or the peer has gone.
    func receive(into buffer: UnsafeMutableRawBufferPointer, untilFull: Bool = false) -> Int {
        let flags = untilFull ? Int32(MSG_WAITALL) : 0
        while true {
            let count = recv(descriptor, buffer.baseAddress, buffer.count, flags)
            if count >= 0 { return count }
            if errno != EINTR { return 0 }
        }
    }

    /// Sends both pieces, together where they fit; returns false where the peer has gone.
    func send(_ head: [UInt8], _ body: [UInt8] = []) -> Bool {
        head.withUnsafeBytes { head in
            body.withUnsafeBytes { body in
                var sent = 0
                while sent < head.count + body.count {
                    let count = sendOnce(
                        UnsafeRawBufferPointer(rebasing: head.dropFirst(sent)),
                        UnsafeRawBufferPointer(rebasing: body.dropFirst(max(0, sent - head.count)))
                    )
                    if count >= 0 {
                        sent += count
                    } else if errno != EINTR {
                        return false
                    }
                }
                return true
            }
        }
    }

    /// Waits for a time; returns false, at once, where the peer has finished sending or gone, or after ``shutDown()``.
    func staysOpen(for time: Duration) -> Bool {
        let end = ContinuousClock.now + time
        // Linux's POLLRDHUP, which Swift's Glibc does not have. What the peer sends is no reason to wake.
        var event = pollfd(fd: descriptor, events: 0x2000, revents: 0)
        while true {
            let (seconds, attoseconds) = (end - .now).components
            let left = seconds * 1000 + attoseconds / 1_000_000_000_000_000
            guard left > 0 else { return true }
            let count = poll(&event, 1, Int32(clamping: left))
            if count > 0 { return false }
        }
    }

    /// Notifies the peer that nothing more will be sent.
    func finishSending() {
        shutdown(descriptor, Int32(SHUT_WR))
    }

    /// Lets no later ``receive(into:untilFull:)`` wait longer than this.
    func limitWaiting(_ time: Duration) {
        setOption(SOL_SOCKET, SO_RCVTIMEO, to: Self.interval(time))
    }

    /// Lets no later ``send(_:_:)`` stand still longer than this.
    func limitSending(_ time: Duration) {
        setOption(SOL_SOCKET, SO_SNDTIMEO, to: Self.interval(time))
    }

    /// At least a microsecond: zero would be no limit.
    private static func interval(_ time: Duration) -> timeval {
        let (seconds, attoseconds) = time.components
        let microseconds = Int(attoseconds / 1_000_000_000_000)
        return timeval(tv_sec: Int(seconds), tv_usec: seconds == 0 ? max(1, microseconds) : microseconds)
    }

    /// Ends both directions at once.
    func shutDown() {
        shutdown(descriptor, Int32(SHUT_RDWR))
    }

    private func sendOnce(_ first: UnsafeRawBufferPointer, _ second: UnsafeRawBufferPointer) -> Int {
        var vectors = (
            iovec(iov_base: UnsafeMutableRawPointer(mutating: first.baseAddress), iov_len: first.count),
            iovec(iov_base: UnsafeMutableRawPointer(mutating: second.baseAddress), iov_len: second.count)
        )
        return withUnsafeMutableBytes(of: &vectors) { vectors in
            var message = msghdr()
            message.msg_iov = vectors.assumingMemoryBound(to: iovec.self).baseAddress
            message.msg_iovlen = 2
            return sendmsg(descriptor, &message, Int32(MSG_NOSIGNAL))
        }
    }

    private func setOption<Value>(_ level: Int, _ name: Int32, to value: Value) {
        setOption(Int32(level), name, to: value)
    }

    private func setOption<Value>(_ level: Int32, _ name: Int32, to value: Value) {
        withUnsafePointer(to: value) { value in
            _ = setsockopt(descriptor, level, name, value, socklen_t(MemoryLayout<Value>.size))
        }
    }
}
