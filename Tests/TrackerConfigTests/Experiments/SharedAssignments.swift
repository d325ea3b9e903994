import TestSupport
import TrackerConfig
import TrackerCore

/// A store of a fleet, which answers when the test lets it.
final class SharedAssignments: AssignmentStore {
    /// Its calls: `load u-1`, `keep 2`, `forget`.
    let gate = CallGate("the store")

    private struct State: Sendable {
        var kept: [ExperimentUnit: [String: String]] = [:]
    }

    private let state = Locked(State())

    func set(_ variant: String, of experiment: String = "x", for user: String = "u-1") {
        let unit = ExperimentUnit(name: "userId", id: user)
        state.withLock { $0.kept[unit, default: [:]][experiment] = variant }
    }

    func variant(of experiment: String = "x", for user: String = "u-1") -> String? {
        state.withLock { $0.kept[ExperimentUnit(name: "userId", id: user)]?[experiment] }
    }

    func assignments(of unit: ExperimentUnit) async throws -> [String: String] {
        let found = state.withLock { $0.kept[unit] ?? [:] }
        try await gate.pass("load \(unit.id)")
        return found
    }

    func save(_ assignments: [StickyAssignment]) async throws {
        try await gate.pass("keep \(assignments.count)")
        state.withLock { state in
            for one in assignments {
                let stored = state.kept[one.unit]?[one.experiment]
                if stored == nil || stored == one.replaced {
                    state.kept[one.unit, default: [:]][one.experiment] = one.variant
                }
            }
        }
    }

    func forget(except experiments: Set<String>) async throws {
        try await gate.pass("forget")
        state.withLock { state in
            for unit in state.kept.keys { state.kept[unit] = state.kept[unit]?.filter { experiments.contains($0.key) } }
        }
    }
}
