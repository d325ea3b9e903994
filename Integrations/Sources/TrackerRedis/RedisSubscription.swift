import Dispatch
import IntegrationsPlatform
import TrackerFeatures

/// A connection that subscribes to a channel. It uses no thread: Dispatch waits for its descriptor.
///
/// All work happens on its queue, except connecting, which blocks and runs on a thread before the queue is used.
final class RedisSubscription: @unchecked Sendable {
    // Messages are small; with the limit, no publisher can exhaust the memory of the fleet.
    static let maxMessageSize = 65_536

    private let channel: String
    private let options: RedisOptions
    private let silence: Duration
    private let hints: AsyncThrowingStream<ChangeHint, any Error>.Continuation
    private let queue = DispatchQueue(label: "tracker-redis")
    private var connection: RedisConnection?
    private var reading: (any DispatchSourceRead)?
    private var timer: (any DispatchSourceTimer)?
    private var lastAnswer = ContinuousClock.now
    private var hasEnded = false

    private init(
        _ channel: String, _ options: RedisOptions, silence: Duration,
        _ hints: AsyncThrowingStream<ChangeHint, any Error>.Continuation
    ) {
        (self.channel, self.options, self.silence, self.hints) = (channel, options, silence, hints)
    }

    /// Connects and subscribes.
    /// - Parameters:
    ///   - channel: The channel.
    ///   - options: The server's address and timeouts.
    ///   - silence: The longest time without data from the server.
    /// - Returns: The hints of the connection.
    static func hints(
        of channel: String, _ options: RedisOptions, silence: Duration
    ) -> AsyncThrowingStream<ChangeHint, any Error> {
        let (hints, continuation) = AsyncThrowingStream.makeStream(
            of: ChangeHint.self, bufferingPolicy: .bufferingNewest(1))
        let subscription = RedisSubscription(channel, options, silence: silence, continuation)
        continuation.onTermination = { _ in subscription.queue.async { subscription.end(nil) } }
        if !RedisThread.start({ subscription.open() }) {
            subscription.queue.async { subscription.end(.withoutThread) }
        }
        return hints
    }

    private func open() {
        do throws(RedisError) {
            let connection = try RedisConnection.connect(options)
            _ = try connection.send([["SUBSCRIBE", channel]])[0].list
            connection.stopBlocking()
            self.connection = consume connection
            queue.async { self.begin() }
        } catch {
            queue.async { self.end(error) }
        }
    }

    private func begin() {
        guard !hasEnded, let descriptor = connection?.descriptor else {
            connection = nil
            return
        }
        let reading = DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: queue)
        reading.setEventHandler { self.read() }
        // Dispatch uses the descriptor until the source is cancelled.
        reading.setCancelHandler { self.connection = nil }
        let timer = DispatchSource.makeTimerSource(queue: queue)
        let interval = DispatchTimeInterval.milliseconds(max(Int(silence / .milliseconds(3)), 1))
        timer.schedule(
            deadline: .now() + interval, repeating: interval, leeway: .milliseconds(Int(silence / .milliseconds(30))))
        timer.setEventHandler { self.beat(descriptor) }
        (self.reading, self.timer) = (reading, timer)
        lastAnswer = .now
        hints.yield(ChangeHint())
        reading.resume()
        timer.resume()
    }

    private func read() {
        guard !hasEnded else { return }
        do throws(RedisError) {
            let replies = try connection?.receive(atMost: Self.maxMessageSize) ?? []
            if !replies.isEmpty { lastAnswer = .now }
            for reply in replies {
                // `message`, the channel, and the payload. Answers to PING are lists too.
                guard let parts = try? reply.list, parts.count == 3, parts[0] == .text("message") else {
                    if case .error = reply { _ = try reply.text }
                    continue
                }
                hints.yield(ChangeHint(json: try parts[2].bytes))
            }
        } catch {
            end(error)
        }
    }

    private func beat(_ descriptor: Int32) {
        guard !hasEnded else { return }
        guard ContinuousClock.now - lastAnswer < silence else {
            return end(RedisError(code: .timeout, reason: "Redis sent nothing for \(silence)"))
        }
        // Not sent by hiredis, because SIGPIPE is not blocked here. If it cannot be sent, the missing answer ends the
        // connection.
        let ping = Array("*1\r\n$4\r\nPING\r\n".utf8)
        _ = send(descriptor, ping, ping.count, Int32(MSG_NOSIGNAL | MSG_DONTWAIT))
    }

    private func end(_ error: RedisError?) {
        guard !hasEnded else { return }
        hasEnded = true
        hints.finish(throwing: error.map(FetchError.init))
        reading?.cancel()
        timer?.cancel()
        (reading, timer) = (nil, nil)
    }
}
