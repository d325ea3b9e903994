import Foundation
import TestSupport
import Testing
import TrackerTesting

@testable import TrackerCore

@Suite("delivery", .endsWhenItHangs)
struct DeliveryTests {
    private let rig = Rig()

    private func sample(_ endpoint: String) -> ConfigurationBundle {
        ConfigurationBundle(namespace: "ns", network: NetworkConfiguration(endpoint: endpoint))
    }

    @Test("a new endpoint ends the back-off of the old one")
    func followsEndpoints() async throws {
        rig.transport.respond {
            $0.url.contains("good")
                ? .success(HTTPTransportResponse(status: 200))
                : .success(HTTPTransportResponse(status: 503, headers: [HTTPHeader(name: "Retry-After", value: "500")]))
        }
        let tracker = try await rig.tracker()
        tracker.track(1...3)
        let flush = Task { await tracker.flush(timeout: .seconds(10_000)) }
        await rig.time.waitForSleep(in: .seconds(400) ... .seconds(600))
        try tracker.adopt(default: nil, remote: sample("https://good.example"), version: 2)
        await tracker.followed()
        #expect(await flush.value.sent == 3)
        #expect(rig.actions.suffix(3) == ["1", "2", "3"])
        #expect(await tracker.status.consecutiveFailures == 0)
    }

    @Test("a request that hangs at a broken collector does not hold up the new one")
    func cancelsHangingRequests() async throws {
        let tracker = try await rig.tracker()
        rig.transport.script(503)
        tracker.track(1...3)
        let flush = Task { await tracker.flush(timeout: .seconds(10_000)) }
        await rig.transport.waitForRequests(1)
        // The retry hangs.
        rig.transport.hold()
        await rig.time.waitForSleep(in: .zero ... .milliseconds(100))
        rig.time.advance(by: .milliseconds(100))
        let held = await rig.transport.next()
        rig.transport.release()
        try tracker.adopt(default: nil, remote: sample("https://good.example"), version: 2)
        await tracker.followed()
        held.fail(.cancelled)
        #expect(await flush.value.sent == 3)
        // The request that the SDK cancelled has not failed.
        let status = await tracker.status
        #expect((status.counters.retried, status.counters.requests) == (3, 3))
        #expect((tracker.requestHistory.total, tracker.requestHistory.failureRate()) == (2, 0.5))
        #expect(status.lastMinute.failed == 3)
        #expect(rig.transport.requests.last?.url.hasPrefix("https://good.example/") == true)
    }

    @Test("a setting that says nothing of the network leaves the back-off alone")
    func keepsBackoff() async throws {
        rig.transport.respond { _ in .success(HTTPTransportResponse(status: 503)) }
        let tracker = try await rig.tracker()
        tracker.track(1...3)
        let flush = Task { await tracker.flush(timeout: .seconds(10)) }
        await rig.transport.waitForRequests(1)
        await rig.time.waitForSleepers(2)
        try tracker.settings.set(\.appID, to: "other")
        await tracker.followed()
        #expect(rig.transport.requests.count == 1)
        rig.time.advance(by: .seconds(10))
        _ = await flush.value
    }

    @Test("back-off is capped at a minute, and at what the settings say", arguments: [nil, 5])
    func capsBackoff(seconds: Int?) async throws {
        rig.transport.respond { _ in .success(HTTPTransportResponse(status: 503)) }
        let tracker = try await rig.tracker { $0.emitter?.maxRetryDelay = seconds.map { .seconds($0) } }
        tracker.track(1...10)
        for request in 1...14 {
            await rig.transport.waitForRequests(request)
            let most = Duration.seconds(seconds ?? 60)
            await rig.time.waitForSleep(in: .zero...most)
            rig.time.advance(by: most)
        }
    }

    /// Lets time pass until a condition holds.
    private func pass(_ step: Duration, until state: String, _ isReached: @escaping () -> Bool) async throws {
        try await waitUntil(state) {
            rig.time.advance(by: step)
            await rig.pipeline.drain()
            return isReached()
        }
    }

    @Test("bodies that a front resets because of their size become smaller, and few events are sent twice")
    func findsSize() async throws {
        let count = 500
        let sent = Locked<[String?]>([])
        rig.transport.respond { request in
            sent.withLock { $0 += request.events.map { $0["se_ac"] } }
            return (request.body?.count ?? 0) > 20_000
                ? .failure(HTTPTransportError(.failed, reason: "the connection was reset"))
                : HTTPTransportResponse.success(200)
        }
        let tracker = try await rig.tracker { $0.emitter?.emitRange = count }
        tracker.track(1...count)
        try await pass(.milliseconds(100), until: "all events are sent") { tracker.counters.sent == count }
        #expect(Set(rig.actions).count == count)
        // Only the first time all, and then one request in several.
        #expect(sent.withLock { $0.count } < 3 * count)
        #expect(await tracker.status.setAside == 0)
    }

    @Test(
        "events that a front refuses are dropped and the others sent, also if they are neighbours",
        arguments: [400, 403, 413, 414, 422])
    func dropsRefused(status: Int) async throws {
        rig.transport.respond {
            HTTPTransportResponse.success($0.events.contains { $0["se_ac"]?.hasPrefix("bad") == true } ? status : 200)
        }
        let tracker = try await rig.tracker()
        tracker.track(1...20)
        for number in 1...5 { tracker.track(PaddedEvent(action: "bad \(number)", size: 10)) }
        tracker.track(21...40)
        let report = await tracker.flush(timeout: .seconds(60))
        #expect((report.sent, report.stored, report.dropped) == (40, 0, 5))
        #expect(tracker.counters.droppedByReason == [status == 413 || status == 414 ? .oversized : .rejected: 5])
        #expect(rig.transport.requests.count < 60)
        #expect(await tracker.status.failingSince == nil)
    }

    @Test(
        "events that fail although others are delivered delay no other, and are tried one at a time",
        arguments: [500, 0])
    func setsAside(status: Int) async throws {
        let count = 12
        let isRepaired = Locked(false)
        rig.transport.respond { request in
            guard request.events.contains(where: { $0["se_ac"]?.hasPrefix("bad") == true }),
                !isRepaired.withLock({ $0 })
            else { return HTTPTransportResponse.success(200) }
            return status == 0
                ? .failure(HTTPTransportError(.failed, reason: "the connection was reset"))
                : HTTPTransportResponse.success(status)
        }
        let tracker = try await rig.tracker {
            $0.emitter?.bufferOption = .single
            $0.emitter?.emitRange = 5
        }
        for number in 1...count { tracker.track(PaddedEvent(action: "bad \(number)", size: 10)) }
        tracker.track(1...100)
        try await pass(.milliseconds(100), until: "the other events are sent") { tracker.counters.sent == 100 }
        let now = await tracker.status
        #expect((now.setAside, now.waiting, now.failingSince) == (count, count, nil))
        // Another event each second, and the tries of those that are set aside.
        let before = rig.transport.requests.count
        for number in 1...600 {
            rig.time.advance(by: .seconds(1))
            tracker.track(1000 + number...1000 + number)
            try await waitUntil("event \(number) is sent") {
                await rig.pipeline.drain()
                return tracker.counters.sent == 100 + number
            }
        }
        let tries = rig.transport.requests[before...].count {
            $0.events.contains { $0["se_ac"]?.hasPrefix("bad") == true }
        }
        #expect(tries > 0 && tries < 10, "\(tries) tries of events that are set aside in ten minutes")
        #expect(rig.log.records.contains { $0.level == .warning && $0.message.hasPrefix("an event fails although ") })
        isRepaired.withLock { $0 = true }
        try await pass(.seconds(60), until: "the events that were set aside are sent") { tracker.counters.stored == 0 }
        #expect(tracker.counters.sent == count + 700)
        #expect(Set(rig.actions.filter { $0.hasPrefix("bad") }).count == count)
        #expect(await tracker.status.setAside == 0)
    }

    @Test(
        "a single event that the collector refuses is dropped, and one that is too large waits for a collector that takes it"
    )
    func refusesSingle() async throws {
        let tracker = try await rig.tracker { $0.emitter?.bufferOption = .single }
        rig.transport.respond { _ in HTTPTransportResponse.success(403) }
        tracker.track(1...1)
        try await pass(.milliseconds(100), until: "the event is dropped") { tracker.counters.dropped == 1 }
        rig.transport.respond { _ in HTTPTransportResponse.success(413) }
        tracker.track(2...2)
        try await pass(.seconds(1), until: "it was tried again") { rig.transport.requests.count >= 4 }
        rig.transport.respond { _ in HTTPTransportResponse.success(200) }
        try await pass(.seconds(1), until: "the event is sent") { tracker.counters.sent == 1 }
    }

    @Test("a success without its body is a delivery, once, and is counted and logged as what it is")
    func takesIncompleteAnswers() async throws {
        rig.transport.respond { _ in
            .failure(HTTPTransportError(.timeout, reason: "no whole answer within 30 s", status: 200))
        }
        let tracker = try await rig.tracker { $0.tracker = nil }
        tracker.track(1...3)
        #expect(await tracker.flush().delivery == Delivery(sent: 3, stored: 0))
        #expect((tracker.counters.requests, tracker.counters.incompleteResponses) == (1, 1))
        let sentence = "the collector answered 200, but no whole answer within 30 s"
        #expect(await tracker.status.lastResponse == sentence)
        #expect(
            rig.log.records.filter { $0.level == .warning }.map(\.message) == [
                "events count as sent, although the answer is not complete: \(sentence)"
            ])
    }

    @Test("a flush waits for events of dead processes and for the collector, together no longer than its time")
    func boundsFlush() async throws {
        rig.transport.respond { _ in HTTPTransportResponse.success(503) }
        let tracker = try await rig.tracker()
        tracker.track(1...1)
        let isOver = AsyncStream.makeStream(of: Void.self)
        await rig.pipeline.takeOver(by: Task { for await _ in isOver.stream {} })
        let hasEnded = Locked(false)
        let flush = Task {
            defer { hasEnded.withLock { $0 = true } }
            return await tracker.flush(timeout: .seconds(600))
        }
        await rig.time.waitForSleep(in: .seconds(600) ... .seconds(600))
        rig.time.advance(by: .seconds(600))
        try await waitUntil("the flush has ended or waits once more") {
            hasEnded.withLock { $0 } || rig.time.pendingSleeps.contains(.seconds(600))
        }
        #expect(hasEnded.withLock { $0 })
        rig.time.advance(by: .seconds(600))
        #expect(await flush.value.stored == 1)
        isOver.continuation.finish()
    }

    @Test(
        "a loss has a line at error whatever the tracker's level: the first at once, then one a minute with the number")
    func logsLosses() async throws {
        rig.transport.respond { _ in .success(HTTPTransportResponse(status: 403)) }
        let tracker = try await rig.tracker { $0.tracker = nil }
        for _ in 1...3 {
            tracker.track(1...10)
            await tracker.flush()
        }
        let losses = { rig.log.records.filter { $0.level == .error } }
        #expect(losses().map(\.message) == ["10 events were dropped (rejected): the collector answered 403"])
        #expect(losses().map(\.namespace) == ["ns"])
        await rig.time.waitForSleep(in: .seconds(60) ... .seconds(60))
        rig.time.advance(by: .seconds(60))
        try await waitUntil("the others have a line") {
            losses().last?.message == "in the last minute, 20 more events were dropped (rejected)"
        }
        rig.time.advance(by: .seconds(60))
        tracker.track(1...1)
        await tracker.flush()
        #expect(losses().last?.message == "1 event was dropped (rejected): the collector answered 403")
        tracker.track(1...2)
        await tracker.flush()
        _ = await rig.pipeline.shutdown(timeout: .zero)
        #expect(losses().last?.message == "in the last minute, 2 more events were dropped (rejected)")
        #expect(losses().count == 4)
    }

    @Test("delivery that fails is a warning, again every five minutes, and one line when it works again")
    func logsOutages() async throws {
        rig.transport.respond { _ in .failure(HTTPTransportError(.failed, reason: "certificate has expired")) }
        let tracker = try await rig.tracker { $0.tracker = nil }
        tracker.track(1...10)
        let lines = { rig.log.records.filter { $0.level < .debug } }
        await rig.transport.waitForRequests(1)
        await rig.time.waitForSleep(in: .zero ... .milliseconds(100))
        #expect(
            lines().map(\.message) == ["delivery has failed, 10 events will be retried: certificate has expired"])
        for request in 2...7 {
            rig.time.advance(by: .seconds(60))
            await rig.transport.waitForRequests(request)
            await rig.time.waitForSleep(in: .zero ... .seconds(60))
        }
        #expect(lines().count == 2)
        #expect(lines().allSatisfy { $0.level == .warning && $0.namespace == "ns" })
        #expect(lines().last?.message.hasPrefix("delivery has failed for 300 s, 10 events will be") == true)
        rig.transport.respond { _ in .success(HTTPTransportResponse(status: 200)) }
        await tracker.flush(timeout: .seconds(60))
        #expect(lines().last?.level == .info)
        #expect(lines().last?.message == "delivery works again after 360 s")
    }

    @Test("what code asked for is no loss")
    func logsNothingNormal() async throws {
        let tracker = try await rig.tracker { $0.tracker = nil }
        tracker.pause()
        tracker.track(1...3)
        tracker.resume()
        tracker.track(1...3)
        await rig.pipeline.shutdown(timeout: .seconds(5))
        #expect(rig.log.records.filter { $0.level < .info } == [])
    }
}

extension EventPipeline {
    /// Makes flushes wait for a task as for one that takes events over.
    fileprivate func takeOver(by task: Task<Void, Never>) {
        takeOverTask = task
    }
}

extension HTTPTransportResponse {
    fileprivate static func success(_ status: Int) -> Result<HTTPTransportResponse, HTTPTransportError> {
        .success(HTTPTransportResponse(status: status))
    }
}
