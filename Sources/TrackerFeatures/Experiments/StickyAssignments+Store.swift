import TrackerPlatform

extension StickyAssignments {
    /// The kind of a call of the store.
    enum Operation {
        case reading, writing
    }

    /// The error of a call of the store that timed out.
    private struct StoreTimeout: Error, CustomStringConvertible {
        let timeout: Duration

        var description: String { "no answer within \(timeout)" }
    }

    /// The maximum number of units that are loaded in the background at once, and of abandoned calls of a shared store
    /// that have not returned.
    private static let maxCalls = 1000

    /// Opens the store unless it is open. If several threads open it at once, the first one applies.
    /// - Returns: Warnings about the store.
    func open() -> [ConfigurationError] {
        if isOpen { return [] }
        if let store = parts.options.assignmentStore {
            use(store)
            return []
        }
        guard let path = parts.storePath else {
            return [warning("no directory is known; sticky experiments behave as if they were not sticky")]
        }
        let former = "\(StandardDirectory.parent(of: path))/assignments-service.sqlite"
        let isFormer = access(path, F_OK) != 0 && access(former, F_OK) == 0
        do throws(EventStoreError) {
            let file = try AssignmentFile(
                path: path, limit: parts.storeLimit, time: parts.time, log: parts.log
            ) { [weak self] in self?.evicted($0) }
            use(file)
            let warnings = [
                isFormer ? "\(former) is of an earlier release, which this one does not read; it stays as it is" : nil,
                file.warning,
            ]
            return warnings.compactMap { $0.map(warning) }
        } catch {
            state.withLock { $0.counters.storeFailures += 1 }
            return [
                warning(
                    "\(path) cannot be opened; sticky experiments behave as if they were not sticky: \(error.reason)")
            ]
        }
    }

    private func use(_ store: any AssignmentStore) {
        let local = store as? any LocalAssignmentStore
        state.withLock { state in
            if state.store == nil { (state.store, state.local) = (store, local) }
        }
    }

    private var isOpen: Bool { state.withLock { $0.store != nil } }

    private func warning(_ reason: String) -> ConfigurationError {
        ConfigurationError(.warning, place: "experiments", reason: reason)
    }

    /// Loads a unit unless it is loaded, and waits until it is, or until the caller is cancelled.
    func load(_ unit: ExperimentUnit) async {
        guard !Task.isCancelled else { return }
        let uptime = parts.time.uptime
        let task = state.withLock { state -> Task<Void, Never>? in
            if let record = state.memory[unit], record.isComplete, uptime - record.time < Self.lifetime { return nil }
            return startLoad(unit, &state)
        }
        guard let task else { return }
        let race = FirstResult<Void>()
        Task { race.finish(await task.value) }
        // The load continues after a cancellation, for other callers and the next evaluation.
        await withTaskCancellationHandler {
            await race.value
        } onCancel: {
            race.finish(())
        }
    }

    /// Loads a unit for the next evaluation, unless the store is busy or has failed recently.
    func loadInBackground(_ unit: ExperimentUnit) {
        let uptime = parts.time.uptime
        state.withLock { state in
            if !state.isQuiet(.reading, at: uptime), state.loads.count < Self.maxCalls { _ = startLoad(unit, &state) }
        }
    }

    /// Returns the current load of a unit, or starts one; nil if there is no store, or if the unit is being removed.
    private func startLoad(_ unit: ExperimentUnit, _ state: inout State) -> Task<Void, Never>? {
        guard let store = state.store, state.forgetting[unit] == nil else { return nil }
        if let task = state.loads[unit]?.task { return task }
        let number = state.beginLoad(unit)
        let task = Task.detached { [self] in await load(unit, from: store, number) }
        state.loads[unit]?.task = task
        return task
    }

    private func load(_ unit: ExperimentUnit, from store: any AssignmentStore, _ number: Int) async {
        let uptime = parts.time.uptime
        do {
            let stored = try await call(store, timeout: .seconds(1)) { try await store.assignments(of: unit) }
            finishLoad(number, of: unit, stored, at: uptime)
        } catch {
            state.withLock { _ = $0.endLoad(number, of: unit) }
            failed(.reading, error)
        }
    }

    /// Calls a store. A shared store may hang, so a call that takes too long is cancelled and abandoned.
    private func call<Value: Sendable>(
        _ store: any AssignmentStore, timeout: Duration, _ operation: @escaping @Sendable () async throws -> Value
    ) async throws -> Value {
        if store is any LocalAssignmentStore { return try await operation() }
        guard state.withLock({ $0.abandonedCalls < Self.maxCalls }) else { throw StoreTimeout(timeout: timeout) }
        let race = FirstResult<Result<Value, any Error>>()
        let call = Task.detached { [self] in
            let result: Result<Value, any Error>
            do {
                result = .success(try await operation())
            } catch {
                result = .failure(error)
            }
            if !race.finish(result) { state.withLock { $0.abandonedCalls -= 1 } }
        }
        let timer = Task { [self] in
            guard await parts.time.sleepUnlessCancelled(for: timeout) else { return }
            if race.finish(.failure(StoreTimeout(timeout: timeout))) { state.withLock { $0.abandonedCalls += 1 } }
        }
        defer {
            timer.cancel()
            call.cancel()
        }
        return try await race.value.get()
    }

    /// Counts a failure, and logs the first one since the last success.
    func failed(_ operation: Operation, _ error: any Error) {
        let until = parts.time.uptime + Self.pauseAfterFailure
        let isNews = state.withLock { state in
            state.counters.storeFailures += 1
            if error is StoreTimeout { state.counters.storeTimeouts += 1 }
            return state.quietUntil.updateValue(until, forKey: operation) == nil
        }
        guard isNews else { return }
        let what = operation == .reading ? "cannot be read" : "cannot be written"
        parts.log.warning("experiments: the store of sticky assignments \(what): \(error)")
    }

    /// Counts assignments that the embedded store removed because of its limit.
    private func evicted(_ count: Int) {
        let isFirst = state.withLock { state in
            defer { state.counters.assignmentsEvicted += count }
            return state.counters.assignmentsEvicted == 0
        }
        guard isFirst else { return }
        parts.log.warning(
            """
            experiments: more than \(parts.storeLimit) assignments are stored; the oldest are removed, and their units are \
            given variants anew
            """)
    }
}

extension StickyAssignments {
    /// Removes all assignments of a unit.
    /// - Returns: The number of removed assignments.
    func forget(_ unit: ExperimentUnit) async throws -> Int {
        // Even if the document in use has no sticky experiments, earlier ones may have had some.
        let hasStored = parts.options.assignmentStore != nil || parts.storePath.map { access($0, F_OK) == 0 } ?? false
        if hasStored, let warning = open().first, !isOpen {
            throw EventStoreError(.unavailable, reason: warning.reason)
        }
        let removed = FirstResult<Result<Int, any Error>>()
        let dropped = state.withLock { state -> [StickyAssignment]? in
            state.memory[unit] = nil
            state.loads[unit] = nil
            state.inFlight[unit] = nil
            guard let store = state.store else { return nil }
            state.forgetting[unit, default: 0] += 1
            enqueue(&state) { [self] in
                let result = await write(to: store) { try await store.forget(unit) }
                self.state.withLock { state in
                    state.forgetting[unit] = state.forgetting[unit].flatMap { $0 > 1 ? $0 - 1 : nil }
                    // The store still has the old assignments, which newer ones may contradict.
                    if case .failure = result { state.memory[unit] = nil }
                    scheduleSave(&state)
                }
                removed.finish(result)
            }
            return state.pending.removeValue(forKey: unit) ?? []
        }
        guard let dropped else { return 0 }
        // An assignment that replaces another is counted by the store, which has the other.
        return try await removed.value.get() + dropped.count { $0.replaced == nil }
    }

    /// Waits until the store has received all assignments.
    /// - Parameter timeout: The longest wait.
    /// - Returns: Whether it finished in time.
    func flush(timeout: Duration) async -> Bool {
        if state.withLock({ $0.writes == 0 }) { return true }
        let race = FirstResult<Bool>()
        let timer = Task { [parts] in
            if await parts.time.sleepUnlessCancelled(for: timeout) { race.finish(false) }
        }
        Task { [self] in
            while let write = state.withLock({ $0.writes > 0 ? $0.lastWrite : nil }) { await write.value }
            race.finish(true)
        }
        defer { timer.cancel() }
        return await race.value
    }

    /// Stores the pending assignments after all earlier writes, in one call with those that are added until then.
    func scheduleSave(_ state: inout State) {
        guard !state.pending.isEmpty, !state.isSaveScheduled, let store = state.store else { return }
        state.isSaveScheduled = true
        enqueue(&state) { [self] in
            let keeps = self.state.withLock { state in
                state.isSaveScheduled = false
                // Assignments of a unit that is being removed must wait until it is.
                state.inFlight = state.pending.filter { state.forgetting[$0.key] == nil }
                for unit in state.inFlight.keys { state.pending[unit] = nil }
                return state.inFlight.values.flatMap(\.self)
            }
            if !keeps.isEmpty { finishSave(keeps, await write(to: store) { try await store.save(keeps) }) }
        }
    }

    /// Runs a write after all earlier ones.
    private func enqueue(_ state: inout State, _ write: @escaping @Sendable () async -> Void) {
        state.writes += 1
        state.lastWrite = Task.detached { [self, previous = state.lastWrite] in
            await previous?.value
            await write()
            self.state.withLock { $0.writes -= 1 }
        }
    }

    /// Calls the store to change it, and counts a failure.
    private func write<Value: Sendable>(
        to store: any AssignmentStore, _ operation: @escaping @Sendable () async throws -> Value
    ) async -> Result<Value, any Error> {
        do {
            return .success(try await call(store, timeout: .seconds(10), operation))
        } catch {
            failed(.writing, error)
            return .failure(error)
        }
    }

    /// Handles the result of saving assignments. If another process has stored one first, the next read returns it.
    private func finishSave(_ keeps: [StickyAssignment], _ others: Result<[StickyAssignment], any Error>) {
        let uptime = parts.time.uptime
        change { state in
            let given = state.inFlight
            state.inFlight = [:]
            switch others {
            case .failure:
                state.counters.assignmentsLost += keeps.count
                for lost in given.values.flatMap(\.self) {
                    state.loads[lost.unit] = nil
                    state.memory[lost.unit]?.assignments.removeAll {
                        $0.experiment.isExactly(lost.experiment) && $0.variant.isExactly(lost.variant)
                    }
                }
            case .success(let others):
                state.counters.assignmentsStored += keeps.count
                if !state.isQuiet(.writing, at: uptime) { state.quietUntil[.writing] = nil }
                // A lookup may have read the store before this save.
                for (unit, stored) in given where !state.loads.isEmpty { state.loads[unit]?.news += stored }
                for other in others
                where given[other.unit]?.assignment(of: other.experiment) != nil
                    // The pending assignment is newer than the saved one.
                    && state.pending[other.unit]?.assignment(of: other.experiment) == nil
                { state.note(other, at: uptime) }
            }
        }
    }
}
