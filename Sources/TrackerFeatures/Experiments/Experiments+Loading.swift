extension Experiments {
    /// So many units are loaded at once unasked; of more, the next evaluation begins it again.
    private static let backgroundLoads = 1000

    /// A load of a unit that is in progress.
    struct Load: Sendable {
        /// Distinguishes it from an earlier load of the unit, which was forgotten meanwhile.
        let number: Int
        let task: Task<Bool, Never>
    }

    /// Loads the assignments of a context's units from a shared store, so that
    /// ``variant(of:default:for:recordsExposure:)`` need not wait for it. It waits at most
    /// ``ExperimentOptions/storeTimeout`` for each unit, and returns at once if the task is cancelled.
    /// - Parameter context: The units. Those that no sticky experiment uses are left out.
    public func prepare(for context: FeatureContext) async {
        let table = table
        for (name, experiment) in table.stickyUnits {
            guard !Task.isCancelled else { return }
            guard let unit = context.unit(name.text), needsLoading(unit, for: experiment) else { continue }
            _ = await load(unit)
        }
    }

    /// Loads a unit for a caller that waits.
    /// - Returns: Whether the store returned what it has; false if the caller is cancelled.
    func load(_ unit: ExperimentUnit) async -> Bool {
        guard !Task.isCancelled, let load = state.withLock({ startLoad(unit, &$0) }) else { return false }
        let race = FirstResult<Bool>()
        Task { race.finish(await load.task.value) }
        return await withTaskCancellationHandler {
            await race.value
        } onCancel: {
            // The load goes on: it may serve others, and the next evaluation.
            race.finish(false)
        }
    }

    /// Whether the store has returned what it has of a unit a moment ago.
    private func isFresh(_ unit: ExperimentUnit, _ state: inout State, _ uptime: Duration) -> Bool {
        guard let loaded = state.memory.read(unit, { $0.loaded }) ?? nil else { return false }
        return uptime - loaded < Self.cacheLifetime
    }

    /// Loads a unit for the next evaluation, unless it is loaded or the store failed a moment ago or is busy.
    func loadInBackground(_ unit: ExperimentUnit) {
        let uptime = parts.time.uptime
        state.withLock { state in
            guard uptime >= state.quietUntil.reading, state.loads.count < Self.backgroundLoads,
                !isFresh(unit, &state, uptime)
            else { return }
            _ = startLoad(unit, &state)
        }
    }

    private func needsLoading(_ unit: ExperimentUnit, for experiment: String) -> Bool {
        let uptime = parts.time.uptime
        let store = state.withLock { state -> (any AssignmentStore)? in
            guard case .open(let store) = state.store else { return nil }
            return isFresh(unit, &state, uptime) ? nil : store
        }
        // A store that fails at once fails again where the experiment is evaluated, and is counted there.
        return (try? store?.lookUp(experiment, of: unit)) == .unknown
    }

    /// The load of a unit that is in progress, else a new one; nil if there is no store, or too many calls of it hang.
    private func startLoad(_ unit: ExperimentUnit, _ state: inout State) -> Load? {
        // While a unit is being forgotten, nothing is stored for it.
        guard case .open(let store) = state.store, !state.outbox.isForgetting(unit) else { return nil }
        if let load = state.loads[unit] { return load }
        // A store that hangs and ignores cancellation must not fill the memory; one call at a time finds out when it is well.
        guard state.abandonedCalls < Self.maxAbandoned || state.loads.isEmpty else { return nil }
        state.lastLoad += 1
        let (number, stamp) = (state.lastLoad, state.forgotten.stamp)
        let load = Load(
            number: number, task: Task.detached { [self] in await ask(store, unit, number: number, stamp: stamp) })
        state.loads[unit] = load
        return load
    }

    private func ask(_ store: any AssignmentStore, _ unit: ExperimentUnit, number: Int, stamp: Int) async -> Bool {
        let uptime = parts.time.uptime
        do {
            let assignments = try await bounded(loadTimeout) { try await store.assignments(of: unit) }
            return remember { state in
                state.outages.remove(.reading)
                // A unit that was forgotten meanwhile must not come back.
                guard state.loads[unit]?.number == number else { return false }
                state.loads[unit] = nil
                // What is being forgotten may still have been there, and what is on its way is newer.
                let valid = assignments.filter { assignment in
                    assignment.unit == unit && !state.outbox.isForgetting(assignment.experiment)
                        && state.outbox.assignment(of: assignment.experiment, for: unit) == nil
                }
                state.memory.load(
                    valid.map { AssignmentCache.Assigned($0, stamp: stamp, seen: uptime) }, of: unit, at: uptime,
                    droppingUpTo: uptime - Self.cacheLifetime)
                return true
            }
        } catch {
            state.withLock { state in
                if state.loads[unit]?.number == number { state.loads[unit] = nil }
            }
            storeFailed(.reading, error)
            return false
        }
    }
}
