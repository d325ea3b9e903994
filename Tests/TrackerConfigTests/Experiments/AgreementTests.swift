import TestSupport
import Testing
import TrackerFeatures
import TrackerTesting

/// Processes that meet a unit with different versions of the document at one moment.
@Suite("Processes that meet a unit at one moment", .endsWhenItHangs)
struct AgreementTests {
    /// The file that processes share, which stores when the test lets it.
    private final class HeldStore: LocalAssignmentStore {
        let gate = CallGate("the store")
        private let store: any LocalAssignmentStore

        init(_ store: any LocalAssignmentStore) { self.store = store }

        func assignments(of unit: ExperimentUnit) async throws -> [StickyAssignment] {
            try await store.assignments(of: unit)
        }

        func save(_ assignments: [StickyAssignment]) async throws -> [StickyAssignment] {
            try await gate.pass("save")
            return try await store.save(assignments)
        }

        func forget(_ unit: ExperimentUnit) async throws -> Int { try await store.forget(unit) }

        func storedAssignments(of unit: ExperimentUnit) throws -> [StickyAssignment]? {
            try store.storedAssignments(of: unit)
        }
    }

    private let rig = ExperimentRig()
    private static let users = 0..<200

    private func variants(_ experiments: Experiments) -> [String] {
        Self.users.map {
            experiments.variant(of: "x", default: "-", for: FeatureContext(userID: "u-\($0)")).variant
        }
    }

    /// A process with a store of its own over the file, or over one store in memory.
    private func process(_ experiment: Experiment, _ store: HeldStore) async -> Experiments {
        let experiments = ExperimentRig().run(experiment) { parts in
            parts.options.assignmentStore = store
            parts.time = rig.time
        }
        await experiments.settle()
        return experiments
    }

    @Test("they agree on the first stored answer from the next read on, without a restart")
    func agree() async throws {
        let stores = try (0..<2).map { _ in HeldStore(try rig.open()) }
        let first = await process(.weighted(0.6, 0.4, isSticky: true), stores[0])
        let second = await process(.weighted(0.4, 0.6, isSticky: true), stores[1])
        for store in stores { store.gate.hold() }
        let (one, two) = (variants(first), variants(second))
        #expect(zip(one, two).count { $0 != $1 } > 20)
        // Who stores first is not who was asked first.
        stores[1].gate.release()
        await second.settle()
        stores[0].gate.release()
        await first.settle()
        #expect(variants(second) == two)
        #expect(variants(first) == two)
        #expect(first.variant(of: "x", default: "-", for: FeatureContext(userID: "u-1")).reason == .sticky)
    }

    @Test("a unit that was forgotten meanwhile does not come back")
    func forgotten() async throws {
        let memory = MemoryAssignments()
        let stores = (0..<2).map { _ in HeldStore(memory) }
        let first = await process(.weighted(1, 0, isSticky: true), stores[0])
        let second = await process(.weighted(0, 1, isSticky: true), stores[1])
        #expect(second.short() == "b assigned*")
        await second.settle()
        stores[0].gate.hold()
        // It has not seen the row: both met the unit at one moment.
        #expect(memory.assignments.count == 1)
        let other = rig.assignment("b")
        _ = await memory.forget(other.unit)
        #expect(first.short() == "a assigned*")
        await stores[0].gate.waitForHeldCall()
        memory.set(other)
        async let count = first.forget(other.unit)
        stores[0].gate.release()
        #expect(try await count >= 1)
        await first.settle()
        #expect(memory.assignments.isEmpty)
        #expect(first.short() == "a assigned*")
    }

    @Test("of two that replace a removed variant, the first counts too")
    func replacing() async throws {
        let memory = MemoryAssignments()
        for user in Self.users { memory.set(rig.assignment("gone", for: "u-\(user)")) }
        let stores = (0..<2).map { _ in HeldStore(memory) }
        let first = await process(.weighted(0.7, 0.3, isSticky: true), stores[0])
        let second = await process(.weighted(0.3, 0.7, isSticky: true), stores[1])
        for store in stores { store.gate.hold() }
        let (one, two) = (variants(first), variants(second))
        #expect(zip(one, two).count { $0 != $1 } > 20)
        stores[0].gate.release()
        await first.settle()
        stores[1].gate.release()
        await second.settle()
        #expect(variants(first) == one)
        #expect(variants(second) == one)
    }
}
