import Synchronization

extension Experiments {
    /// The outcome of the look at what is remembered of a unit.
    private enum Recall {
        /// The unit has this variant.
        case kept(ExperimentVariant, isNews: Bool)
        /// Nothing usable is stored; the hash decides, and its variant takes the place of that one.
        case free(replacing: String?)
        /// The store has to be asked.
        case ask(any AssignmentStore, stamp: Int)
        /// There is no store.
        case storeless
    }

    /// Evaluates an experiment of the document in use; `tells` says whether exposures are told and assignments stored.
    func verdict(of id: String, for context: EvaluationContext, tells: Bool) -> ExperimentVerdict {
        // In a forked child a lock may be held by a thread that does not exist there.
        guard forkGuard.isOwnProcess else { return ExperimentVerdict(.notLoaded) }
        let table = parts.table()
        guard let experiment = table.experiment(id) else { return ExperimentVerdict(.unknown) }
        return assignment(
            of: experiment, version: table.version, forced: parts.forced(id), for: context, tells: tells)
    }

    /// Evaluates an experiment of a table for a context.
    /// - Parameters:
    ///   - experiment: The experiment.
    ///   - version: The version of its document.
    ///   - forced: The variant that an override forces.
    ///   - context: For whom.
    ///   - tells: Whether exposures are told and assignments stored.
    /// - Returns: The variant, nil where none is given, and why.
    func assignment(
        of experiment: PreparedExperiment, version: Int?, forced: String?, for context: EvaluationContext, tells: Bool
    ) -> ExperimentVerdict {
        guard forkGuard.isOwnProcess else { return ExperimentVerdict(.notLoaded) }
        let condition =
            hasConditions.load(ordering: .acquiring) ? state.withLock { $0.conditions[exactly: experiment.id] } : nil
        switch experiment.entry(forced: forced, condition: condition, context) {
        case .verdict(let verdict): return verdict
        case .unit(let unit):
            let evaluation = Evaluation(experiment: experiment, unit: unit, version: version, tells: tells)
            return experiment.experiment.isSticky ? sticky(evaluation) : drawn(evaluation)
        }
    }

    /// An experiment and the unit that it is evaluated for.
    struct Evaluation {
        let experiment: PreparedExperiment
        let unit: ExperimentUnit
        let version: Int?
        let tells: Bool

        func given(_ variant: ExperimentVariant) -> UnitMemory.Given {
            UnitMemory.Given(experiment: experiment.id, variant: variant.name, content: experiment.digest)
        }
    }

    /// Changes what is remembered, and releases what is no longer needed outside the lock, because it may be much.
    func remember<Result>(_ body: (inout State) -> Result) -> Result {
        let (result, discarded) = state.withLock { (body(&$0), $0.memory.takeDiscarded()) }
        return withExtendedLifetime(discarded) { result }
    }

    /// By the hash, with nothing stored.
    private func drawn(_ evaluation: Evaluation) -> ExperimentVerdict {
        let verdict = evaluation.experiment.drawn(evaluation.unit)
        if let variant = verdict.variant, evaluation.tells, remembersGiven {
            let isNews = remember { $0.memory.give(evaluation.given(variant), to: evaluation.unit) }
            if isNews { expose(evaluation, variant, isSticky: false) }
        }
        return verdict
    }

    private func sticky(_ evaluation: Evaluation) -> ExperimentVerdict {
        switch recall(evaluation) {
        case .kept(let variant, let isNews): return kept(evaluation, variant, isNews)
        case .free(let replaced): return draw(evaluation, replacing: replaced)
        case .storeless: return drawn(evaluation)
        case .ask(let store, let stamp):
            let lookup: AssignmentLookup
            do {
                lookup = try store.lookUp(evaluation.experiment.id, of: evaluation.unit)
            } catch {
                storeFailed(.reading, error)
                return drawn(evaluation)
            }
            switch lookup {
            case .absent: return draw(evaluation, replacing: nil)
            case .found(let name): return found(name, evaluation, stamp)
            case .unknown:
                if evaluation.tells { loadInBackground(evaluation.unit) }
                return ExperimentVerdict(.notLoaded)
            }
        }
    }

    private func recall(_ evaluation: Evaluation) -> Recall {
        let (id, unit) = (evaluation.experiment.id, evaluation.unit)
        return state.withLock { state in
            let record = state.memory.read(unit) { ($0.assignment(of: id), $0.isLoaded) }
            if let assigned = record?.0, state.forgotten.isValid(assigned.stamp, of: id) {
                return meaning(of: assigned.variant, evaluation, &state)
            }
            switch state.store {
            case .closed, .unavailable: return .storeless
            case .open(let store):
                if record?.1 == true || state.outbox.isForgetting(id) { return .free(replacing: nil) }
                if let name = state.outbox.variant(of: id, for: unit) { return meaning(of: name, evaluation, &state) }
                return .ask(store, stamp: state.forgotten.stamp)
            }
        }
    }

    /// What a stored variant's name means.
    private func meaning(of name: String, _ evaluation: Evaluation, _ state: inout State) -> Recall {
        guard let variant = evaluation.experiment.variant(name) else { return .free(replacing: name) }
        guard evaluation.tells, remembersGiven else { return .kept(variant, isNews: false) }
        return .kept(variant, isNews: state.memory.give(evaluation.given(variant), to: evaluation.unit))
    }

    private func found(_ name: String, _ evaluation: Evaluation, _ stamp: Int) -> ExperimentVerdict {
        let recall = remember { state in
            state.outages.remove(.reading)
            state.memory.assign(name, of: evaluation.experiment.id, to: evaluation.unit, stamp: stamp)
            return meaning(of: name, evaluation, &state)
        }
        switch recall {
        case .kept(let variant, let isNews): return kept(evaluation, variant, isNews)
        case .free(let replaced): return draw(evaluation, replacing: replaced)
        case .storeless, .ask: return drawn(evaluation)
        }
    }

    private func kept(_ evaluation: Evaluation, _ variant: ExperimentVariant, _ isNews: Bool) -> ExperimentVerdict {
        if isNews { expose(evaluation, variant, isSticky: true) }
        return ExperimentVerdict(.sticky, variant, isSticky: true)
    }

    /// By the hash, to be stored.
    private func draw(_ evaluation: Evaluation, replacing replaced: String?) -> ExperimentVerdict {
        let verdict = evaluation.experiment.drawn(evaluation.unit)
        guard evaluation.tells, let variant = verdict.variant else { return verdict }
        let assignment = StickyAssignment(
            unit: evaluation.unit, experiment: evaluation.experiment.id, variant: variant.name, replaced: replaced)
        let uptime = parts.time.uptime
        switch remember({ decide(assignment, variant, evaluation, &$0, uptime) }) {
        case .overtaken(let variant, let isNews): return kept(evaluation, variant, isNews)
        case .decided(let isStored, let startsDraining, let isNews):
            if startsDraining { Task.detached { [self] in await drain() } }
            if isNews { expose(evaluation, variant, isSticky: isStored) }
            return ExperimentVerdict(.assigned, variant, isSticky: isStored)
        }
    }

    /// What became of a drawn variant.
    private enum Outcome {
        case decided(isStored: Bool, startsDraining: Bool, isNews: Bool)
        /// Another thread has given the unit this variant in the meantime.
        case overtaken(ExperimentVariant, isNews: Bool)
    }

    private func decide(
        _ assignment: StickyAssignment, _ variant: ExperimentVariant, _ evaluation: Evaluation, _ state: inout State,
        _ uptime: Duration
    ) -> Outcome {
        let id = assignment.experiment
        let other = state.memory.read(assignment.unit) { $0.assignment(of: id) } ?? nil
        if let other, other.variant != assignment.replaced, state.forgotten.isValid(other.stamp, of: id),
            case .kept(let variant, let isNews) = meaning(of: other.variant, evaluation, &state)
        {
            return .overtaken(variant, isNews: isNews)
        }
        let isStored = store(assignment, &state, uptime)
        let startsDraining = isStored && !state.isDraining
        if startsDraining { state.isDraining = true }
        let isNews = remembersGiven && state.memory.give(evaluation.given(variant), to: evaluation.unit)
        return .decided(isStored: isStored, startsDraining: startsDraining, isNews: isNews)
    }

    /// Remembers an assignment and hands it to the store.
    /// - Returns: False where the store does not take it.
    private func store(_ assignment: StickyAssignment, _ state: inout State, _ uptime: Duration) -> Bool {
        // Between the moments in which a document is used and in which it is adopted.
        guard state.sticky.contains(assignment.experiment) else { return false }
        guard uptime >= state.quietUntil.writing, state.outbox.keep(assignment) else {
            state.counters.assignmentsLost += 1
            return false
        }
        state.memory.assign(
            assignment.variant, of: assignment.experiment, to: assignment.unit, stamp: state.forgotten.stamp)
        return true
    }
}
