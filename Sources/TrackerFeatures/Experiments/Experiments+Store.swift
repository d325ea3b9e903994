import Glibc

extension Experiments {
    /// So long nothing is kept or loaded unasked after a failure, as the next would fail too.
    static let pauseAfterFailure = Duration.seconds(5)

    /// Opens the store if experiments need it, and tries again if it could not be opened. Called before the experiments
    /// are in use.
    /// - Parameters:
    ///   - table: The experiments.
    ///   - isFetched: Whether their document was fetched now, which removes what earlier processes have stored for others.
    /// - Returns: What is odd about the store.
    func open(for table: ExperimentTable, isFetched: Bool) -> [ConfigurationError] {
        let (isClosed, isOpen) = state.withLock { state -> (Bool, Bool) in
            switch state.store {
            case .closed: (true, false)
            case .unavailable: (false, false)
            case .open: (false, true)
            }
        }
        guard !isOpen, !table.sticky.isEmpty || isClosed && isFetched && hasStored else { return [] }
        return open()
    }

    /// Opens the store. Of several threads that open it at one time, the first counts.
    func open() -> [ConfigurationError] {
        if let store = parts.options.assignmentStore {
            _ = use(.open(store))
            return []
        }
        guard let path = parts.storePath else {
            _ = use(.unavailable)
            return [warning("no directory is known; sticky experiments behave as if they were not sticky")]
        }
        do throws(EventStoreError) {
            let store = try DiskAssignmentStore(
                path: path, document: parts.storeDocument, limit: parts.options.maxStoredAssignments,
                log: parts.log, time: parts.time
            ) { [weak self] in self?.evicted($0) }
            return use(.open(store)) ? store.warnings.map(warning) : []
        } catch {
            state.withLock { $0.counters.storeFailures += 1 }
            guard use(.unavailable) else { return [] }
            return [
                warning(
                    "\(path) cannot be opened; sticky experiments behave as if they were not sticky: \(error.reason)")
            ]
        }
    }

    /// Takes a store unless one is open.
    /// - Returns: Whether it was taken.
    private func use(_ store: Store) -> Bool {
        state.withLock { state in
            if case .open = state.store { return false }
            state.store = store
            return true
        }
    }

    /// Lets assignments of experiments be stored that are about to be in use; ``adopt(_:isFetched:)`` is to follow.
    func expect(_ table: ExperimentTable) {
        guard !table.sticky.isEmpty else { return }
        state.withLock { $0.sticky.formUnion(table.sticky) }
    }

    /// Updates what is remembered to match a document that is in use.
    ///
    /// A document that was fetched removes what was stored for experiments that it does not have or that are not sticky in it.
    /// Called as soon as the experiments are in use, by one thread at a time.
    /// - Parameters:
    ///   - table: The experiments in use.
    ///   - isFetched: Whether their document was fetched now, and not read from a cache or shipped with the service.
    func adopt(_ table: ExperimentTable, isFetched: Bool) {
        let startsDraining = state.withLock { state in
            state.sticky = table.sticky
            guard isFetched, case .open = state.store else { return false }
            state.forgotten.forget(except: table.sticky)
            state.outbox.forget(except: table.sticky)
            defer { state.isDraining = true }
            return !state.isDraining
        }
        if startsDraining { Task.detached { [self] in await drain() } }
    }

    /// Whether there may be assignments of earlier processes, also of an earlier release.
    var hasStored: Bool {
        if parts.options.assignmentStore != nil { return true }
        guard let path = parts.storePath else { return false }
        return access(path, F_OK) == 0 || FormerAssignments(directory: StandardDirectory.parent(of: path)).exist
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

    /// Counts assignments that the embedded store removed because there are too many.
    private func evicted(_ count: Int) {
        let isFirst = state.withLock { state in
            defer { state.counters.assignmentsEvicted += count }
            return state.counters.assignmentsEvicted == 0
        }
        guard isFirst else { return }
        parts.log.warning(
            """
            experiments: more than \(parts.options.maxStoredAssignments) assignments are stored; the oldest are removed, and \
            their units are given variants anew
            """)
    }

    private func warning(_ reason: String) -> ConfigurationError {
        ConfigurationError(.warning, place: "experiments", reason: reason)
    }
}
