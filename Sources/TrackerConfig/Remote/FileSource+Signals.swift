extension FileSource {
    /// How long a file that is being written, or is missing, is left alone before it is fetched.
    private static let quiet = Duration.seconds(1)
    private static let maxWaiting = 16

    /// Watches the file, and all directories and symbolic links that its path leads through, with inotify.
    ///
    /// A file that is moved to the path, or closed after it was written, is `changed` at once. One that was created, removed, or
    /// changed and not closed is left alone for a second first, so that half a document is not fetched. If inotify's limits are reached,
    /// or if other machines write to the file system, the connection ends with `disconnected`.
    package func signals() -> AsyncStream<SourceSignal>? {
        guard isWatched else { return nil }
        let (signals, continuation) = AsyncStream.makeStream(
            of: SourceSignal.self, bufferingPolicy: .bufferingOldest(Self.maxWaiting))
        let task = Task.unbound {
            do throws(FetchError) {
                try await watch(continuation)
            } catch {
                continuation.yield(.disconnected(error))
            }
            continuation.finish()
        }
        continuation.onTermination = { _ in task.cancel() }
        return signals
    }

    private func watch(_ signals: AsyncStream<SourceSignal>.Continuation) async throws(FetchError) {
        let (wakeUps, wakeUp) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        let inotify = try Inotify { wakeUp.yield() }
        var watched = try WatchedPath(path, inotify, fileSystem: fileSystem)
        signals.yield(.connected)
        // The last change of a file that may not be whole.
        var changed: Duration?
        var timer: (end: Duration, task: Task<Void, Never>)?
        defer { timer?.task.cancel() }
        for await _ in wakeUps {
            var isWhole = false
            for event in inotify.take() {
                switch try watched.take(event) {
                case .now: (isWhole, changed) = (true, nil)
                case .onceQuiet: changed = time.uptime
                case nil: break
                }
            }
            let now = time.uptime
            if let since = changed, since + Self.quiet <= now { (isWhole, changed) = (true, nil) }
            if isWhole { signals.yield(.changed()) }
            if let changed, (timer?.end ?? now) <= now {
                let (end, time) = (changed + Self.quiet, self.time)
                let task = Task.unbound { if await time.sleepUnlessCancelled(for: end - now) { wakeUp.yield() } }
                timer = (end, task)
            }
        }
    }
}
