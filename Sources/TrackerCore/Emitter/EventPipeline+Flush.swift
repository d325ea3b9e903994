extension EventPipeline {
    /// Sends the unsent events, at once and then by the back-off, until none is left or the time is over.
    func flush(_ emitter: NamespaceEmitter, timeout: Duration) async {
        let deadline = time.uptime + timeout
        drain()
        // The tracker may be new.
        settingsChanged(of: emitter)
        // Events of a dead process that are being taken over must be sent too.
        if let takeOverTask { await time.wait(for: takeOverTask, atMost: timeout) }
        guard emitter.withDelivery(\.maySend), store.amount(of: emitter.index).events > 0 else { return }
        lastID += 1
        let id = lastID
        let timer = after(max(.zero, deadline - time.uptime)) { pipeline in
            pipeline.updateDelivery(of: emitter) { state, _ in state.flushTimedOut(id) }
        }
        await withCheckedContinuation { continuation in
            emitter.state.withLock { $0.flushes[id] = continuation }
            updateDelivery(of: emitter) { $0.flush(id, queued: $1) }
        }
        timer.cancel()
    }

    /// Stops tracking, sends the stored events within the timeout, closes the store and returns the numbers of events
    /// by outcome.
    ///
    /// Events that could not be sent stay in the store for the next process. It returns within the timeout and half a
    /// second, even if a disk or a transport hangs; only the first call sends.
    /// - Parameter timeout: The time for sending events; zero sends nothing.
    /// - Returns: The sums over all namespaces.
    @discardableResult
    public nonisolated func shutdown(timeout: Duration = .seconds(5)) async -> TrackerCounters {
        intake.close()
        let work = Task.unbound {
            await self.flushAll(timeout: timeout)
            await self.close()
            for emitter in self.emitters.withLock({ $0.all }) { await emitter.waitForDropActions() }
        }
        // The pipeline's thread may wait for a disk that never answers.
        await time.wait(for: work, atMost: timeout + .milliseconds(500))
        return emitters.withLock { $0.all.map(\.counters).reduce($0.ended, +) }
    }

    private func flushAll(timeout: Duration) async {
        drain()
        guard !isClosed, timeout > .zero else { return }
        let all = openEmitters()
        await withDiscardingTaskGroup { group in
            for emitter in all { group.addTask { await self.flush(emitter, timeout: timeout) } }
        }
    }

    private func close() async {
        guard !isClosed else { return }
        isClosed = true
        store.isClosing = true
        let all = openEmitters()
        for emitter in all { updateDelivery(of: emitter) { state, _ in state.shutDown() } }
        // A cancelled request ends at once; a response that it already has still counts.
        for emitter in all {
            for request in emitter.state.withLock({ $0.requests }).values { await request.value }
        }
        store.close()
        applyChanges()
        reportDueLosses(isEnd: true)
    }
}

extension TimeSource {
    /// Waits until a task has ended or the time is over, whichever comes first.
    package func wait(for task: Task<Void, Never>, atMost limit: Duration) async {
        let end = FirstResult<Void>()
        let timer = Task.unbound { if await sleepUnlessCancelled(for: limit) { end.finish(()) } }
        Task.unbound {
            await task.value
            end.finish(())
        }
        await end.value
        timer.cancel()
    }
}
