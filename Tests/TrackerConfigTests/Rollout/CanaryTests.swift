import Foundation
import TestSupport
import Testing
import TrackerFeatures
import TrackerTesting

@testable import TrackerConfig

/// Documents with a `rollout`, through a setup.
@Suite("A canary", .endsWhenItHangs)
struct CanaryTests {
    private let service = Service()
    private let good = Self.text(1, at: "one.example")

    private static func text(_ version: Int, at host: String, rollout: String? = nil, more: String = "") -> String {
        DocumentText.document(
            version, DocumentText.bundle("a", at: host, #""emitter":{"bufferOption":"Single"}"#),
            more: (rollout.map { ",\"rollout\":\($0)" } ?? "") + more)
    }

    private func document(_ version: Int, at host: String = "two.example", percent: Int = 100) -> String {
        Self.text(version, at: host, rollout: #"{"percent":\#(percent),"bakeSeconds":100}"#)
    }

    /// Starts with the good document and lets a number of requests come to their end.
    private func start(requests: Int = 0, _ configure: (inout SetupOptions) -> Void = { _ in }) async throws -> Setup {
        service.serve(good)
        let setup = try await service.started(configure: configure)
        try await deliver(setup, requests)
        return setup
    }

    private func deliver(_ setup: Setup, _ count: Int) async throws {
        let tracker = try #require(setup.tracker("a"))
        for _ in 0..<count { await tracker.deliver() }
    }

    /// Lets a collector refuse requests from now on.
    private func refuse(_ setup: Setup, _ count: Int = 20, at host: String = "two.example") async throws {
        service.collector(host, answers: 400)
        try await deliver(setup, count)
    }

    private func publish(_ document: String, _ setup: Setup) async -> String {
        service.serve(document)
        return await setup.refresh().short
    }

    /// Looks at the trackers, as a timer does every few seconds.
    @discardableResult
    private func look(_ setup: Setup, after duration: Duration = .seconds(5)) async -> ConfigurationUpdate? {
        service.time.advance(by: duration)
        _ = await setup.updater.observeCanary()
        return service.updates.last
    }

    @Test("reverts the document if more deliveries fail than before, says so, and does not apply it again")
    func reverts() async throws {
        let setup = try await start(requests: 20)
        #expect(await publish(document(2), setup) == #"applied 2 ["a"]"#)
        service.collector("two.example", answers: 400)
        try setup.tracker("a")?.subject.set(\.userID, to: "runtime")
        try await deliver(setup, 19)
        await look(setup)
        #expect(service.updates.count == 2)
        try await deliver(setup, 1)
        await look(setup)
        let update = try #require(service.updates.last)
        #expect((update.state, update.version, update.namespaces) == (.reverted, 1, ["a"]))
        let reason = "reverted: a failed 100 % of 20 requests (0 % before)"
        #expect(update.warnings.map(\.description) == ["version 2: \(reason)"])
        let tracker = try #require(setup.tracker("a"))
        #expect(tracker.network.explanation(\.endpoint).short == "remote 1: one.example")
        #expect(tracker.subject.userID == "runtime")
        #expect(await setup.refresh().short == "held 2")
        await look(setup)
        #expect(service.updates.count == 3)
        await setup.shutdown(timeout: .zero)
    }

    @Test("is looked at by a timer, which goes on until it goes back")
    func timer() async throws {
        let setup = try await start(requests: 20)
        _ = await publish(document(2), setup)
        service.collector("two.example", answers: 400)
        let events = setup.events
        for _ in 0..<4 {
            // Until the look before has ended, or it would see what is delivered next.
            await service.time.waitForSleep(in: .seconds(5) ... .seconds(5))
            try await deliver(setup, 5)
            service.time.advance(by: .seconds(5))
        }
        for await event in events {
            if case .update(let update) = event, update.state == .reverted { break }
        }
        #expect(setup.tracker("a")?.network.endpoint == "one.example")
        await setup.shutdown(timeout: .zero)
    }

    @Test("the mark is on disk and names the version: a restart does not escape it, and a higher version is tried")
    func marked() async throws {
        let setup = try await start(requests: 20)
        _ = await publish(document(2), setup)
        try await refuse(setup)
        #expect(await look(setup)?.state == .reverted)
        await setup.shutdown(timeout: .zero)
        service.serve(document(2))
        try await service.run { setup in
            #expect(await publish(Self.text(2, at: "three.example"), setup) == "held 2")
            #expect(await publish(document(3), setup) == #"applied 3 ["a"]"#)
        }
        let starts = [#"cached 1 ["a"]"#, "held 2", "held 2", #"fetched 3 ["a"]"#, #"applied 3 ["a"]"#]
        #expect(service.trace.suffix(5) == starts)
    }

    /// Tracks an event and waits until a request with it has failed.
    private func failOnce(_ setup: Setup) async throws {
        let tracker = try #require(setup.tracker("a"))
        tracker.track(Structured(category: "cart", action: "add"))
        // The wait before the next try.
        await service.time.waitForSleep(in: .zero ... .milliseconds(400))
    }

    @Test("a collector that is down for everyone reverts nobody")
    func down() async throws {
        service.collector("one.example", answers: 400)
        let setup = try await start(requests: 30)
        _ = await publish(document(2, at: "one.example"), setup)
        try await deliver(setup, 40)
        await look(setup)
        _ = await publish(document(3, at: "two.example"), setup)
        try await refuse(setup, 40)
        #expect(await look(setup)?.state == .fetched)
        await setup.shutdown(timeout: .zero)
    }

    @Test("with too few requests before, only another collector is judged by them", arguments: [true, false])
    func young(isOther: Bool) async throws {
        let host = isOther ? "two.example" : "one.example"
        let setup = try await start(requests: 19)
        _ = await publish(document(2, at: host), setup)
        service.collector(host, answers: 400)
        try await deliver(setup, 20)
        #expect(await look(setup)?.state == (isOther ? .reverted : .fetched))
        if isOther {
            // No rate is shown that was not measured.
            let text = try #require(setup.status.last(.reverted)?.text)
            #expect(
                text.hasPrefix("version 2 was reverted after 5 s: a failed 100 % of 20 requests; version 1 is back;"))
            let rates = RolloutStatus.Tracker(failureRateAfter: 1, requests: 20, failedRequests: 20)
            #expect(setup.status.rollout?.trackers["a"] == rates)
        }
        await setup.shutdown(timeout: .zero)
    }

    @Test("a collector that takes nothing at all, so that few requests are made, reverts by the age of the queue")
    func age() async throws {
        let setup = try await start(requests: 1)
        _ = await publish(document(2), setup)
        service.collector("two.example", answers: 500)
        try await failOnce(setup)
        #expect(await look(setup, after: .seconds(50))?.state == .fetched)
        let update = try #require(await look(setup, after: .seconds(1)))
        #expect(update.state == .reverted)
        #expect(update.warnings[0].reason == "reverted: a failed 100 % of requests, its events waited for 51 s")
        let report = await setup.shutdown(timeout: .zero)
        #expect(report.sent + report.stored == 2)
        #expect(report.dropped == 0)
    }

    @Test("an event from before it at the head of the queue does not hide those that wait behind it")
    func headOfQueue() async throws {
        let setup = try await start(requests: 1)
        service.transport.hold()
        let tracker = try #require(setup.tracker("a"))
        tracker.track(Structured(category: "cart", action: "before"))
        let held = await service.transport.next()
        service.transport.release()
        _ = await publish(document(2), setup)
        service.collector("two.example", answers: 500)
        held.answer(500)
        await service.time.waitForSleep(in: .zero ... .milliseconds(100))
        #expect(await look(setup, after: .seconds(50))?.state == .fetched)
        #expect(await look(setup, after: .seconds(1))?.state == .reverted)
        await setup.shutdown(timeout: .zero)
    }

    @Test(
        "a rollback goes back to the last version that proved itself, and names what it undoes and until when it is off"
    )
    func undone() async throws {
        let setup = try await start(requests: 20)
        _ = await publish(document(2), setup)
        await look(setup)
        _ = await publish(document(3, at: "three.example"), setup)
        try await refuse(setup, at: "three.example")
        #expect(await look(setup, after: .seconds(15))?.state == .reverted)
        let status = setup.status
        let reverted = try #require(status.last(.reverted))
        #expect((reverted.version, reverted.restoredVersion, reverted.undoneVersions) == (3, 1, [2]))
        #expect(
            reverted.text
                == "version 3 was reverted after 15 s: a failed 100 % of 20 requests (0 % before); version 1 is back;"
                + " version 2 had not finished the bake time; version 3 is not applied again")
        #expect(status.rollout?.state == .reverted)
        #expect(status.lines.first { $0.topic == .document }?.version == 3)
        // The canary that was undone has not failed.
        #expect(await publish(document(2), setup) == #"applied 2 ["a"]"#)
        await setup.shutdown(timeout: .zero)
    }

    @Test("each tracker that fails is named, and before it fails the time until then is known")
    func reasons() throws {
        let rollout = try #require(
            try Document(Array(document(2).utf8)).rollout)
        func observation(_ failures: [Bool], failing: Int = 0, oldest: Date? = nil, at host: String = "two.example")
            -> CanaryMonitor.Observation
        {
            var status = TrackerStatus(namespace: "ns")
            (status.oldestEventTime, status.consecutiveFailures) = (oldest, failing)
            return CanaryMonitor.Observation(status, at: host, RequestHistory(failures: failures))
        }
        let now: Int64 = 1_700_000_000_000
        let well = Array(repeating: false, count: 20)
        let before = observation(well, at: "one.example")
        let names = ["a", "b", "c", "d", "e"].map(ExactText.init)
        var monitor = CanaryMonitor(
            version: 2, rollout: rollout, start: now,
            before: Dictionary(uniqueKeysWithValues: names.map { ($0, before) }),
            now: now, uptime: .zero)
        let oldest = Date(milliseconds: now + 1000)
        let waiting = observation(well + [true, true], failing: 2, oldest: oldest)
        #expect(monitor.check([names[0]: waiting], now: now + 11_000, uptime: .seconds(11)) == .goesOn)
        #expect(monitor.expectedFailure == .seconds(51))
        let expected = RolloutStatus.Tracker(failureRateBefore: 0, failureRateAfter: 1, requests: 2, failedRequests: 2)
        #expect(monitor.rates[names[0]] == expected)
        let failing = observation(well + Array(repeating: true, count: 20))
        let verdict = monitor.check(
            Dictionary(uniqueKeysWithValues: names.map { ($0, failing) }), now: now + 12_000, uptime: .seconds(12))
        let share = "failed 100 % of 20 requests (0 % before)"
        #expect(verdict == .failed("a \(share), b \(share), c \(share), 2 more trackers failed"))
        let late = observation(well + [true, true, true], failing: 3, oldest: oldest)
        let last = monitor.check([names[0]: late], now: now + 60_000, uptime: .seconds(60))
        #expect(last == .failed("a failed 100 % of requests (0 % before), its events waited for 59 s"))
    }

    @Test("a namespace that comes back is not judged by what it sent when it was there before")
    func comeback() async throws {
        service.collector("one.example", answers: 400)
        let setup = try await start(requests: 40)
        _ = await publish(DocumentText.document(2, DocumentText.bare("a"), DocumentText.bundle("b")), setup)
        _ = await publish(document(3), setup)
        #expect(await look(setup)?.state == .fetched)
        try await deliver(setup, 30)
        #expect(await look(setup)?.state == .fetched)
        await setup.shutdown(timeout: .zero)
    }

    @Test(
        "a canary after a broken canary is judged against the last good document, and falls back to it after a restart")
    func canaryAfterCanary() async throws {
        let setup = try await start(requests: 20)
        _ = await publish(document(2), setup)
        service.collector("three.example", answers: 400)
        try await refuse(setup, 30)
        _ = await publish(document(3, at: "three.example"), setup)
        try await deliver(setup, 20)
        let update = try #require(await look(setup))
        #expect((update.state, update.version) == (.reverted, 1))
        await setup.shutdown(timeout: .zero)
        service.serve(status: 500)
        try await service.run()
        #expect(service.trace.suffix(2) == [#"cached 1 ["a"]"#, "failed status(500)"])
    }

    @Test("where one process of an instance goes back, the others do")
    func together() async throws {
        let first = try await start(requests: 20)
        let second = try await service.started()
        service.serve(document(2))
        await first.refresh()
        await second.refresh()
        try await refuse(first)
        #expect(await look(first)?.state == .reverted)
        _ = await second.updater.observeCanary()
        #expect(second.tracker("a")?.network.endpoint == "one.example")
        await first.shutdown(timeout: .zero)
        await second.shutdown(timeout: .zero)
    }

    @Test("events that waited before it are not held against it, nor is a tracker that was failing already")
    func oldEvents() async throws {
        service.collector("one.example", answers: 500)
        let setup = try await start()
        try await failOnce(setup)
        service.time.advance(by: .seconds(300))
        _ = await publish(document(2), setup)
        service.collector("two.example", answers: 500)
        try await failOnce(setup)
        #expect(await look(setup, after: .seconds(80))?.state == .fetched)
        await setup.shutdown(timeout: .zero)
    }

    @Test("what waits because somebody paused the emitter is not held against it")
    func paused() async throws {
        let setup = try await start(requests: 1)
        _ = await publish(document(2), setup)
        service.collector("two.example", answers: 500)
        try await failOnce(setup)
        setup.tracker("a")?.emitter.pause()
        #expect(await look(setup, after: .seconds(80))?.state == .fetched)
        setup.tracker("a")?.emitter.resume()
        #expect(await look(setup, after: .seconds(5))?.state == .reverted)
        await setup.shutdown(timeout: .zero)
    }

    @Test("after the bake time nothing is watched any more")
    func passes() async throws {
        let setup = try await start(requests: 20)
        _ = await publish(document(2), setup)
        try await deliver(setup, 20)
        await look(setup, after: .seconds(100))
        try await refuse(setup, 64)
        #expect(await look(setup)?.state == .fetched)
        await setup.shutdown(timeout: .zero)
    }

    @Test("a process that starts within the bake time goes on with the watch, and falls back to the document before")
    func restart() async throws {
        let first = try await start(requests: 20)
        _ = await publish(document(2), first)
        await first.shutdown(timeout: .zero)
        service.collector("two.example", answers: 400)
        service.serve(status: 500)
        let setup = try await service.started()
        try await deliver(setup, 20)
        let update = try #require(await look(setup))
        #expect((update.state, update.version) == (.reverted, 1))
        #expect(setup.tracker("a")?.network.endpoint == "one.example")
        await setup.shutdown(timeout: .zero)
        try await service.run()
        #expect(service.trace.suffix(2) == [#"cached 1 ["a"]"#, "failed status(500)"])
    }

    @Test("going back to the default takes the trackers along that only the document had, and brings back its own")
    func namespaces() async throws {
        service.serve(status: 500)
        let network = NetworkConfiguration(endpoint: "one.example")
        let setup = try await service.started(
            default: ["a", "gone"].map { ConfigurationBundle(namespace: $0, network: network) })
        let bad = DocumentText.document(
            2, DocumentText.bundle("a", at: "two.example", #""emitter":{"bufferOption":"Single"}"#),
            DocumentText.bundle("new"), DocumentText.bare("gone"),
            more: #","rollout":{"percent":100}"#)
        #expect(await publish(bad, setup) == #"applied 2 ["a", "new"]"#)
        try await refuse(setup)
        let update = try #require(await look(setup))
        #expect((update.state, update.version, update.namespaces) == (.reverted, nil, ["a", "gone"]))
        #expect(setup.namespaces == ["a", "gone"])
        #expect(setup.status.last(.reverted)?.text.contains("; the default is back; ") == true)
        #expect(setup.status.last(.reverted)?.restoredVersion == nil)
        await setup.shutdown(timeout: .zero)
    }

    @Test(
        "with nothing to go back to, as a default without a collector, it stays and has not passed",
        arguments: [[], [ConfigurationBundle(namespace: "a")]])
    func nothing(default bundles: [ConfigurationBundle]) async throws {
        service.serve(document(2))
        service.collector("two.example", answers: 400)
        let setup = try await service.started(default: bundles)
        try await deliver(setup, 40)
        #expect(await look(setup)?.state == .fetched)
        #expect(setup.namespaces == ["a"])
        let text = "version 2 is not watched: there is nothing to go back to"
        #expect(service.log.records.contains { $0.message == text && $0.version == 2 })
        await look(setup, after: .seconds(100))
        #expect(setup.status.rollout?.state == NamedCode<RolloutStatus>.none)
        await setup.shutdown(timeout: .zero)
    }

    @Test("of 400 instances a tenth applies it, the others hold it; a higher percentage only adds to them")
    func percentage() throws {
        func members(_ percent: Double, seed: String? = nil) -> Set<Int> {
            let rollout = Rollout(percent: percent, seed: seed)
            return Set((0..<400).filter { rollout.includes("pod-\($0)") })
        }
        let (tenth, half) = (members(10), members(50))
        #expect(20...60 ~= tenth.count)
        #expect(160...240 ~= half.count)
        #expect(tenth.isSubset(of: half))
        #expect(members(0).isEmpty)
        #expect(members(100).count == 400)
        #expect(members(10, seed: "s") != tenth)
        #expect(members(10, seed: "") == tenth)
    }

    @Test(
        "an instance that is not selected does not apply it until the percentage grows, and does not start with it")
    func notAmong() async throws {
        let setup = try await start { $0.instanceID = "outsider" }
        #expect(await publish(document(2, percent: 0), setup) == "held 2")
        let reason = "it is rolled out to 0 % of the instances, and this one is not among them"
        #expect(service.outcomes.last == .held(HoldReason(.notSelected, reason), version: 2))
        #expect(service.log.records.filter { $0.message.contains("is held back") }.map(\.level) == [.info])
        #expect(setup.tracker("a")?.network.endpoint == "one.example")
        // Another instance of the same cache directory, for which it is.
        try service.cache(document(2, percent: 0))
        await setup.shutdown(timeout: .zero)
        service.serve(status: 500)
        try await service.run { setup in
            #expect(setup.tracker("a")?.network.endpoint == "one.example")
            #expect(await publish(document(3), setup) == #"applied 3 ["a"]"#)
        }
    }

    @Test("the id is kept in the state directory; with neither it is drawn for no part, and for the whole")
    func identity() async throws {
        let first = try await start()
        let id = first.status.process.instanceID
        await first.shutdown(timeout: .zero)
        #expect(id?.count == 36)
        let second = try await start()
        #expect(second.status.process.instanceID == id)
        await second.shutdown(timeout: .zero)
        service.directory.write("", to: "file")
        service.serve(good)
        let without = try await service.started(configure: {
            $0.stateDirectory = service.directory.file("file/state")
            $0.cacheDirectory = service.directory.file("other")
        })
        #expect(without.status.process.instanceID == nil)
        #expect(await publish(document(2, percent: 99), without) == "held 2")
        #expect(await publish(document(3), without) == #"applied 3 ["a"]"#)
        await without.shutdown(timeout: .zero)
    }
}
