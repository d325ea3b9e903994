import Foundation
import TestSupport
import Testing
import TrackerCore
import TrackerTesting

@testable import TrackerConfig

/// The status of a setup in the cases that wake the person on call.
@Suite("The status of a setup", .endsWhenItHangs)
struct SetupStatusTests {
    private let service = Service()

    private static func tracker(_ namespace: String, at host: String) -> String {
        DocumentText.bundle(namespace, at: host, #""emitter":{"bufferOption":"Single"}"#)
    }

    private static func canary(_ version: Int, percent: Int) -> String {
        DocumentText.document(
            version, tracker("a", at: "two.example"),
            more: #","rollout":{"percent":\#(percent),"bakeSeconds":100}"#)
    }

    private func status(_ namespace: String, _ setup: Setup) throws -> TrackerStatus {
        try #require(setup.status.trackers.first { $0.namespace == namespace })
    }

    private func texts(_ level: StatusLine.Level, _ status: SetupStatus) -> [String] {
        status.lines.filter { $0.level == level }.map(\.text)
    }

    @Test("says that events are kept in memory while the state directory cannot be used, since when, and no longer")
    func storeFails() async throws {
        let path = service.directory.file("blocked")
        #expect(FileManager.default.createFile(atPath: path, contents: nil))
        service.serve(DocumentText.document(1, Self.tracker("shop", at: "ok.example")))
        let setup = try service.start(configure: { $0.stateDirectory = "\(path)/state" })
        await service.settled()
        let start = service.time.now
        #expect(
            texts(.warning, setup.status).last
                == "Events are kept in memory only, where a kill would lose them: cannot make the directory \(path): File exists"
        )
        #expect(setup.status.eventStoreFailure?.since == start)
        try FileManager.default.removeItem(atPath: path)
        service.time.advance(by: .seconds(6))
        await setup.tracker("shop")?.deliver()
        try await waitUntil("the store is open") { setup.status.eventStoreFailure == nil }
        #expect(texts(.warning, setup.status) == [])
    }

    @Test("says which trackers fail and why, before what is well")
    func collectorsFail() async throws {
        service.serve(
            DocumentText.document(
                1, Self.tracker("checkout", at: "ok.example"), Self.tracker("payments", at: "down.example"),
                Self.tracker("search", at: "no.example")))
        service.collector("down.example", answers: 503)
        service.collector("no.example", answers: 400)
        let setup = try service.start()
        await service.settled()
        for namespace in ["checkout", "search"] { await setup.tracker(namespace)?.deliver() }
        setup.tracker("payments")?.track(Structured(category: "cart", action: "add"))
        try await waitUntil("a request has failed") { try self.status("payments", setup).consecutiveFailures > 0 }

        let status = setup.status
        #expect(status.isHealthy)
        #expect(status.failing == ["payments", "search"])
        #expect(
            texts(.problem, status) == [
                "search: losing events: the collector answered 400, 1 event dropped in the last hour (rejected)",
                "payments: failing: the collector answered 503, 1 try, 1 event waiting (oldest 0 s)",
            ])
        #expect(texts(.normal, status) == ["Version 1 in use", "Delivering 1 event/min (1 of 3 trackers)"])
        #expect(status.lines.map(\.level) == [.problem, .problem, .normal, .normal])
        #expect(status.lines.map(\.namespace) == ["search", "payments", nil, nil])
        let payments = try self.status("payments", setup)
        let now = service.time.now
        #expect((payments.failingSince, payments.lastResponseTime, payments.lastSuccessTime) == (now, now, nil))
        #expect((payments.waiting, payments.oldestEventTime) == (1, now))
        #expect((payments.lastMinute.tracked, payments.lastMinute.failed) == (1, 1))
        let rejecting = try self.status("search", setup)
        #expect((rejecting.lastHour.dropped, rejecting.lossReasons) == (1, [.rejected]))

        service.collector("down.example", answers: 200)
        service.collector("no.example", answers: 200)
        await service.time.waitForSleep(in: .zero ... .milliseconds(400))
        service.time.advance(by: .seconds(70))
        try await waitUntil("payments delivers again") { try !self.status("payments", setup).isFailing }
        // Nothing is sent that could succeed.
        let search = try self.status("search", setup)
        #expect(search.failingSince != nil && !search.isFailing)
        await setup.tracker("search")?.deliver()
        let well = setup.status
        #expect(well.failing == [])
        #expect(texts(.problem, well) == [])
        // What was lost stays lost: it is a warning for an hour.
        #expect(
            texts(.warning, well) == [
                "search: 1 event dropped in the last hour (rejected);"
                    + " the last failure was 70 s ago: the collector answered 400"
            ])
        #expect(texts(.news, well) == ["payments could not deliver for 70 s until 0 s ago, nothing lost"])
        let recovered = try self.status("payments", setup)
        #expect(recovered.lastResponse == "the collector answered 200")
        #expect(recovered.lastFailingResponse == "the collector answered 503")
        #expect(recovered.lastFailingResponseTime == payments.lastResponseTime)
        #expect((recovered.lastSuccessTime, recovered.oldestEventTime) == (service.time.now, nil))
        service.time.advance(by: .seconds(3600))
        #expect(texts(.warning, setup.status) == [])
        #expect(try self.status("search", setup).samples == [])
        await setup.shutdown(timeout: .zero)
    }

    @Test("says that a version was reverted, why, and which one is in use again")
    func reverted() async throws {
        service.serve(DocumentText.document(1, Self.tracker("a", at: "one.example"), more: #","oddity":1"#))
        let setup = try service.start()
        await service.settled()
        let tracker = try #require(setup.tracker("a"))
        for _ in 0..<20 { await tracker.deliver() }
        service.serve(Self.canary(2, percent: 100))
        await setup.refresh()

        let baking = setup.status
        #expect((baking.rollout?.state, baking.rollout?.isIncluded) == (.baking, true))
        #expect(baking.rollout?.bakeEnd == service.time.now + 100)
        #expect(texts(.news, baking) == ["Version 2, canary 100 %: baking on this instance, 100 s left"])
        #expect(texts(.problem, baking) == [])
        let watched = service.log.records.first { $0.message == "version 2 is watched for 100 s" }
        #expect((watched?.level, watched?.version) == (.info, 2))

        service.collector("two.example", answers: 400)
        for _ in 0..<20 { await tracker.deliver() }
        service.time.advance(by: .seconds(5))
        _ = await setup.updater.observeCanary()
        let status = setup.status
        #expect((status.document.state, status.document.version) == (.reverted, 1))
        #expect(status.document.since == service.time.now)
        #expect(status.changes.map(\.kind) == [.reverted, .applied, .applied])
        let sentence =
            "ersion 2 was reverted after 5 s: a failed 100 % of 20 requests (0 % before); version 1 is back;"
            + " version 2 is not applied again"
        let reversion = try #require(status.last(.reverted))
        #expect((reversion.version, reversion.text, reversion.needsAttention) == (2, "v" + sentence, true))
        #expect(status.lines.first { $0.topic == .document }?.text == "V" + sentence)
        #expect(status.lines.first { $0.topic == .document }?.since == service.time.now)
        let rates = RolloutStatus.Tracker(failureRateBefore: 0, failureRateAfter: 1, requests: 20, failedRequests: 20)
        #expect(status.rollout?.trackers["a"] == rates)
        #expect((status.rollout?.version, status.rollout?.state) == (2, .reverted))

        // The fetches that find it again say nothing new.
        await setup.refresh()
        await setup.refresh()
        let later = setup.status
        #expect(later.changes.map(\.kind) == [.reverted, .applied, .applied])
        #expect((later.pending?.kind, later.pending?.count, later.rollout?.state) == (.held, 2, .reverted))
        #expect(later.lines.count { $0.level == .warning && $0.text.contains("reverted") } == 1)

        // One warning says it all, and has the version that it is about.
        let warnings = service.log.records.filter { $0.level <= .warning && $0.message.contains("version 2") }
        #expect(warnings.map(\.message) == ["v" + sentence])
        #expect(warnings.map(\.version) == [2])
        let moves = service.log.records.filter { $0.message.contains("moves namespace") }
        #expect(moves.map(\.level) == [.warning, .info])
        #expect(moves.map(\.version) == [2, 1])

        // The warnings of the document that is in use again were logged when it was first applied.
        #expect(later.document.warnings.map(\.place) == ["oddity"])
        #expect(later.document.warnings.first?.position?.line == 1)
        let lines = service.log.records.filter { $0.message.hasPrefix("oddity: ") }
        #expect(lines.map(\.level) == [.warning])
        await setup.shutdown(timeout: .zero)
    }

    @Test("a failure that begins with a version names the version and the setting, as long as it lasts")
    func cause() async throws {
        service.serve(DocumentText.document(1, Self.tracker("a", at: "one.example")))
        let setup = try service.start()
        await service.settled()
        await setup.tracker("a")?.deliver()
        service.collector("two.example", answers: 503)
        service.serve(DocumentText.document(2, Self.tracker("a", at: "two.example")))
        await setup.refresh()
        setup.tracker("a")?.track(Structured(category: "cart", action: "add"))
        try await waitUntil("a request has failed") { try self.status("a", setup).consecutiveFailures > 0 }
        let failing = try self.status("a", setup)
        #expect((failing.failingSinceVersion, failing.failingSinceSettings) == (2, ["network.endpoint"]))
        let line = try #require(setup.status.lines.first)
        #expect(line.version == 2)
        #expect(
            line.text == "a: failing since version 2 changed its endpoint: the collector answered 503, 1 try,"
                + " 1 event waiting (oldest 0 s)")
        service.collector("two.example", answers: 200)
        await service.time.waitForSleep(in: .zero ... .milliseconds(400))
        service.time.advance(by: .seconds(1))
        try await waitUntil("the tracker delivers again") { try !self.status("a", setup).isFailing }
        #expect(try self.status("a", setup).failingSinceVersion == nil)
        await setup.shutdown(timeout: .zero)
    }

    @Test("a canary for other instances is news and no trouble")
    func outsideTheShare() async throws {
        service.serve(DocumentText.document(1, Self.tracker("a", at: "one.example")))
        let setup = try service.start(configure: { $0.instanceID = "outsider" })
        await service.settled()
        service.serve(Self.canary(2, percent: 0))
        for _ in 0..<3 { await setup.refresh() }
        let status = setup.status
        #expect(status.pending == status.last(.held))
        let held = try #require(status.last(.held))
        #expect((held.version, held.count, held.needsAttention) == (2, 3, false))
        #expect(texts(.problem, status) + texts(.warning, status) == [])
        let line = try #require(status.lines.first { $0.level == .news })
        #expect(line.topic == .rollout)
        #expect(line.text.hasPrefix("Version 2 is held back: it is rolled out to 0 % of the instances"))
        let rollout = try #require(status.rollout)
        #expect((rollout.version, rollout.percent, rollout.isIncluded, rollout.bakeEnd) == (2, 0, false, nil))
        #expect(rollout.state == NamedCode<RolloutStatus>.none)
        #expect((0..<100).contains(rollout.position ?? -1))
        #expect(service.log.records.filter { $0.level <= .warning && $0.message.contains("version 2") } == [])
        // Once it is for this instance it bakes, and then has passed.
        service.serve(Self.canary(3, percent: 100))
        await setup.refresh()
        #expect(setup.status.pending == nil && setup.status.rollout?.state == .baking)
        service.time.advance(by: .seconds(100))
        _ = await setup.updater.observeCanary()
        #expect(setup.status.rollout?.state == .passed)
        #expect(service.log.records.contains { $0.message == "version 3 passed its bake time" && $0.version == 3 })
        await setup.shutdown(timeout: .zero)
    }

    @Test("50 fetches after a rejection still show it, and what was applied, with their first times")
    func history() async throws {
        service.serve(DocumentText.document(1, Self.tracker("a", at: "one.example")))
        let setup = try service.start()
        await service.settled()
        let start = service.time.now
        service.serve(DocumentText.document(2, Self.tracker("a", at: "ftp://no.example")))
        for _ in 0..<60 {
            service.time.advance(by: .seconds(1))
            await setup.refresh()
        }
        var status = setup.status
        #expect(status.changes.map(\.kind) == [.rejected, .applied])
        let rejected = try #require(status.last(.rejected))
        #expect((rejected.version, rejected.count, rejected.needsAttention) == (2, 60, true))
        #expect((rejected.firstTime, rejected.lastTime) == (start + 1, start + 60))
        let line = try #require(status.lines.first)
        #expect((line.level, line.topic, line.since) == (.problem, .document, start + 1))
        #expect(line.text.hasPrefix("Version 2 was rejected: configurationBundle[0].networkConfiguration.endpoint: "))
        // How often it was fetched says nothing.
        #expect(line.text.hasSuffix("; version 1 stays in use"))
        // The log names the rejected version, and the outcome's text is that of the change.
        let errors = service.log.records.filter { $0.level == .error }
        #expect(errors.map(\.message) == [rejected.text])
        #expect(rejected.text.hasPrefix("version 2 was rejected: configurationBundle[0]."))
        #expect(status.fetches == [.applied: 1, .rejected: 60])

        // Failures that all differ.
        for failure in 0..<60 {
            service.time.advance(by: .seconds(1))
            service.serve(status: 500 + failure)
            await setup.refresh()
        }
        status = setup.status
        #expect(status.changes.count == 50)
        #expect(status.changes.first?.kind == .failed)
        #expect((status.last(.rejected)?.count, status.last(.applied)?.version) == (60, 1))
        let outage = try #require(status.outage)
        #expect((outage.firstTime, outage.lastTime, outage.count) == (start + 61, start + 120, 60))
        #expect(texts(.warning, status).count == 1)
        #expect(texts(.warning, status).first?.hasSuffix(": status 559 (60 tries)") == true)
        // The rejected document is still the last that came.
        #expect(texts(.problem, status).count == 1)

        service.serve(DocumentText.document(1, Self.tracker("a", at: "one.example")))
        await setup.refresh()
        status = setup.status
        #expect(status.outage == nil && status.pending == nil)
        #expect(texts(.problem, status) + texts(.warning, status) == [])
        #expect(status.last(.rejected)?.count == 60)
        await setup.shutdown(timeout: .zero)
    }

    @Test("names the process, the document and its source, without secrets")
    func identity() async throws {
        service.serve(DocumentText.document(7, Self.tracker("a", at: "one.example")))
        let start = service.time.now
        let setup = try service.start(
            "https://config.example/trackers.json?key=secret",
            configure: {
                $0.serviceName = "orders"
                $0.instanceID = "pod-1"
            })
        await service.settled()
        service.time.advance(by: .seconds(60))
        let status = setup.status
        #expect(status.time == start + 60)
        let process = status.process
        #expect((process.service, process.instanceID, process.host.isEmpty) == ("orders", "pod-1", false))
        #expect((process.startTime, process.processID) == (start, Int(getpid())))
        #expect(process.stateDirectory == service.stateDirectory)
        #expect(process.cacheDirectory == service.cacheDirectory)
        let document = status.document
        #expect((document.state, document.version) == (.fetched, 7))
        #expect((document.since, document.fetchTime) == (start, start))
        #expect(document.source == "https://config.example/trackers.json?key=***")
        await setup.shutdown(timeout: .zero)
        #expect(setup.status.isStopped)
        #expect(!setup.status.isHealthy)
        // The next process starts from the cache.
        service.serve(status: 500)
        let next = try service.start("https://config.example/trackers.json?key=secret")
        await service.settled()
        let cached = next.status.document
        #expect((cached.state, cached.since, cached.fetchTime) == (.cached, service.time.now, start))
        #expect(next.status.last(.applied)?.text == "version 7 was applied from the cache")
        #expect(texts(.normal, next.status).first == "Version 7 from the cache in use")
        #expect(service.log.records.contains { $0.level == .info && $0.message.contains("applied from the cache") })
        await next.shutdown(timeout: .zero)
    }

    @Test("shows overrides with what the document says, and trackers that it no longer names")
    func exceptions() async throws {
        let features = #","features":{"f":{"enabled":true,"variables":{"v":{"value":3}}}}"#
        service.serve(
            DocumentText.document(
                1, Self.tracker("a", at: "one.example"), Self.tracker("b", at: "one.example"), more: features))
        let setup = try service.start()
        await service.settled()
        service.serve(DocumentText.document(2, Self.tracker("a", at: "one.example"), more: features))
        await setup.refresh()
        try setup.features.overrides.set(12, for: "f", variable: "v")
        try setup.features.overrides.setEnabled(false, for: "f")
        setup.tracker("a")?.pause()
        let status = setup.status
        #expect(status.trackers.map(\.isKept) == [false, true])
        #expect(status.trackers.map(\.isPaused) == [true, false])
        #expect(status.overrides.map(\.variable) == [nil, "v"])
        #expect(status.overrides.map(\.value) == [false, 12])
        #expect(status.overrides.map(\.documentValue) == [true, 3])
        #expect(
            texts(.news, status) == [
                "a: paused", "b: no longer in the document, its tracker stays as it was",
                "2 overrides are in effect",
            ])
        await setup.shutdown(timeout: .zero)
    }
}
