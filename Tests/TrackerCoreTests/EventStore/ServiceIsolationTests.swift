import Foundation
import TestSupport
import Testing
import TrackerTesting

@testable import TrackerCore

@Suite("services on one directory", .endsWhenItHangs)
struct ServiceIsolationTests {
    private let directory = TemporaryDirectory()

    private func rig(_ service: String, _ namespaces: Set<String>? = nil, seed: UInt64) -> Rig {
        Rig(directory: StateDirectory(path: directory.path, service: service), namespaces: namespaces, seed: seed)
    }

    /// Lets a process of a service store events and die.
    private func leave(
        _ numbers: ClosedRange<Int>, of namespace: String, _ service: String, _ namespaces: Set<String>? = nil,
        seed: UInt64
    ) async throws {
        let rig = rig(service, namespaces, seed: seed)
        let tracker = try await rig.idleTracker(namespace)
        tracker.track(numbers)
        await rig.pipeline.shutdown(timeout: .zero)
    }

    @Test("services with the same namespace never send each other's events")
    func keepsServicesApart() async throws {
        try await leave(1...3, of: "main", "a", seed: 1)
        let other = rig("b", ["main"], seed: 2)
        let tracker = try await other.tracker("main")
        await other.pipeline.adoptAbandonedStores()
        tracker.track(10...10)
        await tracker.flush()
        #expect(other.actions == ["10"])
        let own = rig("a", ["main"], seed: 3)
        let again = try await own.tracker("main")
        await again.flush()
        #expect(own.actions == ["1", "2", "3"])
    }

    @Test("a process takes only what it has namespaces for, when it starts and while it runs")
    func keepsNamespacesApart() async throws {
        try await leave(1...10, of: "a", "shop", seed: 1)
        let living = rig("shop", ["b"], seed: 2)
        let tracker = try await living.tracker("b")
        await living.pipeline.adoptAbandonedStores()
        tracker.track(20...20)
        await tracker.flush()
        #expect(living.actions == ["20"])
        // The first process comes back to its own file at once, while the other one lives.
        let own = rig("shop", ["a"], seed: 3)
        let again = try await own.tracker("a")
        await again.flush()
        #expect(own.actions == texts(1...10))
    }

    @Test("what waits for a namespace without a tracker is counted, logged once, and sent when a process has it")
    func countsTheUnclaimed() async throws {
        try await leave(1...10, of: "gone", "shop", seed: 1)
        let living = rig("shop", ["b"], seed: 2)
        _ = try await living.tracker("b")
        await living.pipeline.adoptAbandonedStores()
        #expect(living.pipeline.unclaimedEvents == ["gone": 10])
        for _ in 1...3 {
            living.time.advance(by: EventPipeline.adoptionInterval)
            await living.pipeline.adoptAbandonedStores()
        }
        let lines = living.log.records.filter { $0.message.contains("wait in") }
        #expect(lines.map(\.level) == [.warning])
        #expect(lines.first?.message.contains("10 events of namespace 'gone'") == true)
        let back = try await living.tracker("gone")
        await living.pipeline.adoptAbandonedStores()
        await back.flush()
        #expect(living.actions == texts(1...10))
        await living.pipeline.adoptAbandonedStores()
        #expect(living.pipeline.unclaimedEvents == [:])
    }

    @Test("what a slot has for one namespace is taken over, and what it has for another stays")
    func takesPartOfASlot() async throws {
        let both = rig("shop", ["a", "b"], seed: 1)
        for (name, numbers) in [("a", 1...3), ("b", 11...13)] {
            let tracker = try await both.idleTracker(name)
            tracker.track(numbers)
        }
        await both.pipeline.shutdown(timeout: .zero)
        for (name, expected) in [("a", ["1", "2", "3"]), ("b", ["11", "12", "13"])] {
            let one = rig("shop", [name], seed: 5)
            let tracker = try await one.tracker(name)
            await one.pipeline.adoptAbandonedStores()
            await tracker.flush()
            #expect(one.actions == expected)
            await one.pipeline.shutdown()
        }
    }

    @Test("an idle process writes nothing to the slots of dead ones")
    func leavesDeadSlotsAlone() async throws {
        let rigs = (1...3).map { rig("shop", ["a"], seed: UInt64($0)) }
        for rig in rigs { _ = try await rig.tracker("a") { $0.tracker?.sessionContext = true } }
        for rig in rigs.dropFirst() { await rig.pipeline.shutdown() }
        await rigs[0].pipeline.adoptAbandonedStores()
        let stamps = { (name: String) in FileStamp(self.directory.file(name), followsLinks: false) }
        let before = directory.names.map(stamps)
        for _ in 1...5 { await rigs[0].pipeline.adoptAbandonedStores() }
        #expect(directory.names.map(stamps) == before)
    }

    @Test("a service's name is one component of a path, whatever it is")
    func namesDirectories() {
        #expect(ServiceName.component("orders-7.api_x") == "orders-7.api_x")
        #expect(ServiceName.component("../etc") == "%2E.%2Fetc")
        #expect(ServiceName.component(".") == "%2E")
        #expect(ServiceName.component("a/b c") == "a%2Fb%20c")
        let long = String(repeating: "x", count: 1000)
        #expect(ServiceName.component(long).utf8.count == 200)
        #expect(ServiceName.component(long) != ServiceName.component(long + "y"))
    }
}
