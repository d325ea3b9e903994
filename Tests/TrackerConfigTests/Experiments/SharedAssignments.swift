import FoundationEssentials
import TestSupport
import TrackerConfig
import TrackerCore

/// A store of a fleet, which answers when the test lets it.
final class SharedAssignments: AssignmentStore {
    /// Its calls: `load u-1`, `keep 2`, `forget`.
    let gate = CallGate("the store")

    private struct State: Sendable {
        var kept: [ExperimentUnit: [StickyAssignment]] = [:]

        func assignment(of experiment: String, for unit: ExperimentUnit) -> StickyAssignment? {
            kept[unit]?.first { $0.experiment.utf8.elementsEqual(experiment.utf8) }
        }

        mutating func set(_ assignment: StickyAssignment) {
            kept[assignment.unit, default: []].removeAll {
                $0.experiment.utf8.elementsEqual(assignment.experiment.utf8)
            }
            kept[assignment.unit, default: []].append(assignment)
        }
    }

    private let state = Locked(State())

    /// The dates before which experiments were forgotten.
    let pruned = Locked<[String: Date]>([:])

    func set(
        _ variant: String, of experiment: String = "x", for user: String = "u-1", unit name: String = "userId",
        date: Date = Date(timeIntervalSince1970: 1_700_000_000)
    ) {
        let unit = ExperimentUnit(name: name, id: user)
        state.withLock {
            $0.set(StickyAssignment(unit: unit, experiment: experiment, variant: variant, date: date))
        }
    }

    func variant(of experiment: String = "x", for user: String = "u-1") -> String? {
        assignment(of: experiment, for: user)?.variant
    }

    func assignment(of experiment: String = "x", for user: String = "u-1") -> StickyAssignment? {
        state.withLock { $0.assignment(of: experiment, for: ExperimentUnit(name: "userId", id: user)) }
    }

    func assignments(of unit: ExperimentUnit) async throws -> [StickyAssignment] {
        let found = state.withLock { $0.kept[unit] ?? [] }
        try await gate.pass("load \(unit.id)")
        return found
    }

    func save(_ assignments: [StickyAssignment]) async throws {
        try await gate.pass("keep \(assignments.count)")
        state.withLock { state in
            for one in assignments {
                let stored = state.assignment(of: one.experiment, for: one.unit)?.variant
                if stored == nil || stored == one.replaced {
                    state.set(
                        StickyAssignment(
                            unit: one.unit, experiment: one.experiment, variant: one.variant, date: one.date))
                }
            }
        }
    }

    func forget(except experiments: [String]) async throws {
        try await gate.pass("forget")
        state.withLock { state in
            for unit in state.kept.keys { state.kept[unit]?.removeAll { !experiments.contains($0.experiment) } }
        }
    }

    func forget(_ unit: ExperimentUnit) async throws -> Int {
        try await gate.pass("forget \(unit.id)")
        return state.withLock { $0.kept.removeValue(forKey: unit)?.count ?? 0 }
    }

    func forget(_ experiment: String, before date: Date) async throws {
        pruned.withLock { $0[experiment] = date }
    }
}
