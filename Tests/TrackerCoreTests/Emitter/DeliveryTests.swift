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
        #expect(await tracker.health.consecutiveFailures == 0)
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
        let health = await tracker.health
        #expect((health.counters.retried, health.counters.requests) == (3, 3))
        #expect((health.requests.total, health.requests.failureRate()) == (2, 0.5))
        #expect(tracker.standing.lastMinute.failed == 3)
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

    @Test("a body that is too large is sent in halves, each event once, and the next one is smaller from the start")
    func splits() async throws {
        let count = 64
        rig.transport.respond { HTTPTransportResponse.success(($0.body?.count ?? 0) > 2_000 ? 413 : 200) }
        let tracker = try await rig.tracker()
        tracker.track(1...count)
        let report = await tracker.flush(timeout: .seconds(60))
        #expect((report.sent, report.stored, report.dropped) == (count, 0, 0))
        let before = rig.transport.requests.count
        tracker.track(1001...(1000 + count))
        #expect(await tracker.flush(timeout: .seconds(60)).sent == 2 * count)
        #expect(rig.transport.requests[before...].allSatisfy { ($0.body?.count ?? 0) <= 2_000 })
    }

    @Test(
        "events that are refused alone delay no other, also if they are more than a pass has, and are tried one at a time"
    )
    func setsRefusedAside() async throws {
        let count = 12
        rig.transport.respond { HTTPTransportResponse.success(($0.body?.count ?? 0) > 5_000 ? 413 : 200) }
        let tracker = try await rig.tracker {
            $0.emitter?.bufferOption = .single
            $0.emitter?.emitRange = 5
        }
        for number in 1...count { tracker.track(PaddedEvent(action: "large \(number)", size: 10_000)) }
        tracker.track(1...100)
        let flush = Task { await tracker.flush(timeout: .seconds(600)) }
        try await waitUntil("the other events are sent") {
            rig.time.advance(by: .milliseconds(100))
            await rig.pipeline.drain()
            return tracker.counters.sent == 100
        }
        let before = rig.transport.requests.count
        #expect(before < 3 * count + 50)
        let health = await tracker.health
        #expect((health.tooLarge, health.counters.stored, health.failingSince) == (count, count, nil))
        // Another event each second, and the tries of those that are set aside.
        for number in 1...120 {
            rig.time.advance(by: .seconds(1))
            tracker.track(1000 + number...1000 + number)
            try await waitUntil("event \(number) is sent") {
                await rig.pipeline.drain()
                return tracker.counters.sent == 100 + number
            }
        }
        let large = rig.transport.requests[before...].count { ($0.body?.count ?? 0) > 5_000 }
        #expect(large > 0 && large < 40, "\(large) uploads of refused events in two minutes")
        rig.transport.respond { _ in HTTPTransportResponse.success(200) }
        try await waitUntil("the refused events are sent") {
            rig.time.advance(by: .seconds(1))
            await rig.pipeline.drain()
            return tracker.counters.stored == 0
        }
        _ = await flush.value
        #expect(tracker.counters.sent == count + 220)
        #expect(Set(rig.actions.filter { $0.hasPrefix("large") }).count == count)
        #expect(await tracker.health.tooLarge == 0)
    }

    @Test("the limit of bodies that refusals taught is forgotten within minutes")
    func forgetsBodyLimit() async throws {
        rig.transport.script(Array(repeating: HTTPTransportResponse.success(413), count: 12))
        let tracker = try await rig.tracker()
        tracker.track(1...64)
        let flush = Task { await tracker.flush(timeout: .seconds(600)) }
        try await waitUntil("all events are sent") {
            rig.time.advance(by: .seconds(1))
            await rig.pipeline.drain()
            return tracker.counters.stored == 0
        }
        _ = await flush.value
        rig.time.advance(by: .seconds(60))
        let before = rig.transport.requests.count
        tracker.track(101...500)
        #expect(await tracker.flush(timeout: .seconds(60)).stored == 0)
        #expect(rig.transport.requests.count - before < 20)
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
        #expect(await tracker.health.lastResponse == sentence)
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
        rig.time.advance(by: .seconds(60))
        tracker.track(1...1)
        await tracker.flush()
        #expect(losses().last?.message == "21 events were dropped (rejected): the collector answered 403")
        tracker.track(1...4)
        await tracker.flush()
        rig.time.advance(by: .seconds(60))
        await rig.pipeline.tend()
        #expect(losses().last?.message == "in the last minute, 4 more events were dropped (rejected)")
        #expect(losses().count == 3)
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
            lines().map(\.message) == ["delivery has failed, 10 events wait and are retried: certificate has expired"])
        for request in 2...7 {
            rig.time.advance(by: .seconds(60))
            await rig.transport.waitForRequests(request)
            await rig.time.waitForSleep(in: .zero ... .seconds(60))
        }
        #expect(lines().count == 2)
        #expect(lines().allSatisfy { $0.level == .warning && $0.namespace == "ns" })
        #expect(lines().last?.message.hasPrefix("delivery has failed for 300 s, 10 events wait") == true)
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
        adoption = task
    }
}

extension HTTPTransportResponse {
    fileprivate static func success(_ status: Int) -> Result<HTTPTransportResponse, HTTPTransportError> {
        .success(HTTPTransportResponse(status: status))
    }
}
