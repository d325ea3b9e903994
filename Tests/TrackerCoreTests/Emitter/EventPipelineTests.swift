import TestSupport
import Testing
import TrackerTesting

@testable import TrackerCore

extension EventPipeline {
    fileprivate var storageCount: Int { store.count }
}

@Suite("EventPipeline", .endsWhenItHangs)
struct EventPipelineTests {
    private let rig = Rig()

    @Test("requests are POSTs of an envelope with their content type, and stm is set for each attempt")
    func writesRequests() async throws {
        let tracker = try await rig.tracker { $0.network?.endpoint = "http://c.example/base/" }
        rig.transport.script(500)
        tracker.track(1...2)
        async let report = tracker.flush(timeout: .seconds(1000))
        await rig.transport.waitForRequests(1)
        await rig.time.waitForSleepers(2)
        rig.time.advance(by: .seconds(5))
        #expect(await report.sent == 2)
        let requests = rig.transport.requests
        // All, and after the failure one event first.
        #expect(requests.map(\.events.count) == [2, 1, 1])
        for request in requests {
            #expect(request.method == "POST")
            #expect(request.url == "http://c.example/base/com.snowplowanalytics.snowplow/tp2")
            #expect(request.header("Content-Type") == "application/json; charset=utf-8")
            #expect(request.header("SP-Anonymous") == nil)
            #expect(request.timeout == .seconds(30))
            let envelope = try JSONReader.read(request.body ?? []).value
            #expect(envelope["schema"] == "iglu:com.snowplowanalytics.snowplow/payload_data/jsonschema/1-0-4")
            #expect(envelope.object?.count == 2)
        }
        #expect(requests[0].events.map { $0["stm"] } == ["1700000000000", "1700000000000"])
        let retried = requests[1...].flatMap(\.events)
        #expect(retried.map { $0["stm"] } == ["1700000005000", "1700000005000"])
        #expect(retried.map { $0["dtm"] } == ["1700000000000", "1700000000000"])
        #expect(requests[0].events.map { $0["eid"] } == retried.map { $0["eid"] })
    }

    @Test("an emitter is released a minute after its tracker if it has no events; its namespace can have another one")
    func releasesEmitters() async throws {
        weak var emitter: NamespaceEmitter?
        for round in 1...3 {
            let tracker = try await rig.tracker()
            emitter = tracker.namespaceEmitter
            tracker.track(round...round)
            #expect(await tracker.flush().sent == round)
            tracker.remove()
            await tracker.followed()
            await rig.pipeline.releaseEmitters()
            rig.time.advance(by: .seconds(59))
            await rig.pipeline.releaseEmitters()
            #expect(rig.pipeline.emitters.withLock { $0.all.count } == 1)
        }
        rig.time.advance(by: .seconds(1))
        // The task of a timer that was cancelled may still have it.
        try await waitUntil("the emitter is released") {
            await rig.pipeline.releaseEmitters()
            return emitter == nil
        }
        #expect(rig.pipeline.emitters.withLock { $0.all.isEmpty })
        let tracker = try await rig.tracker()
        tracker.track(4...4)
        #expect(await tracker.flush().sent == 1)
        #expect(rig.actions == ["1", "2", "3", "4"])
        #expect(await rig.pipeline.shutdown(timeout: .zero).sent == 4)
    }

    @Test("the places of namespaces that have ended serve new ones, and a namespace that comes back")
    func boundsEmitters() async throws {
        let count = 6
        for number in 0..<count {
            let tracker = try Tracker(.sample("n\(number)"), pipeline: rig.pipeline)
            tracker.track(number...number)
            await tracker.flush(timeout: .seconds(60))
            tracker.remove()
        }
        await rig.pipeline.releaseEmitters()
        rig.time.advance(by: .seconds(61))
        // The task of a timer that was cancelled may still have one.
        try await waitUntil("all emitters are released") {
            await rig.pipeline.releaseEmitters()
            return rig.pipeline.emitters.withLock { $0.all.isEmpty }
        }
        #expect(rig.actions.count == count)
        for number in 0..<count {
            let tracker = try Tracker(.sample("new \(number)"), pipeline: rig.pipeline)
            tracker.track(number...number)
            #expect(await tracker.flush(timeout: .seconds(60)).sent == 1)
            #expect(rig.events.last?["tna"] == "new \(number)")
            #expect(tracker.counters.addUp)
        }
        #expect(rig.pipeline.emitters.withLock { $0.byIndex.count } == count)
        let former = try Tracker(.sample("n\(count - 1)"), pipeline: rig.pipeline)
        former.track(1...1)
        #expect(await former.flush(timeout: .seconds(60)).sent == 1)
        #expect(await rig.pipeline.storageCount == count + 1)
    }

    @Test("namespaces may be new while the pipeline looks through all that it has")
    func addsEmittersMeanwhile() async throws {
        let count = Search.count(200)
        let pipeline = rig.pipeline
        let adding = Task.detached {
            for index in 0..<count { _ = pipeline.emitter(for: "n\(index)") }
        }
        try await waitUntil("the pipeline knows all namespaces") {
            await pipeline.sweep()
            return await pipeline.openEmitters().count == count
        }
        await adding.value
        #expect(await pipeline.openEmitters().map(\.namespace) == (0..<count).map { "n\($0)" })
    }

    @Test("an emitter stays while it has events or anything has its tracker")
    func keepsEmitters() async throws {
        let (waiting, kept) = (try await rig.tracker("waiting"), try await rig.tracker("kept"))
        waiting.emitter.pause()
        waiting.track(1...1)
        #expect(await waiting.settledCounters().stored == 1)
        for tracker in [waiting, kept] { tracker.remove() }
        for _ in 0...1 {
            await rig.pipeline.releaseEmitters()
            rig.time.advance(by: .seconds(3600))
        }
        #expect(rig.pipeline.emitters.withLock { $0.all.map(\.namespace) } == ["waiting", "kept"])
        #expect(try await rig.tracker("kept").namespaceEmitter === kept.namespaceEmitter)
        #expect(try await rig.tracker("waiting").flush().sent == 1)
    }

    @Test("a GET is one event each, without a body")
    func writesGets() async throws {
        let tracker = try await rig.tracker { $0.network?.method = .get }
        tracker.track(1...3)
        #expect(await tracker.flush().sent == 3)
        #expect(rig.transport.requests.map(\.method) == ["GET", "GET", "GET"])
        #expect(rig.transport.requests.allSatisfy { $0.body == nil && $0.url.hasPrefix("https://c.example/i?e=se&") })
        #expect(rig.transport.requests.map { $0.query["se_ac"] } == ["1", "2", "3"])
        #expect(rig.transport.requests[0].query["stm"] == "1700000000000")
    }

    @Test("server anonymisation counts from when an event was tracked, and no request mixes")
    func anonymises() async throws {
        let tracker = try await rig.tracker()
        tracker.track(1...2)
        try tracker.emitter.set(\.serverAnonymisation, to: true)
        tracker.track(3...4)
        try tracker.emitter.set(\.serverAnonymisation, to: false)
        tracker.track(5...5)
        await tracker.flush()
        for request in rig.transport.requests {
            let isAnonymous = request.header("SP-Anonymous") == "*"
            #expect(request.events.map { $0["se_ac"] } == (isAnonymous ? ["3", "4"] : ["1", "2", "5"]))
        }
        #expect(rig.transport.requests.count == 2)
    }

    @Test(
        "as many events as the buffer option says start a send, fewer wait for the timer",
        arguments: [(BufferOption.single, 1), (.smallGroup, 10), (.largeGroup, 25)])
    func buffers(option: BufferOption, size: Int) async throws {
        let tracker = try await rig.tracker { $0.emitter?.bufferOption = option }
        if size > 1 {
            tracker.track(1...size - 1)
            #expect(await tracker.settledCounters().requests == 0)
        }
        tracker.track(size...size)
        await rig.transport.waitForRequests(1)
        #expect(rig.transport.requests[0].events.count == size)
    }

    @Test("events that are too few are sent after a second")
    func sendsByTimer() async throws {
        let tracker = try await rig.tracker()
        tracker.track(1...3)
        await rig.time.waitForSleepers(1)
        #expect(rig.time.pendingSleeps == [.seconds(1)])
        rig.time.advance(by: .milliseconds(999))
        #expect(rig.time.pendingSleeps == [.milliseconds(1)])
        #expect(await tracker.settledCounters().requests == 0)
        rig.time.advance(by: .milliseconds(1))
        await rig.transport.waitForRequests(1)
        #expect(rig.actions == ["1", "2", "3"])
    }

    @Test("a pass has at most emitRange events, and the next follows at once")
    func boundsPasses() async throws {
        let tracker = try await rig.idleTracker { $0.emitter?.emitRange = 4 }
        tracker.track(1...10)
        _ = await tracker.settledCounters()
        tracker.emitter.resume()
        await rig.transport.waitForRequests(2)
        await tracker.flush()
        #expect(rig.transport.requests.map(\.events.count) == [4, 4, 2])
        #expect(rig.actions == (1...10).map { "\($0)" })
    }

    @Test("as many requests run in parallel as the settings allow, and no more", arguments: [1, 3])
    func boundsParallelRequests(most: Int) async throws {
        let tracker = try await rig.tracker {
            $0.emitter?.threadPoolSize = most
            $0.network?.method = .get
        }
        rig.transport.hold()
        tracker.track(1...7)
        async let report = tracker.flush(timeout: .seconds(100))
        var open: [ScriptedTransport.Held] = []
        for answered in 0..<7 {
            while open.count < min(most, 7 - answered) { open.append(await rig.transport.next()) }
            #expect(await tracker.settledCounters().requests == min(answered + most, 7))
            open.removeFirst().answer(200)
        }
        #expect(await report.sent == 7)
    }

    @Test(
        "after a failure the rest of a pass waits; once the newest event is delivered the others follow, the failed one last"
    )
    func retriesInOrder() async throws {
        let tracker = try await rig.tracker { $0.network?.method = .get }
        rig.transport.script(200, 503)
        tracker.track(1...4)
        async let report = tracker.flush(timeout: .seconds(1000))
        await rig.transport.waitForRequests(2)
        await rig.time.waitForSleepers(2)
        #expect(await tracker.settledCounters().requests == 2)
        #expect(tracker.counters.retried == 1)
        tracker.track(5...5)
        _ = await tracker.settledCounters()
        rig.time.advance(by: .milliseconds(100))
        await rig.transport.waitForRequests(5)
        try await waitUntil("the failed event waits for its turn") { rig.time.pendingSleeps.contains(.seconds(1)) }
        rig.time.advance(by: .seconds(1))
        #expect(await report.sent == 5)
        #expect(rig.transport.requests.map { $0.query["se_ac"] } == ["1", "2", "5", "3", "4", "2"])
    }

    @Test("Retry-After is waited for, and flushing does not wait")
    func flushesUnderBackOff() async throws {
        let tracker = try await rig.tracker()
        rig.transport.script([
            .success(HTTPTransportResponse(status: 503, headers: [HTTPHeader(name: "Retry-After", value: "77")]))
        ])
        tracker.track(1...10)
        await rig.transport.waitForRequests(1)
        await rig.time.waitForSleepers(1)
        #expect(rig.time.pendingSleeps == [.seconds(77)])
        rig.time.advance(by: .seconds(76))
        #expect(await tracker.settledCounters().requests == 1)
        #expect(await tracker.flush().sent == 10)
        #expect(rig.transport.requests.map(\.events.count) == [10, 1, 2, 4, 3])
    }

    @Test("a flush returns when its time is over, and what is unsent stays")
    func flushEndsByTime() async throws {
        let tracker = try await rig.tracker()
        rig.transport.hold()
        tracker.track(1...3)
        async let report = tracker.flush(timeout: .seconds(5))
        let held = await rig.transport.next()
        await rig.time.waitForSleepers(1)
        rig.time.advance(by: .seconds(5))
        #expect(await report.delivery == Delivery(sent: 0, stored: 3))
        rig.transport.release()
        held.answer(200)
        await tracker.flush()
        #expect(tracker.counters.sent == 3)
    }

    @Test("a flush does not wait for events that were removed meanwhile")
    func flushEndsWithoutEvents() async throws {
        let tracker = try await rig.tracker()
        rig.transport.script(500)
        tracker.track(1...3)
        let report = Task { await tracker.flush(timeout: .seconds(1000)) }
        await rig.transport.waitForRequests(1)
        await rig.time.waitForSleepers(2)
        #expect(await rig.pipeline.removeUnsentEvents(exceptNamespaces: []) == 3)
        #expect(await report.value.delivery == Delivery(sent: 0, stored: 0, dropped: 3))
    }

    @Test("a namespace has one request under way, over removal and a new tracker too")
    func isSingleFlight() async throws {
        let first = try await rig.tracker { $0.emitter?.bufferOption = .single }
        rig.transport.hold()
        first.track(1...1)
        let held = await rig.transport.next()
        first.remove()
        await first.followed()
        let second = try await rig.tracker { $0.emitter?.bufferOption = .single }
        second.track(2...2)
        _ = await second.settledCounters()
        await second.followed()
        let report = Task { await second.flush(timeout: .seconds(100)) }
        #expect(await second.settledCounters().requests == 1)
        rig.transport.release()
        held.answer(200)
        #expect(await report.value.sent == 2)
        #expect(rig.actions == ["1", "2"])
    }

    @Test("an answer that comes during the shutdown is still judged")
    func judgesLateAnswers() async throws {
        let tracker = try await rig.tracker()
        rig.transport.hold()
        tracker.track(1...3)
        async let report = rig.pipeline.shutdown(timeout: .seconds(5))
        let held = await rig.transport.next()
        held.answer(200)
        #expect(await report.sent == 3)
    }
}
