/// What a store of assignments has yet to be told.
struct AssignmentOutbox: Sendable {
    private struct Key: Sendable, Hashable {
        let unit: ExperimentUnit
        let experiment: ExactText
    }

    /// What is told next: first what to forget, then what to keep.
    struct Work: Sendable {
        let retained: Set<String>?
        let keeps: [StickyAssignment]
    }

    private let limit: Int
    private var pending: [Key: StickyAssignment] = [:]
    private var inFlight: [Key: StickyAssignment] = [:]
    /// The experiments that are not to be forgotten; nil where nothing is.
    private var retained: Set<String>?
    /// The same of what is told now.
    private var retainedInFlight: Set<String>?
    /// Whether forgetting is due by itself and not only before the next assignments.
    private var isForgettingDue = false

    /// - Parameter limit: How many assignments may wait.
    init(limit: Int) {
        self.limit = limit
    }

    /// Whether what a store says of an experiment is to be forgotten.
    func isForgetting(_ experiment: String) -> Bool {
        retained.map { !$0.contains(experiment) } ?? false
            || retainedInFlight.map { !$0.contains(experiment) } ?? false
    }

    /// The variant of an assignment that is on its way.
    func variant(of experiment: String, for unit: ExperimentUnit) -> String? {
        if pending.isEmpty && inFlight.isEmpty { return nil }
        let key = Key(unit: unit, experiment: ExactText(experiment))
        return (pending[key] ?? inFlight[key])?.variant
    }

    /// Adds an assignment.
    /// - Returns: False where too many wait.
    mutating func keep(_ assignment: StickyAssignment) -> Bool {
        guard pending.count < limit else { return false }
        pending[Key(unit: assignment.unit, experiment: ExactText(assignment.experiment))] = assignment
        return true
    }

    /// Forgets all experiments but some, those on their way too.
    mutating func forget(except experiments: Set<String>) {
        retained = retained?.intersection(experiments) ?? experiments
        isForgettingDue = true
        pending = pending.filter { experiments.contains($0.key.experiment.text) }
    }

    /// Takes what is to be told next, nil where there is nothing.
    mutating func take() -> Work? {
        guard isForgettingDue || !pending.isEmpty else { return nil }
        defer {
            retainedInFlight = retained
            retained = nil
            isForgettingDue = false
            inFlight = pending
            pending = [:]
        }
        return Work(retained: retained, keeps: Array(pending.values))
    }

    /// Notes that what was taken has been told, or was not.
    mutating func told(_ work: Work, hasForgotten: Bool) {
        inFlight = [:]
        retainedInFlight = nil
        guard !hasForgotten, let failed = work.retained else { return }
        retained = retained?.intersection(failed) ?? failed
    }
}
