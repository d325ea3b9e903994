import Foundation
import TestSupport
import Testing
import TrackerConfig
import TrackerFeatures
import TrackerLoopbackServer
import TrackerTesting

/// How a setup ends.
@Suite("The end of a setup", .endsWhenItHangs)
struct SetupShutdownTests {
    private let service = Service()

    private func started() async throws -> Setup {
        service.serve(DocumentText.document(1, DocumentText.bundle()))
        let setup = try await service.started()
        return setup
    }

    @Test("sends what there is and reports it; later events are dropped and counted")
    func report() async throws {
        let setup = try await started()
        let tracker = try #require(setup.tracker("a"))
        tracker.track(Structured(category: "cart", action: "one"))
        tracker.track(Structured(category: "cart", action: "two"))
        let report = await setup.shutdown()
        #expect(report.short == "sent 2, stored 0, dropped 0")
        #expect(service.delivered.map { $0["se_ac"] } == ["one", "two"])
        #expect(tracker.track(Structured(category: "cart", action: "late")) == nil)
        #expect(tracker.counters.droppedByReason == [.shutDown: 1])
    }

    @Test("with no time sends nothing, and the next process sends what was left")
    func noTime() async throws {
        let setup = try await started()
        setup.tracker("a")?.track(Structured(category: "cart", action: "one"))
        let report = await setup.shutdown(timeout: .zero)
        #expect(report.short == "sent 0, stored 1, dropped 0")
        let next = try await started()
        await next.tracker("a")?.deliver("two")
        #expect(service.delivered.map { $0["se_ac"] } == ["one", "two"])
        await next.shutdown(timeout: .zero)
    }

    @Test("ends within its time with a collector that never answers")
    func deafCollector() async throws {
        let setup = try await started()
        service.transport.hold()
        setup.tracker("a")?.track(Structured(category: "cart", action: "one"))
        async let report = setup.shutdown(timeout: .seconds(5))
        let held = await service.transport.next()
        // The flush's end and the shutdown's own.
        for milliseconds in [5000, 5500] { await service.time.waitForSleeps(1, of: .milliseconds(milliseconds)) }
        service.time.advance(by: .seconds(6))
        #expect(await report.short == "sent 0, stored 1, dropped 0")
        held.fail(.cancelled)
    }

    @Test("refresh after it fails as shut down, asks nothing and calls nobody")
    func refreshAfter() async throws {
        let setup = try await started()
        await setup.shutdown(timeout: .zero)
        let trace = service.trace
        service.serve(DocumentText.document(2, DocumentText.bundle()))
        let outcome = await setup.refresh()
        #expect(outcome == .failed(FetchError(.shutDown, reason: "the setup was shut down")))
        #expect(service.trace == trace)
        #expect(service.fetches.count == 1)
    }

    @Test("a fetch that is under way when it comes applies nothing, and its refresh fails as shut down")
    func duringFetch() async throws {
        let setup = try await started()
        service.transport.hold()
        async let outcome = setup.refresh()
        let held = await service.transport.next()
        await setup.shutdown(timeout: .zero)
        held.answer(200, body: Array(DocumentText.document(2, DocumentText.bundle("b")).utf8))
        #expect(await outcome == .failed(FetchError(.shutDown, reason: "the setup was shut down")))
        #expect(setup.namespaces == ["a"])
        #expect(service.trace.count == 2)
    }

    @Test("libcurl's transfer is cut off by it")
    func cutsTransfer() async throws {
        let answer = DispatchSemaphore(value: 0)
        defer { answer.signal() }
        let (arrivals, arrival) = AsyncStream.makeStream(of: Void.self)
        let site = try Site { _ in
            arrival.yield()
            try? answer.wait(until: "the transfer was cut off")
            return .response(status: 200)
        }
        let setup = try service.start(site.url(), configure: { $0.transport = nil })
        var iterator = arrivals.makeAsyncIterator()
        _ = await iterator.next()
        async let outcome = setup.refresh()
        await setup.shutdown(timeout: .zero)
        #expect(await outcome == .failed(FetchError(.shutDown, reason: "the setup was shut down")))
        #expect(service.trace.isEmpty)
    }

    @Test("nobody is called after it, though a callback was busy when it came")
    func noCallbacksAfter() async throws {
        service.serve(DocumentText.document(1, DocumentText.bundle()))
        let (entries, entry) = AsyncStream.makeStream(of: Void.self)
        let gate = DispatchSemaphore(value: 0)
        let late = Locked(0)
        let setup = try service.start(onSuccess: { _ in
            entry.yield()
            try? gate.wait(until: "the callback may end")
        })
        let events = setup.events
        var iterator = entries.makeAsyncIterator()
        _ = await iterator.next()
        async let joined = setup.refresh()
        setup.refresh { _ in late.withLock { $0 += 1 } }
        await setup.shutdown(timeout: .zero)
        let trace = service.trace
        gate.signal()
        _ = await joined
        #expect(service.trace == trace)
        #expect(trace == [#"fetched 1 ["a"]"#])
        #expect(late.withLock { $0 } == 0)
        var heard = 0
        for await _ in events { heard += 1 }
        #expect(heard == 0)
    }

    @Test("a second shutdown ends too, with the same report")
    func twice() async throws {
        let setup = try await started()
        await setup.tracker("a")?.deliver()
        async let first = setup.shutdown()
        async let second = setup.shutdown()
        #expect(await first == second)
        #expect(await setup.shutdown().sent == 1)
    }

    @Test("a setup that is let go of without it ends its events and crashes nobody")
    func letGo() async throws {
        service.serve(DocumentText.document(1, DocumentText.bundle()))
        service.transport.hold()
        var setup: Setup? = try service.start()
        let events = try #require(setup?.events)
        let held = await service.transport.next()
        weak let gone = setup
        setup = nil
        #expect(gone == nil)
        held.answer(200, body: Array(DocumentText.document(1, DocumentText.bundle()).utf8))
        for await _ in events { Issue.record("nothing was to be heard") }
        #expect(service.updates.isEmpty)
    }

    @Test("a tracker outlives the setup that it came from")
    func trackerOutlives() async throws {
        var setup: Setup? = try await started()
        let tracker = try #require(setup?.tracker("a"))
        setup = nil
        await tracker.deliver()
        #expect(service.delivered.count == 1)
        await tracker.shutdown(timeout: .zero)
    }
}
