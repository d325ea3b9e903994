import IntegrationsPlatform
import TrackerHiredis

/// One connection of hiredis; it stays on the thread that created it.
struct RedisConnection: ~Copyable {
    private let context: UnsafeMutablePointer<redisContext>
    private let timeout: Duration

    private init(_ context: UnsafeMutablePointer<redisContext>, timeout: Duration) {
        (self.context, self.timeout) = (context, timeout)
    }

    /// Connects, authenticates the user and selects the database.
    /// - Parameter options: The server's address and timeouts.
    /// - Returns: The connection.
    /// - Throws: ``RedisError`` if the server cannot be reached or rejects the user.
    static func connect(_ options: RedisOptions) throws(RedisError) -> RedisConnection {
        let timeout = max(options.timeout, .milliseconds(1))
        let limit = timeval(timeout)
        let context =
            switch options.address {
            case .tcp(let host, let port): redisConnectWithTimeout(host, Int32(clamping: port), limit)
            case .unix(let path): redisConnectUnixWithTimeout(path, limit)
            }
        guard let context else { throw RedisError(code: .disconnected, reason: "there is no memory for a connection") }
        let connection = RedisConnection(context, timeout: timeout)
        guard context.pointee.err == 0 else { throw connection.failure() }
        // Otherwise each child process of the service keeps the connection open.
        _ = fcntl(context.pointee.fd, F_SETFD, FD_CLOEXEC)
        redisSetTimeout(context, limit)
        if case .tcp = options.address { redisEnableKeepAlive(context) }
        var commands: [[String]] = []
        if let password = options.password {
            commands.append(["AUTH"] + (options.username.map { [$0] } ?? []) + [password])
        }
        if options.database != 0 { commands.append(["SELECT", "\(options.database)"]) }
        for reply in try connection.send(commands) {
            if case .error(let text) = reply { throw RedisError(code: .refused, reason: "Redis answered: \(text)") }
        }
        return connection
    }

    deinit {
        redisFree(context)
    }

    /// Sends commands together and waits for all answers.
    /// - Parameter commands: The commands with their arguments.
    /// - Returns: The answers in the same order, including errors of the server.
    /// - Throws: ``RedisError`` if the connection is no longer usable.
    func send(_ commands: [[String]]) throws(RedisError) -> [RedisReply] {
        for command in commands {
            guard append(command) == REDIS_OK else { throw failure() }
        }
        var replies: [RedisReply] = []
        for _ in commands {
            var reply: UnsafeMutableRawPointer?
            guard redisGetReply(context, &reply) == REDIS_OK, let reply else { throw failure() }
            replies.append(RedisReply(reply.assumingMemoryBound(to: redisReply.self)))
            freeReplyObject(reply)
        }
        return replies
    }

    /// The connection's descriptor.
    var descriptor: Int32 { context.pointee.fd }

    /// Makes reads non-blocking, as ``receive(atMost:)`` requires.
    func stopBlocking() {
        _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK)
        context.pointee.flags &= ~REDIS_BLOCK
    }

    /// Reads the available bytes, without waiting.
    /// - Parameter limit: The maximum size of an answer in bytes.
    /// - Returns: The complete answers.
    /// - Throws: ``RedisError`` if the connection is no longer usable, or if an answer is too large.
    func receive(atMost limit: Int) throws(RedisError) -> [RedisReply] {
        guard redisBufferRead(context) == REDIS_OK else { throw failure() }
        var replies: [RedisReply] = []
        while true {
            var reply: UnsafeMutableRawPointer?
            guard redisGetReplyFromReader(context, &reply) == REDIS_OK else { throw failure() }
            guard let reply else { break }
            replies.append(RedisReply(reply.assumingMemoryBound(to: redisReply.self)))
            freeReplyObject(reply)
        }
        guard let reader = context.pointee.reader, reader.pointee.len - reader.pointee.pos <= limit else {
            throw RedisError(code: .unexpected, reason: "Redis sent a message larger than \(limit) bytes")
        }
        return replies
    }

    private func append(_ command: [String]) -> Int32 {
        // One buffer with all arguments, and lengths, because an argument may contain zero bytes.
        let bytes = command.flatMap { Array($0.utf8) }
        let lengths = command.map(\.utf8.count)
        return bytes.withUnsafeBytes { buffer in
            var pointers: [UnsafePointer<CChar>?] = []
            var place = 0
            for length in lengths {
                pointers.append(buffer.baseAddress.map { ($0 + place).assumingMemoryBound(to: CChar.self) })
                place += length
            }
            return redisAppendCommandArgv(context, Int32(command.count), &pointers, lengths)
        }
    }

    private func failure() -> RedisError {
        let number = errno
        let error = context.pointee
        let isTimeout = error.err == REDIS_ERR_IO && [EAGAIN, EWOULDBLOCK, ETIMEDOUT].contains(number)
        if isTimeout { return RedisError(code: .timeout, reason: "Redis did not answer within \(timeout)") }
        let text = withUnsafeBytes(of: error.errstr) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
        return RedisError(code: .disconnected, reason: "no connection to Redis: \(text)")
    }
}

extension timeval {
    fileprivate init(_ duration: Duration) {
        let (seconds, attoseconds) = duration.components
        self.init(tv_sec: Int(seconds), tv_usec: Int(attoseconds / 1_000_000_000_000))
    }
}
