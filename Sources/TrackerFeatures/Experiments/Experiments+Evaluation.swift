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

    /// Evaluates an experiment of the document in use; `recordsExposure` says whether exposures are told and assignments stored.
    func evaluation(of id: String, for context: FeatureContext, recordsExposure: Bool) -> Evaluation {
        // In a forked child a lock may be held by a thread that does not exist there.
        guard forkGuard.isOwnProcess else { return Evaluation(.notLoaded) }
        let table = parts.table()
        guard let experiment = table.experiment(id) else { return Evaluation(.unknown) }
        return assignment(
            of: experiment, version: table.version, forced: parts.forced(id), for: context,
            recordsExposure: recordsExposure)
    }

    /// Evaluates an experiment of a table for a context.
    /// - Parameters:
    ///   - experiment: The experiment.
    ///   - version: The version of its document.
    ///   - forced: The variant that an override forces.
    ///   - context: For whom.
    ///   - recordsExposure: Whether exposures are told and assignments stored.
    /// - Returns: The variant, nil where none is given, and why.
    func assignment(
        of experiment: CompiledExperiment, version: Int?, forced: String?, for context: FeatureContext,
        recordsExposure: Bool
    ) -> Evaluation {
        guard forkGuard.isOwnProcess else { return Evaluation(.notLoaded) }
        let condition =
            hasConditions.load(ordering: .acquiring) ? state.withLock { $0.conditions[exactly: experiment.id] } : nil
        switch experiment.entry(forced: forced, condition: condition, context) {
        case .evaluation(let evaluation): return evaluation
        case .unit(let unit):
            let input = EvaluationInput(
                experiment: experiment, unit: unit, version: version, recordsExposure: recordsExposure)
            return experiment.experiment.isSticky ? sticky(input) : drawn(input)
        }
    }

    /// An experiment and the unit that it is evaluated for.
    struct EvaluationInput {
        let experiment: CompiledExperiment
        let unit: ExperimentUnit
        let version: Int?
        let recordsExposure: Bool

        func given(_ variant: ExperimentVariant) -> AssignmentCache.Given {
            AssignmentCache.Given(experiment: experiment.id, variant: variant.name, content: experiment.digest)
        }
    }

    /// Changes what is remembered, and releases what is no longer needed outside the lock, because it may be much.
    func remember<Result>(_ body: (inout State) -> Result) -> Result {
        let (result, discarded) = state.withLock { (body(&$0), $0.memory.takeDiscarded()) }
        return withExtendedLifetime(discarded) { result }
    }

    /// By the hash, with nothing stored.
    private func drawn(_ input: EvaluationInput) -> Evaluation {
        let evaluation = input.experiment.drawn(input.unit)
        if let variant = evaluation.variant, input.recordsExposure, remembersGiven {
            let isNews = remember { $0.memory.give(input.given(variant), to: input.unit) }
            if isNews { expose(input, variant, isSticky: false) }
        }
        return evaluation
    }

    private func sticky(_ input: EvaluationInput) -> Evaluation {
        switch recall(input) {
        case .kept(let variant, let isNews): return kept(input, variant, isNews)
        case .free(let replaced): return draw(input, replacing: replaced)
        case .storeless: return drawn(input)
        case .ask(let store, let stamp):
            let lookup: AssignmentLookup
            do {
                lookup = try store.lookUp(input.experiment.id, of: input.unit)
            } catch {
                storeFailed(.reading, error)
                return drawn(input)
            }
            switch lookup {
            case .absent: return draw(input, replacing: nil)
            case .found(let name): return found(name, input, stamp)
            case .unknown:
                if input.recordsExposure { loadInBackground(input.unit) }
                return Evaluation(.notLoaded)
            }
        }
    }

    private func recall(_ input: EvaluationInput) -> Recall {
        let (id, unit) = (input.experiment.id, input.unit)
        return state.withLock { state in
            let record = state.memory.read(unit) { ($0.assignment(of: id), $0.isLoaded) }
            if let assigned = record?.0, state.forgotten.isValid(assigned.stamp, of: id) {
                return meaning(of: assigned.variant, input, &state)
            }
            switch state.store {
            case .closed, .unavailable: return .storeless
            case .open(let store):
                if record?.1 == true || state.outbox.isForgetting(id) { return .free(replacing: nil) }
                if let name = state.outbox.variant(of: id, for: unit) { return meaning(of: name, input, &state) }
                return .ask(store, stamp: state.forgotten.stamp)
            }
        }
    }

    /// What a stored variant's name means.
    private func meaning(of name: String, _ input: EvaluationInput, _ state: inout State) -> Recall {
        guard let variant = input.experiment.variant(name) else { return .free(replacing: name) }
        guard input.recordsExposure, remembersGiven else { return .kept(variant, isNews: false) }
        return .kept(variant, isNews: state.memory.give(input.given(variant), to: input.unit))
    }

    private func found(_ name: String, _ input: EvaluationInput, _ stamp: Int) -> Evaluation {
        let recall = remember { state in
            state.outages.remove(.reading)
            state.memory.assign(name, of: input.experiment.id, to: input.unit, stamp: stamp)
            return meaning(of: name, input, &state)
        }
        switch recall {
        case .kept(let variant, let isNews): return kept(input, variant, isNews)
        case .free(let replaced): return draw(input, replacing: replaced)
        case .storeless, .ask: return drawn(input)
        }
    }

    private func kept(_ input: EvaluationInput, _ variant: ExperimentVariant, _ isNews: Bool) -> Evaluation {
        if isNews { expose(input, variant, isSticky: true) }
        return Evaluation(.sticky, variant, isSticky: true)
    }

    /// By the hash, to be stored.
    private func draw(_ input: EvaluationInput, replacing replaced: String?) -> Evaluation {
        let evaluation = input.experiment.drawn(input.unit)
        guard input.recordsExposure, let variant = evaluation.variant else { return evaluation }
        let assignment = StickyAssignment(
            unit: input.unit, experiment: input.experiment.id, variant: variant.name, replaced: replaced)
        let uptime = parts.time.uptime
        switch remember({ decide(assignment, variant, input, &$0, uptime) }) {
        case .overtaken(let variant, let isNews): return kept(input, variant, isNews)
        case .decided(let isStored, let startsDraining, let isNews):
            if startsDraining { Task.detached { [self] in await drain() } }
            if isNews { expose(input, variant, isSticky: isStored) }
            return Evaluation(.assigned, variant, isSticky: isStored)
        }
    }

    /// What became of a drawn variant.
    private enum Outcome {
        case decided(isStored: Bool, startsDraining: Bool, isNews: Bool)
        /// Another thread has given the unit this variant in the meantime.
        case overtaken(ExperimentVariant, isNews: Bool)
    }

    private func decide(
        _ assignment: StickyAssignment, _ variant: ExperimentVariant, _ input: EvaluationInput, _ state: inout State,
        _ uptime: Duration
    ) -> Outcome {
        let id = assignment.experiment
        let other = state.memory.read(assignment.unit) { $0.assignment(of: id) } ?? nil
        if let other, other.variant != assignment.replaced, state.forgotten.isValid(other.stamp, of: id),
            case .kept(let variant, let isNews) = meaning(of: other.variant, input, &state)
        {
            return .overtaken(variant, isNews: isNews)
        }
        let isStored = store(assignment, &state, uptime)
        let startsDraining = isStored && !state.isDraining
        if startsDraining { state.isDraining = true }
        let isNews = remembersGiven && state.memory.give(input.given(variant), to: input.unit)
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
