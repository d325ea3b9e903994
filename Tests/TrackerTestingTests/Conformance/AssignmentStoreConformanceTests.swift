import FoundationEssentials
import TestSupport
import Testing
import TrackerCore
import TrackerTesting

@testable import TrackerFeatures

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
        case inventsAssignments = "a unit without assignments has an empty list"
        case storesFirstOnly = "all assignments that were saved in one call are stored"
        case givesOtherUnit = "an assignment has the unit that was asked for"
        case changesVariant = "an assignment keeps its variant"
        case roundsDate = "an assignment keeps its date to the millisecond"
        case keepsReplaced = "an assignment that is read replaces none"
        case returnsTwice = "each experiment has one assignment of a unit"
        case isSmall = "all of 500 assignments are stored"
        case lastWins = "another variant that is stored stays, because it was first"
        case replacesAny = "a variant stays that is not the one that an assignment replaces"
        case hidesOthers = "saving returns the assignment that stays in the place of a given one"
        case inventsOthers = "saving returns nothing in the place of a stored assignment"
        case neverReplaces = "an assignment takes the place of the variant that it replaces"
        case keepsDate = "an assignment that replaces another has a date of its own"
        case joinsKeys = "names and ids of units are compared by their bytes"
        case foldsExperiments = "keys of experiments are compared by their bytes"
        case trimsVariants = "a variant keeps its name exactly"
        case miscounts = "forgetting a unit returns the number of its assignments"
        case keepsUnit = "forgetting a unit removes all of its assignments"
        case forgetsOthers = "forgetting a unit removes nothing of another unit"
        case countsNothing = "forgetting a unit without assignments returns 0"
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

    private func key(_ experiment: String) -> ExactText {
        ExactText(defect == .foldsExperiments ? experiment.lowercased() : experiment)
    }

    private func damaged(_ assignment: StickyAssignment) -> StickyAssignment {
        var (variant, date) = (assignment.variant, assignment.date)
        switch defect {
        case .changesVariant: variant = variant.uppercased()
        case .trimsVariants: variant = variant.filter { $0 != "\\" }
        case .roundsDate: date = Date(timeIntervalSince1970: date.timeIntervalSince1970.rounded())
        default: break
        }
        return StickyAssignment(
            unit: assignment.unit, experiment: assignment.experiment, variant: variant, date: date,
            replaced: defect == .keepsReplaced ? "former" : nil)
    }

    func assignments(of unit: ExperimentUnit) async throws -> [StickyAssignment] {
        if defect == .throwsErrors { throw Failure() }
        let found = stored.withLock { $0[key(unit)] ?? [] }
        switch defect {
        case .inventsAssignments where found.isEmpty:
            return [StickyAssignment(unit: unit, experiment: "x", variant: "v", date: Date(milliseconds: 0))]
        case .givesOtherUnit:
            return found.map {
                let other = ExperimentUnit(name: unit.name, id: "\(unit.id)'")
                return StickyAssignment(unit: other, experiment: $0.experiment, variant: $0.variant, date: $0.date)
            }
        case .returnsTwice: return found + found
        default:
            return found.map {
                StickyAssignment(
                    unit: unit, experiment: $0.experiment, variant: $0.variant, date: $0.date, replaced: $0.replaced)
            }
        }
    }

    func save(_ assignments: [StickyAssignment]) async throws -> [StickyAssignment] {
        if defect == .throwsErrors { throw Failure() }
        return stored.withLock { stored in
            var others: [StickyAssignment] = []
            for new in defect == .storesFirstOnly ? Array(assignments.prefix(1)) : assignments {
                if defect == .isSmall, stored.count >= 100 { stored = [:] }
                let (unit, experiment) = (key(new.unit), key(new.experiment))
                var list = stored[unit] ?? []
                defer { stored[unit] = list }
                guard let place = list.firstIndex(where: { key($0.experiment) == experiment }) else {
                    list.append(damaged(new))
                    if defect == .inventsOthers { others.append(new) }
                    continue
                }
                let old = list[place]
                let replaces =
                    switch defect {
                    case .lastWins: true
                    case .replacesAny: new.replaced != nil
                    case .neverReplaces: false
                    default: old.variant == new.replaced
                    }
                guard replaces else {
                    others.append(old)
                    continue
                }
                list[place] = damaged(
                    StickyAssignment(
                        unit: new.unit, experiment: new.experiment, variant: new.variant,
                        date: defect == .keepsDate ? old.date : new.date))
            }
            return defect == .hidesOthers ? [] : others
        }
    }

    func forget(_ unit: ExperimentUnit) async throws -> Int {
        let count = stored.withLock { $0[key(unit)]?.count ?? 0 }
        switch defect {
        case .keepsUnit: return count
        case .forgetsOthers: stored.withLock { $0 = [:] }
        default: stored.withLock { $0[key(unit)] = nil }
        }
        return defect == .miscounts ? min(count, 1) : defect == .countsNothing ? max(count, 1) : count
    }
}
