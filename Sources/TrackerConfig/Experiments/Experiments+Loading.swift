extension Experiments {
    /// So many units are loaded at once unasked; of more, the next evaluation begins it again.
    private static let backgroundLoads = 1000

    /// Loads what a shared store knows of a context's units, so that ``variant(of:default:for:)`` need not wait for it.
    /// - Parameter context: The units. Those that no sticky experiment uses are left out.
    public func prepare(for context: EvaluationContext) async {
        guard forkGuard.isOwnProcess else { return }
        let table = parts.table()
        for (name, experiment) in table.stickyUnits {
            guard let unit = context.unit(name), needsLoading(unit, for: experiment) else { continue }
            _ = await load(unit)
        }
    }

    /// Loads a unit for somebody who waits.
    /// - Returns: Whether the store told what it has.
    func load(_ unit: ExperimentUnit) async -> Bool {
        await state.withLock { startLoad(unit, &$0) }?.value ?? false
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

    /// The load of a unit that is under way, else a new one.
    private func startLoad(_ unit: ExperimentUnit, _ state: inout State) -> Task<Bool, Never>? {
        guard case .open(let store) = state.store else { return nil }
        if let load = state.loads[unit] { return load }
        let stamp = state.forgotten.stamp
        let load = Task.detached { [self] in await ask(store, unit, stamp: stamp) }
        state.loads[unit] = load
        return load
    }

    private func ask(_ store: any AssignmentStore, _ unit: ExperimentUnit, stamp: Int) async -> Bool {
        do {
            let assignments = try await store.assignments(of: unit)
            let discarded = state.withLock { state in
                state.outages.remove(.reading)
                state.loads[unit] = nil
                // What is being forgotten may still have been there.
                let valid = assignments.filter { !state.outbox.isForgetting($0.key) }
                state.memory.load(valid, of: unit, stamp: stamp)
                return state.memory.takeDiscarded()
            }
            withExtendedLifetime(discarded) {}
            return true
        } catch {
            state.withLock { $0.loads[unit] = nil }
            storeFailed(.reading, error)
            return false
        }
    }
}
