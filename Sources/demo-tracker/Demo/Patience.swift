import TrackerCore

/// How long the demonstration waits for what must come: it ends by itself.
enum Patience {
    /// Far longer than it takes, for a machine that is busy with other work.
    static let limit = Duration.seconds(60)

    /// Waits for something, but not for ever.
    /// - Parameters:
    ///   - what: What it waits for.
    ///   - body: Waits for it; returns nil if it was cancelled.
    /// - Returns: What came.
    /// - Throws: ``BrokenClaim`` if it did not come in time, `CancellationError` if the task was cancelled.
    static func wait<Value: Sendable>(
        for what: String, _ body: @escaping @Sendable () async -> Value?
    ) async throws -> Value {
        let value = await withTaskGroup(of: Value?.self) { group in
            group.addTask { await body() }
            group.addTask {
                _ = await SystemTime().sleepUnlessCancelled(for: limit)
                return nil
            }
            defer { group.cancelAll() }
            return await group.next() ?? nil
        }
        try Task.checkCancellation()
        guard let value else { throw BrokenClaim(reason: "\(what) did not come within \(limit.components.seconds) s") }
        return value
    }
}
