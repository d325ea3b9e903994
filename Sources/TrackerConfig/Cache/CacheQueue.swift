/// Calls a user's cache: one call at a time, in the order in which they were asked for, and none for too long.
package final class CacheQueue: Sendable {
    private struct State {
        var last: Task<Void, Never>?
        /// Whether a call was given up and has not returned.
        var isHanging = false
    }

    /// Why a call failed.
    private enum Failure: Error, CustomStringConvertible {
        case timeout(Duration)
        case isHanging

        var description: String {
            switch self {
            case .timeout(let limit): "no answer within \(limit)"
            case .isHanging: "an earlier call has not returned"
            }
        }
    }

    /// How long a start and a switch of users wait.
    let timeout: Duration
    private let cache: any ConfigurationCache
    private let time: any TimeSource
    private let state = Locked(State())

    init(_ cache: any ConfigurationCache, timeout: Duration, time: any TimeSource) {
        (self.cache, self.time) = (cache, time)
        self.timeout = min(max(timeout, .milliseconds(1)), .seconds(86_400))
    }

    /// Reads the entries of URLs.
    func load(_ urls: [String]) -> Task<CacheContents, Never> {
        let call = enqueue { cache in
            var contents = CacheContents()
            for url in urls { contents.entries[url] = try await cache.entries(for: url) }
            return contents
        }
        return Task.detached {
            switch await call.value {
            case .success(let contents): return contents
            case .failure(let error):
                var contents = CacheContents()
                contents.warnings = ["the cache cannot be read: \(error)"]
                return contents
            }
        }
    }

    /// Reads the entries of URLs; without them if that takes longer than ``timeout``.
    func contents(of urls: [String]) async -> CacheContents {
        if let contents = await load(urls).value(within: timeout, of: time) { return contents }
        var contents = CacheContents()
        contents.warnings = [delay]
        return contents
    }

    /// The warning about a load that takes longer than ``timeout``.
    var delay: String { "the cache cannot be read: \(Failure.timeout(timeout))" }

    /// Changes the entries of a URL.
    func update(_ url: String, _ plan: @escaping CacheChange.Plan) -> Task<Result<[String], any Error>, Never> {
        enqueue { cache in
            attempts: for _ in 0..<CacheChange.maxAttempts {
                var stored = try await cache.entries(for: url)
                let change = plan(stored)
                for entries in change.steps where entries != stored {
                    guard try await cache.replace(stored, with: entries, for: url) else { continue attempts }
                    stored = entries
                }
                return change.warnings
            }
            throw CacheConflict()
        }
    }

    /// Waits until all calls have returned or were given up.
    /// - Parameter timeout: How long to wait.
    func flush(timeout: Duration) async {
        guard let last = state.withLock({ $0.last }) else { return }
        _ = await last.value(within: timeout, of: time)
    }

    private func enqueue<Value: Sendable>(
        _ operation: @escaping @Sendable (any ConfigurationCache) async throws -> Value
    ) -> Task<Result<Value, any Error>, Never> {
        state.withLock { state in
            let call = Task.detached { [self, earlier = state.last] in
                await earlier?.value
                return await bounded(operation)
            }
            state.last = Task.detached { _ = await call.value }
            return call
        }
    }

    private func bounded<Value: Sendable>(
        _ operation: @escaping @Sendable (any ConfigurationCache) async throws -> Value
    ) async -> Result<Value, any Error> {
        guard !state.withLock({ $0.isHanging }) else { return .failure(Failure.isHanging) }
        let call = Task.detached { [cache] () -> Result<Value, any Error> in
            do {
                return .success(try await operation(cache))
            } catch {
                return .failure(error)
            }
        }
        let limit = timeout * 10
        if let result = await call.value(within: limit, of: time) { return result }
        call.cancel()
        state.withLock { $0.isHanging = true }
        Task.detached { [self] in
            _ = await call.value
            state.withLock { $0.isHanging = false }
        }
        return .failure(Failure.timeout(limit))
    }
}

extension Task where Failure == Never {
    /// Waits for the value; the task itself goes on after the time.
    /// - Parameters:
    ///   - limit: How long to wait.
    ///   - time: The clock.
    /// - Returns: The value; nil if it takes longer.
    fileprivate func value(within limit: Duration, of time: any TimeSource) async -> Success? {
        let race = FirstResult<Success?>()
        let waiter = Task<Void, Never>.detached { race.finish(await value) }
        let timer = Task<Void, Never>.detached { if await time.sleepUnlessCancelled(for: limit) { race.finish(nil) } }
        defer {
            waiter.cancel()
            timer.cancel()
        }
        return await race.value
    }
}
