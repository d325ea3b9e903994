/// How a setup uses its cache.
package enum CacheAccess: Sendable {
    /// A built-in one, at once.
    case synchronous(any SynchronousCache)
    /// A user's, in the background.
    case queued(CacheQueue)

    init(_ cache: any ConfigurationCache, timeout: Duration, time: any TimeSource) {
        // The usual one first: the runtime looks through all conformances of the process for one that it was not asked for yet.
        if let cache = (cache as? DiskCache) ?? cache as? any SynchronousCache {
            self = .synchronous(cache)
        } else {
            self = .queued(CacheQueue(cache, timeout: timeout, time: time))
        }
    }

    /// How long a start waits for the entries; nil for a cache that has them at once.
    var timeout: Duration? {
        if case .queued(let queue) = self { queue.timeout } else { nil }
    }

    /// Changes the entries of a URL: before it returns, or in the background and in order.
    /// - Parameters:
    ///   - url: The URL.
    ///   - failure: What to say of a failure, before its reason.
    ///   - plan: The change.
    ///   - late: Takes the warnings of a change in the background.
    /// - Returns: The warnings of a change that was made at once.
    func update(
        _ url: String, failure: String, _ plan: @escaping CacheChange.Plan,
        late: @escaping @Sendable ([ConfigurationError]) -> Void
    ) -> [ConfigurationError] {
        @Sendable func warnings(_ result: Result<[String], any Error>) -> [ConfigurationError] {
            switch result {
            case .success(let warnings): warnings.map { ConfigurationError(.warning, place: "cache", reason: $0) }
            case .failure(let error): [ConfigurationError(.warning, place: "cache", reason: "\(failure): \(error)")]
            }
        }
        switch self {
        case .synchronous(let cache): return warnings(Result { try cache.update(url, plan) })
        case .queued(let queue):
            let call = queue.update(url, plan)
            Task.detached { late(warnings(await call.value)) }
            return []
        }
    }
}
