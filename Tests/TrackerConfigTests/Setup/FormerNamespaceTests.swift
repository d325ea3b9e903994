import TestSupport
import Testing
import TrackerConfig
import TrackerCore
import TrackerTesting

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

    @Test("a tracker that no document names stays as it was, and a later document finds it")
    func stays() async throws {
        serve(1, ["a", "b"])
        let setup = try await service.started()
        let tracker = try #require(setup.tracker("b"))
        await refresh(setup, 2, "a")
        #expect(service.updates.last?.namespaces == ["a"])
        #expect(
            service.updates.last?.warnings.map(\.description) == [
                "b: no longer in the document; its tracker stays as it was"
            ])
        #expect(setup.tracker("b") === tracker)
        #expect(setup.status.trackers.map(\.isKept) == [false, true])
        service.time.advance(by: .seconds(86_400))
        await tracker.deliver("later")
        #expect(service.delivered.map { $0["se_ac"] } == ["later"])
        await refresh(setup, 3, "a", "b")
        #expect(setup.tracker("b") === tracker)
        #expect(setup.status.trackers.map(\.isKept) == [false, false])
        await setup.shutdown(timeout: .zero)
    }

    @Test("in a process that starts without the namespace its events wait, and are sent when it is back")
    func restart() async throws {
        serve(1, ["a", "b"])
        let first = try await service.started()
        service.collector("b.example", answers: 503)
        _ = try await first.tracker("b")?.trackCommitted(Structured(category: "c", action: "left"))
        await refresh(first, 2, "a")
        await first.shutdown(timeout: .zero)
        service.collector("b.example", answers: 200)
        let second = try await service.started()
        #expect(second.namespaces == ["a"])
        #expect(service.delivered.isEmpty)
        await refresh(second, 3, "a", "b")
        await second.tracker("b")?.flush()
        #expect(service.delivered.map { $0["se_ac"] } == ["left"])
        await second.shutdown(timeout: .zero)
    }

    @Test("at most 1,000 of them stay; the others end with a warning")
    func bound() async throws {
        serve(1, ["a"] + (0..<1100).map { "v\($0)" })
        let setup = try await service.started()
        #expect(setup.namespaces.count == 1101)
        await refresh(setup, 2, "a")
        #expect(setup.namespaces.count == 1001)
        #expect(setup.status.trackers.filter(\.isKept).count == 1000)
        let reason = "no longer in the document; its tracker was removed, because 1000 others stay"
        #expect(service.updates.last?.warnings.filter { $0.reason == reason }.count == 100)
        await refresh(setup, 3, "a")
        #expect(setup.namespaces.count == 1001)
        await setup.shutdown(timeout: .zero)
    }
}
