import FoundationEssentials

/// The assignments of sticky experiments: those in memory, those that wait to be stored, and the store.
final class StickyAssignments: Sendable {
    /// The known assignments of a unit.
    enum Answer {
        case assignments([StickyAssignment])
        /// The store cannot answer at once.
        case notLoaded
        /// No store can answer.
        case unavailable
    }

    /// The remembered assignments of a unit.
    struct Record: Sendable {
        var assignments: [StickyAssignment] = []
        /// The uptime at which the store was read, or the first assignment was made.
        let time: Duration
        /// Whether the store had no other assignments.
        var isComplete = false
    }

    /// A lookup in progress.
    struct Load: Sendable {
        /// Distinguishes the lookup from an earlier one of the unit, whose result must be ignored.
        let number: Int
        /// nil for a lookup on the evaluating thread.
        var task: Task<Void, Never>?
        /// The assignments learned since its start, which are newer than its result.
        var news: [StickyAssignment] = []
    }

    struct State: Sendable {
        /// nil before a sticky experiment is used, and if it cannot be opened.
        var store: (any AssignmentStore)?
        /// The same store if it can answer at once.
        var local: (any LocalAssignmentStore)?
        /// The remembered assignments, which are all removed when there are too many.
        var memory: [ExperimentUnit: Record] = [:]
        /// The assignments that wait for the store.
        var pending: [ExperimentUnit: [StickyAssignment]] = [:]
        var isSaveScheduled = false
        /// The assignments that the store is receiving, without those of units that were removed in the meantime.
        var inFlight: [ExperimentUnit: [StickyAssignment]] = [:]
        /// The units that the store has yet to remove, with the numbers of calls.
        var forgetting: [ExperimentUnit: Int] = [:]
        /// The number of unfinished writes, and the last of them; each one waits for the previous one.
        var writes = 0
        var lastWrite: Task<Void, Never>?
        var loads: [ExperimentUnit: Load] = [:]
        var lastLoad = 0
        /// The number of abandoned calls of a shared store that have not returned.
        var abandonedCalls = 0
        /// The uptimes until which nothing is loaded or stored after a failure; empty if there was none.
        var quietUntil: [Operation: Duration] = [:]
        /// The counters of exposures too.
        var counters = ExperimentCounters()
    }

    /// The time for which a process uses the remembered assignments of a unit before it reads the store again.
    static let lifetime = Duration.seconds(300)
    /// The pause after a failure of the store, because the next call would fail too.
    static let pauseAfterFailure = Duration.seconds(5)

    let parts: Experiments.Parts
    let state = Locked(State())

    init(_ parts: Experiments.Parts) { self.parts = parts }

    /// Returns the assignments of a unit: those in memory, else those of a store that can answer at once.
    /// - Parameters:
    ///   - unit: The unit.
    ///   - experiment: The evaluated experiment. If nothing is remembered of it, a local store is read again, because
    ///     another process may have stored its assignment.
    ///   - loads: Whether an unknown unit is loaded in the background.
    /// - Returns: The assignments, or why they are not known.
    func assignments(of unit: ExperimentUnit, for experiment: CompiledExperiment, loads: Bool) -> Answer {
        let uptime = parts.time.uptime
        let (known, isFinal, local, number) = state.withLock {
            state -> (Answer?, isFinal: Bool, (any LocalAssignmentStore)?, number: Int) in
            let record = state.memory[unit]
            let isFresh = record.map { uptime - $0.time < Self.lifetime } ?? false
            let isDecided = record.map { experiment.isDecided(by: $0.assignments) } ?? false
            let known = record.flatMap { isDecided || $0.isComplete ? Answer.assignments($0.assignments) : nil }
            if isFresh, isDecided { return (known, true, nil, 0) }
            // The assignments in the store are about to be removed.
            if state.forgetting[unit] != nil { return (.assignments(state.waiting(unit)), true, nil, 0) }
            if state.store == nil { return (known ?? .unavailable, true, nil, 0) }
            guard let local = state.local else { return (known, isFresh, nil, 0) }
            return (known, false, local, state.beginLoad(unit))
        }
        if isFinal, let known { return known }
        var failure: (any Error)?
        if let local {
            do {
                if let stored = try local.storedAssignments(of: unit) {
                    return .assignments(finishLoad(number, of: unit, stored, at: uptime))
                }
            } catch {
                failure = error
            }
            state.withLock { _ = $0.endLoad(number, of: unit) }
        }
        if loads { loadInBackground(unit) }
        // After the start of the load, which also repairs a damaged file; later loads wait for the pause.
        if let failure { failed(.reading, failure) }
        return known ?? (failure == nil ? .notLoaded : .unavailable)
    }

    /// Remembers an assignment and passes it to the store.
    /// - Parameter assignment: The assignment.
    /// - Returns: The assignment, or one that another thread has made in the meantime; nil if the store cannot accept
    ///   it.
    func keep(_ assignment: StickyAssignment) -> StickyAssignment? {
        let uptime = parts.time.uptime
        return change { state in
            let known = state.memory[assignment.unit]?.assignments ?? state.waiting(assignment.unit)
            if let other = known.assignment(of: assignment.experiment),
                !(assignment.replaced.map(other.variant.isExactly) ?? false)
            {
                return other
            }
            guard !state.isQuiet(.writing, at: uptime), state.pending.count < parts.outboxLimit else {
                state.counters.assignmentsLost += 1
                return nil
            }
            state.pending[assignment.unit, default: []].set(assignment)
            state.note(assignment, at: uptime)
            scheduleSave(&state)
            return assignment
        }
    }

    /// Handles the result of a lookup, unless the unit was removed or looked up again in the meantime.
    /// - Returns: The assignments, including those learned in the meantime.
    @discardableResult
    func finishLoad(
        _ number: Int, of unit: ExperimentUnit, _ stored: [StickyAssignment], at uptime: Duration
    ) -> [StickyAssignment] {
        change { state in
            var assignments = stored.filter { $0.unit == unit }
            let load = state.endLoad(number, of: unit)
            for newer in (load?.news ?? []) + state.waiting(unit) { assignments.set(newer) }
            if !state.isQuiet(.reading, at: uptime) { state.quietUntil[.reading] = nil }
            if load != nil { state.memory[unit] = Record(assignments: assignments, time: uptime, isComplete: true) }
            return assignments
        }
    }

    /// Changes the state. If the memory is full, it is cleared first; it is released outside the lock, because it may
    /// be large.
    func change<Result>(_ body: (inout State) -> Result) -> Result {
        let (result, forgotten) = state.withLock { state in
            let forgotten = state.memory.count < parts.memoryLimit ? [:] : state.memory
            if !forgotten.isEmpty { state.memory = [:] }
            return (body(&state), forgotten)
        }
        return withExtendedLifetime(forgotten) { result }
    }
}

extension StickyAssignments.State {
    /// Whether nothing is loaded or stored, because the store has failed recently.
    func isQuiet(_ operation: StickyAssignments.Operation, at uptime: Duration) -> Bool {
        quietUntil[operation].map { uptime < $0 } ?? false
    }

    /// The assignments of a unit that are not stored yet.
    func waiting(_ unit: ExperimentUnit) -> [StickyAssignment] {
        if pending.isEmpty && inFlight.isEmpty { return [] }
        var assignments = inFlight[unit] ?? []
        for newer in pending[unit] ?? [] { assignments.set(newer) }
        return assignments
    }

    /// Remembers an assignment, which replaces any other of its unit and experiment.
    mutating func note(_ assignment: StickyAssignment, at uptime: Duration) {
        var record = memory[assignment.unit] ?? StickyAssignments.Record(time: uptime)
        record.assignments.set(assignment)
        memory[assignment.unit] = record
        loads[assignment.unit]?.news.append(assignment)
    }

    mutating func beginLoad(_ unit: ExperimentUnit) -> Int {
        lastLoad += 1
        loads[unit] = StickyAssignments.Load(number: lastLoad)
        return lastLoad
    }

    /// Removes a load unless it was replaced.
    @discardableResult
    mutating func endLoad(_ number: Int, of unit: ExperimentUnit) -> StickyAssignments.Load? {
        guard let load = loads[unit], load.number == number else { return nil }
        loads[unit] = nil
        return load
    }
}
