/// What this process knows of units, in two generations: what was not used since the last change of generations is
/// forgotten at the next.
struct AssignmentCache: Sendable {
    /// What is stored for a unit.
    struct Assigned: Sendable {
        /// The key under which the experiment stores its assignments.
        let experiment: String
        /// nil if it is known that nothing is stored.
        var variant: String?
        /// The time when the unit was given the variant, in milliseconds since 1970.
        var date: Int64
        /// When it became known; see ``ForgottenExperiments``.
        var stamp: Int
        /// The uptime at which it became known.
        var seen: Duration
    }

    /// A variant that a unit was given by an experiment of some content.
    struct Exposed: Sendable, Equatable {
        let experiment: String
        let variant: String
        /// ``CompiledExperiment/digest``.
        let content: Int

        static func == (left: Exposed, right: Exposed) -> Bool {
            left.content == right.content && left.experiment.isExactly(right.experiment)
                && left.variant.isExactly(right.variant)
        }
    }

    /// All that is known of a unit.
    struct Record: Sendable {
        var assigned: [Assigned] = []
        var given: [Exposed] = []
        /// The uptime at which a store returned all that it has of the unit; nil if none did.
        var loaded: Duration?

        var weight: Int { 1 + assigned.count + given.count }

        func assignment(of experiment: String) -> Assigned? { place(of: experiment).map { assigned[$0] } }

        /// The index of an experiment's assignment; nil if none is known.
        func place(of experiment: String) -> Int? {
            assigned.indices.first { assigned[$0].experiment.isExactly(experiment) }
        }
    }

    typealias Generation = [ExperimentUnit: Record]

    /// From so many variants of one unit on, those that an experiment gave with other content are forgotten when it gives one
    /// again.
    private static let givenPerUnit = 256

    private let limit: Int
    private var young: Generation = [:]
    private var old: Generation = [:]
    private var youngWeight = 0
    /// A generation that is no longer needed; it is large, so it is released outside the lock.
    private var discarded: Generation = [:]

    /// How many notes of a variant that was given were forgotten.
    private(set) var forgotten = 0

    /// - Parameter limit: How many units, assignments and given variants together are remembered.
    init(limit: Int) {
        self.limit = limit
    }

    /// Reads what is known of a unit, which counts as a use.
    @inline(__always)
    @discardableResult
    mutating func read<Result>(_ unit: ExperimentUnit, _ body: (Record) -> Result) -> Result? {
        if let index = young.index(forKey: unit) { return body(young.values[index]) }
        guard !old.isEmpty, let record = old.removeValue(forKey: unit) else { return nil }
        let result = body(record)
        young[unit] = record
        grow(by: record.weight)
        return result
    }

    /// Notes that a unit was given a variant.
    /// - Returns: Whether that is new.
    mutating func give(_ given: Exposed, to unit: ExperimentUnit) -> Bool {
        if read(unit, { $0.given.contains(given) }) == true { return false }
        var dropped = 0
        change(unit) { record in
            if record.given.count >= Self.givenPerUnit {
                let count = record.given.count
                record.given.removeAll {
                    $0.experiment.isExactly(given.experiment) && $0.content != given.content
                }
                dropped = count - record.given.count
            }
            record.given.append(given)
        }
        forgotten += dropped
        return true
    }

    /// Notes the stored assignment of a unit, in the place of the one that was known for that experiment.
    mutating func assign(_ assigned: Assigned, to unit: ExperimentUnit) {
        change(unit) { $0.set(assigned) }
    }

    /// Notes that an assignment is not stored after all.
    mutating func unassign(_ variant: String, of experiment: String, from unit: ExperimentUnit) {
        let known = read(unit) { $0.assignment(of: experiment)?.variant } ?? nil
        guard let known, known.isExactly(variant) else { return }
        change(unit) { $0.assigned.removeAll { $0.experiment.isExactly(experiment) } }
    }

    /// Notes what is stored in the place of an assignment that was given. What was forgotten meanwhile stays so.
    mutating func replace(_ given: StickyAssignment, with stored: StickyAssignment, seen uptime: Duration) {
        let known = read(given.unit) { $0.assignment(of: given.experiment) } ?? nil
        guard let known, let variant = known.variant, variant.isExactly(given.variant) else { return }
        assign(Assigned(stored, stamp: known.stamp, seen: uptime), to: given.unit)
    }

    /// Forgets what was known of an experiment's assignment up to an uptime.
    mutating func forget(_ experiment: String, of unit: ExperimentUnit, upTo uptime: Duration) {
        change(unit) { $0.assigned.removeAll { $0.seen <= uptime && $0.experiment.isExactly(experiment) } }
    }

    /// Forgets all that is known of a unit.
    mutating func forget(_ unit: ExperimentUnit) {
        old[unit] = nil
        if let record = young.removeValue(forKey: unit) { youngWeight -= record.weight }
    }

    /// Notes all that a store has of a unit. What became known besides stays, unless it is old.
    /// - Parameters:
    ///   - assignments: What the store has.
    ///   - unit: The unit.
    ///   - uptime: When the store was asked.
    ///   - past: What became known up to this uptime, and the store does not have, is forgotten.
    mutating func load(
        _ assignments: [Assigned], of unit: ExperimentUnit, at uptime: Duration, droppingUpTo past: Duration
    ) {
        change(unit) { record in
            record.loaded = uptime
            record.assigned.removeAll { $0.seen <= past }
            for new in assignments {
                let known = record.assignment(of: new.experiment)
                if known.map({ $0.stamp < new.stamp || $0.seen < uptime }) ?? true { record.set(new) }
            }
        }
    }

    /// Hands over what is no longer needed.
    mutating func takeDiscarded() -> Generation {
        guard !discarded.isEmpty else { return [:] }
        defer { discarded = [:] }
        return discarded
    }

    private mutating func change(_ unit: ExperimentUnit, _ body: (inout Record) -> Void) {
        if let index = young.index(forKey: unit) {
            let before = young.values[index].weight
            body(&young.values[index])
            grow(by: young.values[index].weight - before)
        } else {
            var record = old.removeValue(forKey: unit) ?? Record()
            body(&record)
            young[unit] = record
            grow(by: record.weight)
        }
    }

    private mutating func grow(by weight: Int) {
        youngWeight += weight
        guard youngWeight >= max(1, limit / 2) else { return }
        forgotten += old.values.reduce(0) { $0 + $1.given.count }
        discarded = old
        old = young
        young = [:]
        youngWeight = 0
    }
}

extension AssignmentCache.Record {
    fileprivate mutating func set(_ new: AssignmentCache.Assigned) {
        if let place = place(of: new.experiment) {
            assigned[place] = new
        } else {
            assigned.append(new)
        }
    }
}
