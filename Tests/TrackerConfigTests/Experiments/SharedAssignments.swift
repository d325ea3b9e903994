import FoundationEssentials
import TestSupport
import TrackerFeatures
import TrackerTesting

/// A store of a fleet, which answers when the test lets it.
final class SharedAssignments: AssignmentStore {
    /// Its calls: `load u-1`, `keep 2`, `forget u-1`.
    let gate = CallGate("the store")

    private let stored = MemoryAssignments()

    func set(
        _ variant: String, of experiment: String = "x", for user: String = "u-1", unit name: String = "userId",
        date: Date = Date(timeIntervalSince1970: 1_700_000_000)
    ) {
        let unit = ExperimentUnit(name: name, id: user)
        stored.set(StickyAssignment(unit: unit, experiment: experiment, variant: variant, date: date))
    }

    func variant(of experiment: String = "x", for user: String = "u-1") -> String? {
        assignment(of: experiment, for: user)?.variant
    }

    func assignment(of experiment: String = "x", for user: String = "u-1") -> StickyAssignment? {
        let unit = ExperimentUnit(name: "userId", id: user)
        return stored.assignments.first { $0.unit == unit && $0.experiment == experiment }
    }

    func assignments(of unit: ExperimentUnit) async throws -> [StickyAssignment] {
        let found = await stored.assignments(of: unit)
        try await gate.pass("load \(unit.id)")
        return found
    }

    func save(_ assignments: [StickyAssignment]) async throws -> [StickyAssignment] {
        try await gate.pass("keep \(assignments.count)")
        return await stored.save(assignments)
    }

    func forget(_ unit: ExperimentUnit) async throws -> Int {
        try await gate.pass("forget \(unit.id)")
        return await stored.forget(unit)
    }
}
