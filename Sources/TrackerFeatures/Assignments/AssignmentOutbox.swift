import FoundationEssentials

/// The changes that a store of assignments has yet to receive.
struct AssignmentOutbox: Sendable {
    struct Key: Sendable, Hashable {
        let unit: ExperimentUnit
        let experiment: ExactText

        init(unit: ExperimentUnit, experiment: ExactText) {
            (self.unit, self.experiment) = (unit, experiment)
        }

        init(_ assignment: StickyAssignment) {
            self.init(unit: assignment.unit, experiment: ExactText(assignment.experiment))
        }
    }

    /// The result of forgetting a unit: how many assignments were removed.
    typealias Waiter = FirstResult<Result<Int, any Error>>

    /// A unit that is to be forgotten.
    struct Erasure: Sendable {
        let unit: ExperimentUnit
        /// How many of its assignments waited and were not stored.
        fileprivate(set) var dropped = 0
        fileprivate(set) var waiters: [Waiter] = []
    }

    /// What the store receives next: first what to forget, then what to keep.
    struct Work: Sendable {
        let retained: Set<ExactText>?
        let erasures: [Erasure]
        let keeps: [StickyAssignment]
    }

    private let limit: Int
    private var pending: [Key: StickyAssignment] = [:]
    private var inFlight: [Key: StickyAssignment] = [:]
    private var erasures: [ExperimentUnit: Erasure] = [:]
    private var erasuresInFlight: Set<ExperimentUnit> = []
    /// The experiments that are not to be forgotten; nil if none is to be forgotten.
    private var retained: Set<ExactText>?
    /// The same, of the assignments that the store receives now.
    private var retainedInFlight: Set<ExactText>?
    /// Whether forgetting is due by itself and not only before the next assignments.
    private var isForgettingDue = false

    /// - Parameter limit: How many assignments may wait.
    init(limit: Int) {
        self.limit = limit
    }

    /// Whether what a store says of an experiment and a unit is to be forgotten.
    func isForgetting(_ experiment: String, of unit: ExperimentUnit) -> Bool {
        isForgetting(unit) || isForgetting(experiment)
    }

    /// Whether what a store says of a unit is to be forgotten.
    func isForgetting(_ unit: ExperimentUnit) -> Bool {
        if erasures.isEmpty && erasuresInFlight.isEmpty { return false }
        return erasures[unit] != nil || erasuresInFlight.contains(unit)
    }

    /// Whether what a store says of an experiment is to be forgotten.
    func isForgetting(_ experiment: String) -> Bool {
        if retained == nil && retainedInFlight == nil { return false }
        let experiment = ExactText(experiment)
        return retained.map { !$0.contains(experiment) } ?? false
            || retainedInFlight.map { !$0.contains(experiment) } ?? false
    }

    /// An assignment that waits or is on its way.
    func assignment(of experiment: String, for unit: ExperimentUnit) -> StickyAssignment? {
        if pending.isEmpty && inFlight.isEmpty { return nil }
        let key = Key(unit: unit, experiment: ExactText(experiment))
        return pending[key] ?? inFlight[key]
    }

    /// Adds an assignment.
    /// - Returns: False if too many wait.
    mutating func keep(_ assignment: StickyAssignment) -> Bool {
        guard pending.count < limit else { return false }
        pending[Key(assignment)] = assignment
        return true
    }

    /// Forgets all experiments but some, and their assignments that wait.
    mutating func forget(except experiments: Set<ExactText>) {
        retained = retained?.intersection(experiments) ?? experiments
        isForgettingDue = true
        pending = pending.filter { experiments.contains($0.key.experiment) }
    }

    /// Forgets a unit, and its assignments that wait.
    /// - Parameters:
    ///   - unit: The unit.
    ///   - waiter: Waits for the result.
    mutating func forget(_ unit: ExperimentUnit, _ waiter: Waiter) {
        let dropped = pending.filter { $0.key.unit == unit }
        for key in dropped.keys { pending[key] = nil }
        // One that replaces another is counted by the store, which has the other.
        erasures[unit, default: Erasure(unit: unit)].dropped += dropped.values.count { $0.replaced == nil }
        erasures[unit]?.waiters.append(waiter)
    }

    /// Takes what the store receives next; nil if there is nothing.
    mutating func take() -> Work? {
        guard isForgettingDue || !pending.isEmpty || !erasures.isEmpty else { return nil }
        let work = Work(
            retained: retained, erasures: Array(erasures.values), keeps: Array(pending.values))
        (retainedInFlight, erasuresInFlight, inFlight) = (retained, Set(erasures.keys), pending)
        (retained, isForgettingDue, erasures, pending) = (nil, false, [:], [:])
        return work
    }

    /// Notes that a unit has been forgotten, or was not.
    mutating func told(_ erasure: Erasure) {
        erasuresInFlight.remove(erasure.unit)
    }

    /// Notes whether the store received what was taken.
    mutating func told(_ work: Work, hasForgotten: Bool) {
        inFlight = [:]
        retainedInFlight = nil
        guard !hasForgotten, let failed = work.retained else { return }
        retained = retained?.intersection(failed) ?? failed
    }
}
