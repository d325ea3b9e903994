extension EventPipeline {
    /// Sends what there is, at once and then as the back-off says, until the queue is empty or the time is over.
    func flush(_ outbox: Outbox, timeout: Duration) async {
        drain()
        openLanes()
        // Events of a dead process that are just being taken over are to be sent too.
        if let adoption { await time.wait(for: adoption, atMost: timeout) }
        let number = outbox.number
        guard outbox.isSending, !isClosed, queued(number) > 0 else { return }
        perform(lanes[number].schedule.flush(queued: queued(number)), number)
        nextFlush += 1
        let id = nextFlush
        let timer = Task { [weak self, time] in
            guard await time.sleepsToTheEnd(of: timeout) else { return }
            await self?.finishFlush(id, number)
        }
        await withCheckedContinuation { lanes[number].flushes.append(Flush(id: id, done: $0)) }
        timer.cancel()
    }

    func finishFlushes(_ number: Int) {
        for flush in lanes[number].flushes { flush.done.resume() }
        lanes[number].flushes = []
    }

    private func finishFlush(_ id: UInt64, _ number: Int) {
        guard let place = lanes[number].flushes.firstIndex(where: { $0.id == id }) else { return }
        lanes[number].flushes.remove(at: place).done.resume()
    }

    /// Takes no more events, sends what it can in the time, closes the store and says what became of all.
    ///
    /// What could not be sent stays in the store for the next process. It ends within the timeout and a moment, even
    /// where a disk or a transport hangs; only the first call sends.
    /// - Parameter timeout: The time to send in; zero sends nothing.
    /// - Returns: The sums over all namespaces.
    @discardableResult
    public nonisolated func shutdown(timeout: Duration = .seconds(5)) async -> DeliveryReport {
        guard forkGuard.isOwnProcess else { return DeliveryReport([]) }
        queue.close()
        let work = Task {
            await self.flushAll(timeout: timeout)
            await self.close()
        }
        // The pipeline's thread may wait for a disk that never answers.
        await time.wait(for: work, atMost: timeout + .milliseconds(500))
        return DeliveryReport(outboxes.withLock { $0.all.map(\.counters) })
    }

    private func flushAll(timeout: Duration) async {
        drain()
        guard !isClosed, timeout > .zero else { return }
        await withDiscardingTaskGroup { group in
            for lane in lanes { group.addTask { await self.flush(lane.outbox, timeout: timeout) } }
        }
    }

    private func close() async {
        guard !isClosed else { return }
        isClosed = true
        storage.isClosing = true
        let passes = lanes.compactMap(\.pass)
        for number in lanes.indices {
            lanes[number].timer?.cancel()
            lanes[number].pass?.cancel()
            finishFlushes(number)
        }
        // A cancelled transfer ends at once; its answer, if it had one, is still judged.
        for pass in passes { await pass.value }
        storage.close()
        applyChanges()
        reportDueLosses()
    }
}

extension TimeSource {
    /// Returns when a task has ended or the time is over, whichever comes first.
    package func wait(for task: Task<Void, Never>, atMost limit: Duration) async {
        let isOver = Locked(false)
        await withCheckedContinuation { continuation in
            let finish = { @Sendable in
                let isFirst = isOver.withLock { isOver in
                    defer { isOver = true }
                    return !isOver
                }
                if isFirst { continuation.resume() }
            }
            let timer = Task {
                if await self.sleepsToTheEnd(of: limit) { finish() }
            }
            Task {
                await task.value
                timer.cancel()
                finish()
            }
        }
    }
}
