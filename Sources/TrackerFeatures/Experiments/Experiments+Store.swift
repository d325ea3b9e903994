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

    func open() -> [ConfigurationWarning] {
        if let store = parts.options.assignmentStore {
            state.withLock { $0.store = .open(store) }
            return []
        }
        guard let path = parts.storePath else {
            state.withLock { $0.store = .unavailable }
            return [warning("no directory is known; sticky experiments behave as if they were not sticky")]
        }
        do throws(EventStoreError) {
            let store = try DiskAssignmentStore(
                path: path, limit: parts.options.maxStoredAssignments, forkGuard: forkGuard, log: parts.log,
                time: parts.time
            ) { [weak self] in self?.evicted($0) }
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
            state.lifetimes = table.lifetimes
            state.nextPruning = .zero
            if case .closed = state.store { return true }
            return false
        }
        let warnings = needsStore && isClosed ? open() : []
        let startsDraining = state.withLock { state in
            guard isFetched || !table.lifetimes.isEmpty, case .open = state.store else { return false }
            if isFetched {
                state.forgotten.forget(except: table.sticky)
                state.outbox.forget(except: table.sticky)
            }
            defer { state.isDraining = true }
            return !state.isDraining
        }
        if startsDraining { Task.detached { [self] in await drain() } }
        return warnings
    }

    /// Whether there may be assignments of earlier processes.
    var hasStored: Bool {
        parts.options.assignmentStore != nil || parts.storePath.map { access($0, F_OK) == 0 } ?? false
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

    private func warning(_ reason: String) -> ConfigurationWarning {
        ConfigurationWarning(place: "experiments", reason: reason)
    }
}
