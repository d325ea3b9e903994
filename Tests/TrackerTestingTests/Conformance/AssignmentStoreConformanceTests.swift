import FoundationEssentials
import TestSupport
import Testing
import TrackerFeatures
import TrackerTesting

@Suite("Conformance of AssignmentStore", .endsWhenItHangs)
struct AssignmentStoreConformanceTests {
    @Test("the library's stores keep all promises")
    func own() async throws {
        let directory = TemporaryDirectory()
        let store = try AssignmentFile(
            path: directory.file("assignments.sqlite"), time: ManualTime(), log: Log(nil, level: .off))
        try await Conformance.check(store)
        try await Conformance.check(MemoryAssignments())
        try await Conformance.check(BrokenStore(.none))
    }

    @Test("each broken promise is found", arguments: BrokenStore.Defect.allCases.filter { $0 != .none })
    func broken(defect: BrokenStore.Defect) async {
        await expectBroken([defect.rawValue]) { try await Conformance.check(BrokenStore(defect)) }
    }
}

/// A store that breaks one promise.
final class BrokenStore: AssignmentStore {
    /// The promise that is broken, as the check words it.
    enum Defect: String, CaseIterable, Sendable {
        case none
        case storesFirstOnly = "all assignments that were saved in one call are stored"
        case givesOtherUnit = "an assignment has the unit that was asked for"
        case roundsDate = "an assignment keeps its date to the millisecond"
        case lastWins = "another variant that is stored stays, because it was first"
        case hidesOthers = "saving returns the assignment that stays in the place of a given one"
        case neverReplaces = "an assignment takes the place of the variant that it replaces"
        case joinsKeys = "names and ids of units are compared by their bytes"
        case trimsVariants = "a variant keeps its name exactly"
        case miscounts = "forgetting a unit returns the number of its assignments"
        case keepsUnit = "forgetting a unit removes all of its assignments"
        case throwsErrors = "saving assignments throws no error"
    }

    private struct Failure: Error {}

    private let defect: Defect
    /// The assignments by the keys of their units.
    private let stored = Locked<[ExactText: [StickyAssignment]]>([:])

    init(_ defect: Defect) {
        self.defect = defect
    }

    private func key(_ unit: ExperimentUnit) -> ExactText {
        ExactText(defect == .joinsKeys ? "\(unit.name):\(unit.id)" : "\(unit.name.utf8.count):\(unit.name)\(unit.id)")
    }

    private func damaged(_ assignment: StickyAssignment) -> StickyAssignment {
        var (variant, date) = (assignment.variant, assignment.date)
        if defect == .trimsVariants { variant = variant.filter { $0 != "\\" } }
        if defect == .roundsDate { date = Date(timeIntervalSince1970: date.timeIntervalSince1970.rounded()) }
        return StickyAssignment(
            unit: assignment.unit, experiment: assignment.experiment, variant: variant, date: date)
    }

    func assignments(of unit: ExperimentUnit) async throws -> [StickyAssignment] {
        if defect == .throwsErrors { throw Failure() }
        let given = defect == .givesOtherUnit ? ExperimentUnit(name: unit.name, id: "\(unit.id)'") : unit
        return stored.withLock { $0[key(unit)] ?? [] }.map {
            StickyAssignment(unit: given, experiment: $0.experiment, variant: $0.variant, date: $0.date)
        }
    }

    func save(_ assignments: [StickyAssignment]) async throws -> [StickyAssignment] {
        if defect == .throwsErrors { throw Failure() }
        return stored.withLock { stored in
            var others: [StickyAssignment] = []
            for new in defect == .storesFirstOnly ? Array(assignments.prefix(1)) : assignments {
                var list = stored[key(new.unit)] ?? []
                defer { stored[key(new.unit)] = list }
                let place = list.firstIndex { ExactText($0.experiment) == ExactText(new.experiment) }
                if let place {
                    let replaces = defect != .neverReplaces && list[place].variant == new.replaced
                    guard replaces || defect == .lastWins else {
                        others.append(list[place])
                        continue
                    }
                    list.remove(at: place)
                }
                list.append(damaged(new))
            }
            return defect == .hidesOthers ? [] : others
        }
    }

    func forget(_ unit: ExperimentUnit) async throws -> Int {
        let count = stored.withLock { $0[key(unit)]?.count ?? 0 }
        if defect != .keepsUnit { stored.withLock { $0[key(unit)] = nil } }
        return defect == .miscounts ? min(count, 1) : count
    }
}
