import Foundation
import TestSupport
import Testing
import TrackerCore
import TrackerTesting

@testable import TrackerConfig

/// Namespaces that no document has any more.
@Suite("Trackers of former namespaces", .endsWhenItHangs)
struct FormerNamespaceTests {
    private let service = Service()

    private func serve(_ version: Int, _ namespaces: [String]) {
        let bundles = namespaces.map { DocumentText.bundle($0, at: "\($0).example") }
        service.serve(DocumentText.document(version, bundles.joined(separator: ",")))
    }

    private func refresh(_ setup: Setup, _ version: Int, _ namespaces: String...) async {
        serve(version, namespaces)
        await setup.refresh()
    }

    /// Starts with version 1, which has these namespaces.
    private func start(_ namespaces: String...) async throws -> Setup {
        serve(1, namespaces)
        let setup = try await service.started()
        return setup
    }

    private func event(_ action: String) -> Structured { Structured(category: "c", action: action) }

    /// Lets a time pass, and does what is due at its end.
    private func pass(_ duration: Duration, _ setup: Setup) async {
        service.time.advance(by: duration)
        await setup.updater.tendFormerTrackers()
    }

    @Test("a tracker that no document names takes events for a minute, and then none, which is counted and logged")
    func ends() async throws {
        let setup = try await start("a", "b")
        let tracker = try #require(setup.tracker("b"))
        await refresh(setup, 2, "a")
        #expect(setup.tracker("b") === tracker)
        #expect(tracker.track(event("grace")) != nil)
        await tracker.flush()
        await pass(.seconds(60), setup)
        #expect(setup.tracker("b") == nil)
        #expect(setup.namespaces == ["a"])
        #expect(tracker.track(event("late")) == nil)
        #expect(tracker.counters.droppedByReason == [.removed: 1])
        #expect(service.log.contains("1 event was dropped (removed): its namespace has no tracker any more"))
        #expect(service.log.contains("which is no longer in the document, takes no more events"))
        #expect(service.delivered.map { $0["se_ac"] } == ["grace"])
        await setup.shutdown(timeout: .zero)
    }

    @Test("a document that names the namespace again within the minute finds its tracker, a later one makes another")
    func returns() async throws {
        let setup = try await start("a", "b")
        let tracker = try #require(setup.tracker("b"))
        await refresh(setup, 2, "a")
        await pass(.seconds(59), setup)
        await refresh(setup, 3, "a", "b")
        await pass(.seconds(60), setup)
        #expect(setup.tracker("b") === tracker)
        await refresh(setup, 4, "a")
        await pass(.seconds(60), setup)
        await refresh(setup, 5, "a", "b")
        let other = try #require(setup.tracker("b"))
        #expect(other !== tracker)
        await pass(.seconds(3600), setup)
        await other.deliver("again")
        #expect(service.delivered.map { $0["se_ac"] } == ["again"])
        await setup.shutdown(timeout: .zero)
    }

    @Test("the events of a namespace without a tracker are sent to its last collector, and shown until they are")
    func delivers() async throws {
        let setup = try await start("a", "b")
        service.collector("b.example", answers: 503)
        let tracker = try #require(setup.tracker("b"))
        _ = try await tracker.trackCommitted(event("waits"))
        await tracker.flush(timeout: .zero)
        await refresh(setup, 2, "a")
        await pass(.seconds(60), setup)
        #expect(setup.tracker("b") == nil)
        #expect(setup.status.trackers.map(\.waiting) == [0, 1])
        #expect(setup.status.trackers.map(\.isKept) == [false, true])
        service.collector("b.example", answers: 200)
        await tracker.flush()
        #expect(tracker.counters.sent == 1)
        await pass(.seconds(60), setup)
        #expect(setup.status.trackers.map(\.namespace) == ["a"])
        await setup.shutdown(timeout: .zero)
    }

    @Test("a tracker that takes no more events and cannot send ends after an hour, and its events stay stored")
    func boundsDelivery() async throws {
        let setup = try await start("a", "b")
        service.collector("b.example", answers: 503)
        _ = try await setup.tracker("b")?.trackCommitted(event("waits"))
        await refresh(setup, 2, "a")
        await pass(.seconds(60), setup)
        await pass(.seconds(3599), setup)
        #expect(setup.status.trackers.map(\.waiting) == [0, 1])
        await pass(.seconds(1), setup)
        #expect(setup.status.trackers.map(\.namespace) == ["a"])
        service.collector("b.example", answers: 200)
        await refresh(setup, 3, "a", "b")
        await setup.tracker("b")?.flush()
        #expect(setup.tracker("b")?.counters.sent == 1)
        await setup.shutdown(timeout: .zero)
    }

    @Test("a process that starts without the namespace sends the events that the one before left of it")
    func restart() async throws {
        let first = try await start("a", "b")
        service.collector("b.example", answers: 503)
        _ = try await first.tracker("b")?.trackCommitted(event("left"))
        await refresh(first, 2, "a")
        await first.shutdown(timeout: .zero)
        service.collector("b.example", answers: 200)
        service.serve(status: 304)
        let second = try await service.started()
        await second.turn()
        #expect(second.namespaces == ["a"])
        await second.shutdown(timeout: .seconds(5))
        let taken = service.transport.requests.filter { $0.url.hasPrefix("https://b.example/") }.last
        #expect(taken?.events.map { $0["se_ac"] } == ["left"])
        // Nothing is left for a third.
        let third = try await service.started()
        await third.turn()
        #expect(third.status.trackers.map(\.namespace) == ["a"])
        await third.shutdown(timeout: .zero)
    }

    @Test(
        "there are never more than 1,000: those that take no more events end first, then those that were there longest")
    func bound() async throws {
        let setup = try await start("a")
        for version in [2, 4, 6] {
            serve(version, ["a"] + (0..<450).map { "v\(version)-\($0)" })
            await setup.refresh()
            await refresh(setup, version + 1, "a")
            if version == 2 { await pass(.seconds(60), setup) }
        }
        #expect(setup.namespaces.filter { $0.hasPrefix("v4-") || $0.hasPrefix("v6-") }.count == 900)
        #expect(setup.registry.state.withLock { $0.former.closed.count } == 100)
        serve(8, ["a"] + (0..<150).map { "v8-\($0)" })
        await setup.refresh()
        await refresh(setup, 9, "a")
        #expect(setup.namespaces.filter { $0.hasPrefix("v4-") }.count == 400)
        #expect(setup.status.trackers.filter(\.isKept).count == 1000)
        await pass(.seconds(60), setup)
        #expect(setup.namespaces == ["a"])
        await setup.shutdown(timeout: .zero)
    }

    @Test("the minute ends without another document")
    func timer() async throws {
        let setup = try await start("a", "b")
        await refresh(setup, 2, "a")
        await service.time.waitForSleeps(1, of: .seconds(60))
        service.time.advance(by: .seconds(60))
        try await waitUntil("the tracker is gone") { setup.tracker("b") == nil }
        #expect(setup.namespaces == ["a"])
        await setup.shutdown(timeout: .zero)
    }
}
