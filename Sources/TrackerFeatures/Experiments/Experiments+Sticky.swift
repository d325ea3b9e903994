extension Experiments {
    /// How long a process uses what it knows of an assignment, before it asks the store again.
    static let cacheLifetime = Duration.seconds(300)

    /// What is known of a unit's assignment.
    fileprivate enum Stored {
        /// The variant, and the time when the unit was given it.
        case variant(String, date: Int64)
        case absent
        /// The store has to be waited for.
        case unknown
        /// No store can answer.
        case unavailable
    }

    /// The outcome of the look at what is remembered of a unit.
    private enum Recall {
        case known(Stored)
        /// The store has to be asked; what is remembered is old, or nothing.
        case ask(any AssignmentStore, stamp: Int, old: Stored?)
    }

    /// Decides what a sticky experiment gives to a unit: what is stored for it, else for the fallback unit, else what the
    /// hash gives.
    func sticky(
        _ experiment: CompiledExperiment, _ unit: ExperimentUnit, _ context: FeatureContext, _ loadsUnits: Bool,
        _ budget: ReadBudget, _ meets: (Prerequisite) -> Bool
    ) -> Evaluation {
        let fallback = experiment.fallback(in: context).flatMap { $0 == unit ? nil : $0 }
        var isAvailable = true
        // No list of the units, because it would be an allocation.
        func first(_ look: (ExperimentUnit) -> Evaluation?) -> Evaluation? { look(unit) ?? fallback.flatMap(look) }
        func notLoaded() -> Evaluation {
            if loadsUnits {
                loadInBackground(unit)
                if let fallback { loadInBackground(fallback) }
            }
            return Evaluation(.notLoaded, of: unit)
        }
        for key in experiment.blockingKeys {
            let evaluation = first { candidate in
                guard isAvailable else { return nil }
                switch stored(key, of: candidate, remembersAbsence: true, loadsUnits) {
                case .variant: return Evaluation(.blocked, of: unit)
                case .absent: return nil
                case .unknown: return notLoaded()
                case .unavailable:
                    isAvailable = false
                    return nil
                }
            }
            if let evaluation { return evaluation }
        }
        var (replaced, removed): (String?, String?) = (nil, nil)
        let evaluation = first { candidate in
            guard isAvailable else { return nil }
            switch stored(experiment.storedKey, of: candidate, remembersAbsence: false, loadsUnits) {
            case .variant(let name, let date):
                if let variant = experiment.variant(name) {
                    // What the fallback unit has is stored for the unit too.
                    let unstored =
                        candidate == unit ? nil : Evaluation.Unstored(date: date, replaced: replaced)
                    return experiment.given(variant, .sticky, of: unit, unstored: unstored)
                }
                if removed == nil { removed = name }
                if candidate == unit { replaced = name }
                return nil
            case .absent: return nil
            case .unknown: return notLoaded()
            case .unavailable:
                isAvailable = false
                return nil
            }
        }
        if let evaluation { return evaluation }
        if experiment.targetsUnstoredOnly, let reason = experiment.exclusion(of: unit, context, budget, meets) {
            return Evaluation(reason, of: unit)
        }
        guard isAvailable else { return experiment.drawn(unit, budget) }
        let unstored = Evaluation.Unstored(date: parts.time.wallTime, replaced: replaced)
        // GrowthBook's SDKs draw with the same hash again.
        if let removed, !experiment.experiment.keepsVariantOutsideTargeting {
            return experiment.redrawn(unit, from: removed, budget, unstored)
        }
        return experiment.drawn(unit, budget, unstored: unstored)
    }

    /// What is stored for a unit of an experiment, for explanations; loads nothing.
    /// - Returns: The variant, and the time when the unit was given it, in milliseconds since 1970; nil if nothing is known.
    func storedAssignment(of experiment: CompiledExperiment, for unit: ExperimentUnit) -> (
        variant: String, date: Int64
    )? {
        guard experiment.isSticky else { return nil }
        let stored = stored(experiment.storedKey, of: unit, remembersAbsence: false, false)
        return if case .variant(let name, let date) = stored { (name, date) } else { nil }
    }

    /// The time since when a variant is stored for the unit of a context, or for the fallback unit; loads nothing.
    /// - Parameters:
    ///   - experiment: The experiment.
    ///   - variant: The variant.
    ///   - context: The context.
    /// - Returns: The time in milliseconds since 1970; nil if that variant is not stored, as far as is known.
    package func storedTime(
        of experiment: CompiledExperiment, _ variant: String, for context: FeatureContext
    ) -> Int64? {
        let units = [context.unit(experiment.experiment.unit), experiment.fallback(in: context)].compactMap(\.self)
        return units.lazy.compactMap { self.storedAssignment(of: experiment, for: $0) }
            .first { $0.variant.isExactly(variant) }?.date
    }

    /// What is stored for a unit under a key.
    /// - Parameters:
    ///   - key: The key, see ``StickyAssignment/experiment``.
    ///   - unit: The unit.
    ///   - remembersAbsence: Whether it is remembered that nothing is stored; false if another process may store something.
    ///   - loadsUnits: Whether what is old is loaded again in the background.
    /// - Returns: What is known of it.
    private func stored(
        _ key: String, of unit: ExperimentUnit, remembersAbsence: Bool, _ loadsUnits: Bool
    ) -> Stored {
        let uptime = parts.time.uptime
        switch recall(key, of: unit, uptime) {
        case .known(let stored): return stored
        case .ask(let store, let stamp, let old):
            let lookup: AssignmentLookup
            do {
                lookup = try store.lookUp(key, of: unit)
            } catch {
                storeFailed(.reading, error)
                return old ?? .unavailable
            }
            switch lookup {
            case .found(let assignment):
                let assigned = AssignmentCache.Assigned(
                    experiment: key, variant: assignment.variant, date: assignment.date.milliseconds, stamp: stamp,
                    seen: uptime)
                note(assigned, of: unit)
                return assigned.stored
            case .absent:
                if remembersAbsence {
                    let absent = AssignmentCache.Assigned(
                        experiment: key, variant: nil, date: 0, stamp: stamp, seen: uptime)
                    note(absent, of: unit)
                } else if old != nil {
                    remember { $0.memory.forget(key, of: unit, upTo: uptime - Self.cacheLifetime) }
                }
                return .absent
            case .unknown:
                if old != nil, loadsUnits { loadInBackground(unit) }
                return old ?? .unknown
            }
        }
    }

    private func note(_ assigned: AssignmentCache.Assigned, of unit: ExperimentUnit) {
        remember { state in
            state.outages.remove(.reading)
            // A unit or an experiment that was forgotten meanwhile must not come back.
            guard assigned.stamp == state.forgotten.stamp else { return }
            state.memory.assign(assigned, to: unit)
        }
    }

    private func recall(_ key: String, of unit: ExperimentUnit, _ uptime: Duration) -> Recall {
        state.withLock { state in
            // Told apart where the record lies, because its parts are expensive to copy.
            var (old, isFresh, loaded): (Stored?, Bool, Duration?) = (nil, false, nil)
            let forgotten = state.forgotten
            state.memory.read(unit) { record in
                loaded = record.loaded
                guard let place = record.place(of: key), forgotten.isValid(record.assigned[place].stamp, of: key)
                else { return }
                old = record.assigned[place].stored
                isFresh = uptime - record.assigned[place].seen < Self.cacheLifetime
            }
            if let old, isFresh { return .known(old) }
            guard case .open(let store) = state.store else { return .known(old ?? .unavailable) }
            if state.outbox.isForgetting(key, of: unit) { return .known(old ?? .absent) }
            if let waiting = state.outbox.assignment(of: key, for: unit) {
                return .known(.variant(waiting.variant, date: waiting.date.milliseconds))
            }
            if old == nil, let loaded {
                if uptime - loaded < Self.cacheLifetime { return .known(.absent) }
                old = .absent
            }
            return .ask(store, stamp: state.forgotten.stamp, old: old)
        }
    }
}

extension AssignmentCache.Assigned {
    init(_ assignment: StickyAssignment, stamp: Int, seen: Duration) {
        self.init(
            experiment: assignment.experiment, variant: assignment.variant, date: assignment.date.milliseconds,
            stamp: stamp, seen: seen)
    }

    fileprivate var stored: Experiments.Stored { variant.map { .variant($0, date: date) } ?? .absent }
}
