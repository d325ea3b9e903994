extension Experiments {
    /// Removes all assignments of a unit, for example because a person requests it: those that are stored, those that
    /// wait to be stored, and all that this process remembers of the unit.
    ///
    /// If the unit is evaluated again, it is given variants anew, and exposures are recorded anew. Another process with the
    /// same store may use what it remembers of the unit for five minutes. After that it reads the embedded store again; of a
    /// shared store it asks in the background, and uses what it remembers until the store has answered.
    ///
    /// ```swift
    /// let count = try await setup.experiments.forget(ExperimentUnit(name: "userId", id: "u-1"))
    /// ```
    /// - Parameter unit: The unit.
    /// - Returns: The number of assignments that were removed; those that were given a moment ago and are not stored yet are
    ///   counted too.
    /// - Throws: An error of the store, if it cannot be opened, fails, or takes longer than ten times
    ///   ``ExperimentOptions/storeTimeout``. What is stored may be left then, so try again.
    public func forget(_ unit: ExperimentUnit) async throws -> Int {
        // The document in use may have no sticky experiment, and earlier ones had.
        if !isStoreOpen, hasStored, let warning = open().first, !isStoreOpen {
            throw EventStoreError(.unavailable, reason: warning.reason)
        }
        let waiter = AssignmentOutbox.Waiter()
        let (isWaiting, startsDraining) = remember { state in
            state.memory.forget(unit)
            state.loads[unit] = nil
            state.forgotten.forgetUnit()
            guard case .open = state.store else { return (false, false) }
            state.outbox.forget(unit, waiter)
            defer { state.isDraining = true }
            return (true, !state.isDraining)
        }
        if startsDraining { Task.detached { [self] in await drain() } }
        return isWaiting ? try await waiter.value.get() : 0
    }

    private var isStoreOpen: Bool {
        state.withLock { state in
            if case .open = state.store { return true }
            return false
        }
    }
}
