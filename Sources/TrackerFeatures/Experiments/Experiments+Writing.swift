extension Experiments {
    /// Waits until the store has received everything.
    /// - Parameter timeout: How long to wait.
    /// - Returns: Whether it was in time.
    @discardableResult
    package func flush(timeout: Duration) async -> Bool {
        let number = state.withLock { state in
            state.lastFlush += 1
            return state.lastFlush
        }
        let timer = Task { [self] in
            guard await parts.time.sleepUnlessCancelled(for: timeout) else { return }
            state.withLock { $0.flushes.removeValue(forKey: number) }?.resume(returning: false)
        }
        defer { timer.cancel() }
        return await withCheckedContinuation { continuation in
            let isDone = state.withLock { state in
                guard state.isDraining else { return true }
                state.flushes[number] = continuation
                return false
            }
            if isDone { continuation.resume(returning: true) }
        }
    }

    /// Sends the store what waits, until nothing does. What comes while it is busy goes together the next time.
    func drain() async {
        while let (store, work) = nextWork() {
            var hasForgotten = true
            if let retained = work.retained {
                let keys = retained.sorted().map(\.text)
                if case .failure = await written({ try await store.forget(except: keys) }) { hasForgotten = false }
            }
            for erasure in work.erasures {
                finish(erasure, await written { try await store.forget(erasure.unit) })
            }
            var others: [StickyAssignment]? = []
            if !work.keeps.isEmpty {
                // `written` counts and logs a failure.
                others = try? await written { try await store.save(work.keeps) }.get()
            }
            finish(work, hasForgotten: hasForgotten, others)
        }
    }

    /// Calls the store, and counts a failure.
    private func written<Value: Sendable>(
        _ operation: @escaping @Sendable () async throws -> Value
    ) async -> Result<Value, any Error> {
        do {
            return .success(try await bounded(writeTimeout, operation))
        } catch {
            storeFailed(.writing, error)
            return .failure(error)
        }
    }

    private func nextWork() -> (store: any AssignmentStore, work: AssignmentOutbox.Work)? {
        let (next, flushes) = state.withLock { state in
            if case .open(let store) = state.store, let work = state.outbox.take() {
                return (Optional((store, work)), [Int: CheckedContinuation<Bool, Never>]())
            }
            state.isDraining = false
            defer { state.flushes = [:] }
            return (nil, state.flushes)
        }
        for continuation in flushes.values { continuation.resume(returning: true) }
        return next
    }

    /// Notes the result.
    /// - Parameters:
    ///   - work: What the store received.
    ///   - hasForgotten: Whether it has forgotten experiments.
    ///   - others: What is stored in the place of given assignments, because another process was first; nil if the store
    ///     failed.
    private func finish(_ work: AssignmentOutbox.Work, hasForgotten: Bool, _ others: [StickyAssignment]?) {
        let uptime = parts.time.uptime
        remember { state in
            state.outbox.told(work, hasForgotten: hasForgotten)
            guard let others else {
                state.counters.assignmentsLost += work.keeps.count
                for lost in work.keeps { state.memory.unassign(lost.variant, of: lost.experiment, from: lost.unit) }
                return
            }
            state.counters.assignmentsStored += work.keeps.count
            if hasForgotten { state.outages.remove(.writing) }
            adopt(others, inPlaceOf: work.keeps, &state, uptime)
        }
    }

    /// Lets the next read give what other processes have stored.
    private func adopt(
        _ others: [StickyAssignment], inPlaceOf keeps: [StickyAssignment], _ state: inout State, _ uptime: Duration
    ) {
        guard !others.isEmpty else { return }
        let stored = Dictionary(others.map { (AssignmentOutbox.Key($0), $0) }) { first, _ in first }
        for given in keeps {
            // What was given anew meanwhile is not what the store was asked for.
            guard let other = stored[AssignmentOutbox.Key(given)],
                state.outbox.assignment(of: given.experiment, for: given.unit) == nil
            else { continue }
            state.memory.replace(given, with: other, seen: uptime)
        }
    }

    private func finish(_ erasure: AssignmentOutbox.Erasure, _ result: Result<Int, any Error>) {
        remember { state in
            state.outbox.told(erasure)
            guard case .failure = result else { return }
            // The store still has what it had, so what was given meanwhile may contradict it.
            state.memory.forget(erasure.unit)
        }
        for (index, waiter) in erasure.waiters.enumerated() {
            // Of several calls at one time, the first has removed what there was.
            waiter.finish(result.map { index == 0 ? $0 + erasure.dropped : 0 })
        }
    }
}
