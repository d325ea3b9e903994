import Glibc

extension Experiments {
    /// So long nothing is kept or loaded unasked after a failure, as the next would fail too.
    static let pauseAfterFailure = Duration.seconds(5)

    /// Opens the store where a document needs it, and tries again where it could not. Called before the document is in
    /// use, by one thread at a time.
    /// - Parameter table: The document's experiments.
    /// - Returns: What is odd about the store.
    func open(for table: ExperimentTable) -> [ConfigurationWarning] {
        guard !table.sticky.isEmpty, forkGuard.isOwnProcess else { return [] }
        let isOpen = state.withLock { state in
            state.sticky.formUnion(table.sticky)
            if case .open = state.store { return true }
            return false
        }
        return isOpen ? [] : open()
    }

    private func open() -> [ConfigurationWarning] {
        if let store = parts.options.assignmentStore {
            state.withLock { $0.store = .open(store) }
            return []
        }
        guard let path = parts.storePath else {
            state.withLock { $0.store = .unavailable }
            return [warning("no directory is known; sticky experiments behave as if they were not sticky")]
        }
        do throws(EventStoreError) {
            let store = try DiskAssignmentStore(path: path, forkGuard: forkGuard, log: parts.log)
            state.withLock { $0.store = .open(store) }
            return store.warnings.map(warning)
        } catch {
            state.withLock { state in
                state.store = .unavailable
                state.counters.storeFailures += 1
            }
            return [
                warning(
                    "\(path) cannot be opened; sticky experiments behave as if they were not sticky: \(error.reason)")
            ]
        }
    }

    /// Brings what is remembered into line with a document that is in use.
    ///
    /// A document that was fetched ends what was stored for experiments that it does not have or that are not sticky in it.
    /// Called as soon as the document is in use, by one thread at a time.
    /// - Parameters:
    ///   - table: The document's experiments.
    ///   - isFetched: Whether it was fetched now, and not read from a cache or shipped with the service.
    /// - Returns: What is odd about the store.
    @discardableResult
    func adopt(_ table: ExperimentTable, isFetched: Bool) -> [ConfigurationWarning] {
        guard forkGuard.isOwnProcess else { return [] }
        // What earlier processes have stored is forgotten too, where nothing is sticky now.
        let needsStore = !table.sticky.isEmpty || isFetched && hasStored
        let isClosed = state.withLock { state in
            state.sticky = table.sticky
            if case .closed = state.store { return true }
            return false
        }
        let warnings = needsStore && isClosed ? open() : []
        let startsDraining = state.withLock { state in
            guard isFetched, case .open = state.store else { return false }
            state.forgotten.forget(except: table.sticky)
            state.outbox.forget(except: table.sticky)
            defer { state.isDraining = true }
            return !state.isDraining
        }
        if startsDraining { Task.detached { [self] in await drain() } }
        return warnings
    }

    /// Whether there may be assignments of earlier processes.
    private var hasStored: Bool {
        parts.options.assignmentStore != nil || parts.storePath.map { access($0, F_OK) == 0 } ?? false
    }

    /// Waits until the store has been told everything.
    /// - Parameter timeout: How long to wait.
    /// - Returns: Whether it was in time.
    @discardableResult
    package func flush(timeout: Duration) async -> Bool {
        guard forkGuard.isOwnProcess else { return false }
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

    /// Tells the store what waits, until nothing does. What comes while it is busy goes together the next time.
    func drain() async {
        while let (store, work) = nextWork() {
            var hasForgotten = true
            if let retained = work.retained {
                do {
                    try await bounded(writeTimeout) { try await store.forget(except: retained) }
                } catch {
                    hasForgotten = false
                    storeFailed(.writing, error)
                }
            }
            var hasKept = true
            if !work.keeps.isEmpty {
                do {
                    try await bounded(writeTimeout) { try await store.keep(work.keeps) }
                } catch {
                    hasKept = false
                    storeFailed(.writing, error)
                }
            }
            finish(work, hasForgotten: hasForgotten, hasKept: hasKept)
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

    private func finish(_ work: AssignmentOutbox.Work, hasForgotten: Bool, hasKept: Bool) {
        state.withLock { state in
            state.outbox.told(work, hasForgotten: hasForgotten)
            if hasKept {
                state.counters.assignmentsStored += work.keeps.count
                if hasForgotten { state.outages.remove(.writing) }
            } else {
                state.counters.assignmentsLost += work.keeps.count
                for lost in work.keeps { state.memory.unassign(lost.variant, of: lost.experiment, from: lost.unit) }
            }
        }
    }

    /// Counts a failure, and logs the first since all went well.
    func storeFailed(_ outage: Outages, _ error: any Error) {
        let until = parts.time.uptime + Self.pauseAfterFailure
        let isNews = state.withLock { state in
            state.counters.storeFailures += 1
            if error is StoreTimeout { state.counters.storeTimeouts += 1 }
            if outage == .writing { state.quietUntil.writing = until } else { state.quietUntil.reading = until }
            return state.outages.insert(outage).inserted
        }
        guard isNews else { return }
        let what = outage == .writing ? "cannot be written" : "cannot be read"
        parts.log.warning("experiments: the store of sticky assignments \(what): \(error)")
    }

    private func warning(_ reason: String) -> ConfigurationWarning {
        ConfigurationWarning(place: "experiments", reason: reason)
    }
}
