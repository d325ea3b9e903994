import Foundation
import TestSupport
import Testing
import TrackerConfig
import TrackerTesting

@testable import TrackerCore

/// Namespaces that come, go and come back.
@Suite("Namespaces of a setup", .endsWhenItHangs)
struct SetupNamespaceTests {
    private let service = Service()

    private func refresh(_ setup: Setup, _ version: Int, _ bundles: String...) async {
        service.serve(DocumentText.document(version, bundles.joined(separator: ",")))
        await setup.refresh()
    }

    @Test("a namespace that is absent is warned of in each update, also where a default without endpoint knows it")
    func absent() async throws {
        let silent = ConfigurationBundle(namespace: "b")
        let setup = try await service.started(default: [silent])
        await refresh(setup, 1, DocumentText.bundle("a"), DocumentText.bundle("b"), DocumentText.bundle("c"))
        await refresh(setup, 2, DocumentText.bundle("a"))
        await refresh(setup, 3, DocumentText.bundle("a"))
        #expect(service.updates.map { $0.warnings.map(\.place) } == [[], [], ["b", "c"], ["b", "c"]])
        #expect(setup.namespaces == ["a", "b", "c"])
        await setup.shutdown(timeout: .zero)
    }

    @Test("a namespace only in the default is built in every state and listed in none but the default's")
    func onlyDefault() async throws {
        let bundle = ConfigurationBundle(namespace: "d", network: NetworkConfiguration(endpoint: "d.example"))
        service.serve(DocumentText.document(1, DocumentText.bundle("a")))
        try await service.run(default: [bundle]) { setup in
            let tracker = try #require(setup.tracker("d"))
            await refresh(setup, 2, DocumentText.bundle("d", at: "remote.example"), DocumentText.bundle("a"))
            #expect(tracker.network.endpoint == "remote.example")
            await refresh(setup, 3, DocumentText.bundle("a"))
            #expect(setup.tracker("d") === tracker)
            #expect(tracker.network.explanation(\.endpoint).short == "default: d.example")
        }
        service.serve(status: 500)
        try await service.run(default: [bundle]) { #expect($0.namespaces == ["a", "d"]) }
        #expect(service.updates.map(\.namespaces) == [["d"], ["a"], ["d", "a"], ["a"], ["a"]])
        #expect(
            service.updates.map { $0.trackers.keys.sorted() } == [
                ["d"], ["a", "d"], ["a", "d"], ["a", "d"], ["a", "d"],
            ])
        #expect(service.updates.allSatisfy { $0.warnings.isEmpty } as Bool)
    }

    @Test("unsent events of a removed namespace stay and are sent when it comes back")
    func comesBack() async throws {
        let setup = try await service.started()
        await refresh(setup, 1, DocumentText.bundle("a"))
        await refresh(setup, 2, DocumentText.bundle("a"))
        let old = try #require(setup.tracker("a"))
        _ = try await old.trackCommitted(Structured(category: "cart", action: "before"))
        await refresh(setup, 3, DocumentText.bare("a"))
        #expect(old.track(Structured(category: "cart", action: "gone")) == nil)
        await old.flush()
        #expect(service.delivered.isEmpty)
        await refresh(setup, 4, DocumentText.bundle("a", at: "new.example"))
        await setup.tracker("a")?.deliver("after")
        #expect(service.delivered.map { $0["se_ac"] } == ["before", "after"])
        #expect(service.transport.requests.last?.url.hasPrefix("https://new.example/") == true)
        await setup.shutdown(timeout: .zero)
    }

    @Test("removeUnsentEvents clears all namespaces but those named")
    func clears() async throws {
        let setup = try await service.started()
        await refresh(setup, 1, DocumentText.bundle("a"), DocumentText.bundle("b"))
        for name in ["a", "b"] {
            setup.tracker(name)?.emitter.pause()
            _ = try await setup.tracker(name)?.trackCommitted(Structured(category: "c", action: name))
        }
        #expect(await setup.removeUnsentEvents(exceptNamespaces: ["b"]) == 1)
        #expect(setup.tracker("a")?.counters.droppedByReason == [.cleared: 1])
        #expect(setup.tracker("b")?.counters.stored == 1)
        setup.removeAllTrackers()
        #expect(setup.namespaces.isEmpty)
        #expect(setup.defaultTracker == nil)
        await setup.shutdown(timeout: .zero)
    }

    @Test("a paused tracker and a paused session stay so over a refresh")
    func pauses() async throws {
        let setup = try await service.started()
        await refresh(setup, 1, DocumentText.bundle("a", #""tracker":{"sessionContext":true}"#))
        let tracker = try #require(setup.tracker("a"))
        await tracker.deliver()
        let session = tracker.session.id
        tracker.session.pause()
        service.time.advance(by: .seconds(100_000))
        await refresh(setup, 2, DocumentText.bundle("a", #""tracker":{"sessionContext":true,"appId":"x"}"#))
        await tracker.deliver()
        #expect(tracker.session.isPaused)
        #expect(tracker.session.id == session)
        tracker.pause()
        await refresh(setup, 3, DocumentText.bundle("a", #""tracker":{"sessionContext":true}"#))
        #expect(tracker.isPaused)
        #expect(tracker.track(Structured(category: "cart", action: "add")) == nil)
        #expect(tracker.counters.droppedByReason == [.paused: 1])
        await setup.shutdown(timeout: .zero)
    }

    @Test("clearing the endpoint at run time is an error that changes nothing")
    func clearsEndpoint() async throws {
        let setup = try await service.started()
        await refresh(setup, 1, DocumentText.bundle("a"))
        let tracker = try #require(setup.tracker("a"))
        #expect(throws: ConfigurationError.self) { try tracker.network.set(\.endpoint, to: nil) }
        #expect(tracker.network.explanation(\.endpoint).short == "remote 1: collector.example")
        await setup.shutdown(timeout: .zero)
    }

    @Test("of two changes at once the emitter keeps the one that the tracker keeps")
    func changesAtOnce() async throws {
        let pipeline = EventPipeline(
            directory: nil, transport: service.transport, log: Log(nil, level: .off), time: service.time)
        let bundle = ConfigurationBundle(namespace: "a", network: NetworkConfiguration(endpoint: "c.example"))
        let tracker = try Tracker(bundle, pipeline: pipeline)
        let failed = await Threads.run {
            (1...Search.count(200)).first { round in
                DispatchQueue.concurrentPerform(iterations: 4) { worker in
                    try? tracker.emitter.set(\.emitRange, to: (round * 4 + worker) % 90_000 + 1)
                }
                return tracker.namespaceEmitter.settings !== tracker.state.withLock { $0.settings }
            }
        }
        #expect(failed == nil, "the emitter has other settings than the tracker")
    }

    @Test("a change that meets the removal does not bring the tracker back")
    func removalWins() async throws {
        let pipeline = EventPipeline(
            directory: nil, transport: service.transport, log: Log(nil, level: .off), time: service.time)
        let network = NetworkConfiguration(endpoint: "c.example")
        for round in 0..<Search.count(25) {
            let tracker = try Tracker(
                ConfigurationBundle(namespace: "ns-\(round)", network: network), pipeline: pipeline)
            await Threads.run(2) { thread in
                if thread == 0 { tracker.remove() } else { try? tracker.emitter.set(\.emitRange, to: 3) }
            }
            #expect(tracker.namespaceEmitter.settings == nil, "round \(round)")
        }
    }

    @Test("a tracker that ends late does not stop the one that came after it")
    func endsLate() throws {
        let pipeline = EventPipeline(
            directory: nil, transport: service.transport, log: Log(nil, level: .off), time: service.time)
        let bundle = ConfigurationBundle(namespace: "a", network: NetworkConfiguration(endpoint: "c.example"))
        let old = try Tracker(bundle, pipeline: pipeline)
        let new = try Tracker(bundle, pipeline: pipeline)
        new.emitter.pause()
        old.remove()
        #expect(new.namespaceEmitter.settings != nil)
        #expect(new.emitter.isPaused)
        new.remove()
        #expect(new.namespaceEmitter.settings == nil)
    }
}
