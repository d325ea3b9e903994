extension Experiments {
    /// So many units are loaded at once unasked; of more, the next evaluation begins it again.
    private static let backgroundLoads = 1000

    /// Loads what a shared store knows of a context's units, so that ``variant(of:default:for:)`` need not wait for it. It
    /// waits at most ``ExperimentOptions/storeTimeout`` for each unit, and returns at once if the task is cancelled.
    /// - Parameter context: The units. Those that no sticky experiment uses are left out.
    public func prepare(for context: FeatureContext) async {
        guard forkGuard.isOwnProcess else { return }
        let table = parts.table()
        for (name, experiment) in table.stickyUnits {
            guard !Task.isCancelled else { return }
            guard let unit = context.unit(name), needsLoading(unit, for: experiment) else { continue }
            _ = await load(unit)
        }
    }

    /// Loads a unit for a caller that waits.
    /// - Returns: Whether the store told what it has; false if the caller is cancelled.
    func load(_ unit: ExperimentUnit) async -> Bool {
        guard !Task.isCancelled, let load = state.withLock({ startLoad(unit, &$0) }) else { return false }
        let race = FirstResult<Bool>()
        Task { race.finish(await load.value) }
        return await withTaskCancellationHandler {
            await race.value
        } onCancel: {
            // The load goes on: it may serve others, and the next evaluation.
            race.finish(false)
        }
    }

    /// Loads a unit for the next evaluation, unless the store failed a moment ago or is busy.
    func loadInBackground(_ unit: ExperimentUnit) {
        let uptime = parts.time.uptime
        state.withLock { state in
            guard uptime >= state.quietUntil.reading, state.loads.count < Self.backgroundLoads else { return }
            _ = startLoad(unit, &state)
        }
    }

    private func needsLoading(_ unit: ExperimentUnit, for experiment: String) -> Bool {
        let store = state.withLock { state -> (any AssignmentStore)? in
            guard case .open(let store) = state.store else { return nil }
            return state.memory.read(unit, { $0.isLoaded }) == true ? nil : store
        }
        // A store that fails at once fails again where the experiment is evaluated, and is counted there.
        return (try? store?.lookUp(experiment, of: unit)) == .unknown
    }

    /// The load of a unit that is under way, else a new one; nil if there is no store, or too many calls of it hang.
    private func startLoad(_ unit: ExperimentUnit, _ state: inout State) -> Task<Bool, Never>? {
        guard case .open(let store) = state.store else { return nil }
        if let load = state.loads[unit] { return load }
        // A store that hangs and ignores cancellation must not fill the memory; one call at a time finds out when it is well.
        guard state.abandonedCalls < Self.maxAbandoned || state.loads.isEmpty else { return nil }
        let stamp = state.forgotten.stamp
        let load = Task.detached { [self] in await ask(store, unit, stamp: stamp) }
        state.loads[unit] = load
        return load
    }

    private func ask(_ store: any AssignmentStore, _ unit: ExperimentUnit, stamp: Int) async -> Bool {
        do {
            let assignments = try await bounded(loadTimeout) { try await store.assignments(of: unit) }
            remember { state in
                state.outages.remove(.reading)
                state.loads[unit] = nil
                // What is being forgotten may still have been there.
                let valid = assignments.filter { !state.outbox.isForgetting($0.key) }
                state.memory.load(valid, of: unit, stamp: stamp)
            }
            return true
        } catch {
            state.withLock { $0.loads[unit] = nil }
            storeFailed(.reading, error)
            return false
        }
    }
}
