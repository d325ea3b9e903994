import IntegrationsPlatform
import Synchronization
import TrackerHiredis

/// A thread with a connection that sends the commands of all callers together, and reconnects after a failure.
///
/// No call blocks Swift's shared thread pool.
final class RedisWorker: Sendable {
    /// Commands and the continuation for their answers.
    private struct Order: Sendable {
        let commands: [[String]]
        let answer: CheckedContinuation<Result<[RedisReply], RedisError>, Never>
    }

    private struct State {
        var orders: [Order] = []
        var isClosed = false
    }

    /// The maximum number of commands that are sent before their answers are read.
    private static let maxBatch = 512

    private let state = Mutex(State())
    private let wakeUp = WakeUp()

    /// Starts the thread, which ends after ``close()``.
    init(_ options: RedisOptions) {
        let isStarted = RedisThread.start { [self] in run(options) }
        // If the thread cannot be created, all calls fail.
        if !isStarted { close() }
    }

    /// Sends commands and waits for their answers.
    /// - Parameter commands: The commands with their arguments.
    /// - Returns: The answers in the same order, including errors of the server.
    /// - Throws: ``RedisError`` if there is no connection.
    func send(_ commands: [[String]]) async throws(RedisError) -> [RedisReply] {
        let result = await withCheckedContinuation { continuation in
            let isClosed = state.withLock { state in
                if !state.isClosed { state.orders.append(Order(commands: commands, answer: continuation)) }
                return state.isClosed
            }
            if isClosed {
                continuation.resume(returning: .failure(RedisError(code: .closed, reason: "the store is closed")))
            }
            wakeUp.signal()
        }
        return try result.get()
    }

    /// Closes the connection as soon as all commands are answered.
    func close() {
        state.withLock { $0.isClosed = true }
        wakeUp.signal()
    }

    private func run(_ options: RedisOptions) {
        var connection: RedisConnection?
        var failure: (error: RedisError, end: ContinuousClock.Instant)?
        while true {
            let (orders, isClosed) = next()
            if orders.isEmpty {
                if isClosed { return }
                wakeUp.wait()
                continue
            }
            let commands = orders.flatMap(\.commands)
            var result: Result<[RedisReply], RedisError>
            if let failure, ContinuousClock.now < failure.end {
                result = .failure(failure.error)
            } else {
                // The server may have been restarted while the connection was idle. Every command may be sent twice.
                let mayBeStale = connection != nil
                result = Self.exchange(commands, &connection, options)
                if mayBeStale, case .failure(let error) = result, error.code == .disconnected {
                    result = Self.exchange(commands, &connection, options)
                }
                failure = nil
                if case .failure(let error) = result { failure = (error, .now + options.reconnectDelay) }
            }
            // After a failure, each order gets the error.
            var rest = (try? result.get())?[...] ?? []
            for order in orders {
                order.answer.resume(returning: result.map { _ in Array(rest.prefix(order.commands.count)) })
                rest = rest.dropFirst(order.commands.count)
            }
        }
    }

    /// Removes waiting orders up to the size of a batch.
    private func next() -> (orders: [Order], isClosed: Bool) {
        state.withLock { state in
            var count = 0
            let end = state.orders.firstIndex { order in
                count += order.commands.count
                return count > Self.maxBatch && count > order.commands.count
            }
            let orders = Array(state.orders[..<(end ?? state.orders.count)])
            state.orders.removeFirst(orders.count)
            return (orders, state.isClosed)
        }
    }

    /// Connects if there is no connection, and discards a failed one.
    private static func exchange(
        _ commands: [[String]], _ connection: inout RedisConnection?, _ options: RedisOptions
    ) -> Result<[RedisReply], RedisError> {
        do throws(RedisError) {
            let used =
                if let connection = connection.take() { connection } else { try RedisConnection.connect(options) }
            let replies = try used.send(commands)
            connection = consume used
            return .success(replies)
        } catch {
            return .failure(error)
        }
    }
}

/// A semaphore on which a thread waits.
private final class WakeUp: @unchecked Sendable {
    // Allocated separately, because a semaphore must not move.
    private let semaphore = UnsafeMutablePointer<sem_t>.allocate(capacity: 1)

    init() {
        sem_init(semaphore, 0, 0)
    }

    deinit {
        sem_destroy(semaphore)
        semaphore.deallocate()
    }

    func signal() {
        sem_post(semaphore)
    }

    func wait() {
        while sem_wait(semaphore) != 0 {}
    }
}
