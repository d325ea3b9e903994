import FoundationEssentials
import IntegrationTesting
import Logging
import MetricsTestKit
import ServiceLifecycle
import Synchronization
import Testing
import TrackerLifecycle
import TrackerTesting

@testable import TrackerConfig
@testable import TrackerMetrics

@Suite("SetupMetrics", .timeLimit(.minutes(10)))
struct SetupMetricsTests {
    private let backend = TestMetrics()

    private func status(_ namespace: String? = "shop", _ change: (inout TrackerStatus) -> Void = { _ in })
        -> SetupStatus
    {
        let process = ProcessIdentity(service: "shop", host: "h", processID: 1, startTime: Date(), sdkVersion: "0")
        var status = SetupStatus(time: Date(timeIntervalSince1970: 1000), process: process)
        if let namespace {
            var tracker = TrackerStatus(namespace: namespace)
            change(&tracker)
            status.trackers = [tracker]
        }
        return status
    }

    /// Metrics whose status the test sets.
    private func metrics(_ statuses: [SetupStatus]) -> SetupMetrics {
        let rest = Mutex(statuses[...])
        return SetupMetrics(factory: backend, prefix: "t_") { rest.withLock { $0.popFirst()! } }
    }

    private func total(_ outcome: String) -> Int64 {
        backend.counterTotal(label: "t_events_\(outcome)_total", dimensions: [("namespace", "shop")])
    }

    private func tracked(_ count: Int) -> SetupStatus { status { $0.counters.tracked = count } }

    @Test("a counter has all since the start, and then what was added")
    func growth() async {
        let metrics = metrics([tracked(5), tracked(5), tracked(12)])
        await metrics.report()
        #expect(total("tracked") == 5)
        await metrics.report()
        #expect(total("tracked") == 5)
        await metrics.report()
        #expect(total("tracked") == 12)
    }

    @Test("a namespace that is set up again begins at 0")
    func reset() async {
        let metrics = metrics([tracked(5), tracked(2), tracked(4)])
        for _ in 0..<3 { await metrics.report() }
        #expect(total("tracked") == 9)
    }

    @Test("the metrics of a namespace that is gone are destroyed, and begin anew if it comes again")
    func removal() async throws {
        let metrics = metrics([tracked(5), status(nil), tracked(7)])
        await metrics.report()
        await metrics.report()
        #expect(backend.counters(label: "t_events_tracked_total").isEmpty)
        #expect(backend.meters(label: "t_events_waiting").isEmpty)
        await metrics.report()
        #expect(total("tracked") == 7)
    }

    @Test("names of the SDK are in snake case, and requests are counted by code")
    func names() async throws {
        let dropping = status { tracker in
            tracker.counters.droppedByReason = [.queueFull: 4]
            tracker.counters.requestsByCode = ["503": 2, "responseTooLarge": 1]
            (tracker.storeUsedBytes, tracker.storeCapacityBytes, tracker.storeCapacityEvents) = (10, 1000, 5)
        }
        await metrics([dropping]).report()
        let shop = ("namespace", "shop")
        let dropped = [shop, ("reason", "queue_full")]
        #expect(backend.counterTotal(label: "t_events_dropped_total", dimensions: dropped) == 4)
        for (code, count) in [("503", 2), ("response_too_large", 1)] as [(String, Int64)] {
            #expect(backend.counterTotal(label: "t_requests_total", dimensions: [shop, ("code", code)]) == count)
        }
        #expect(try backend.expectMeter("t_event_store_used_bytes", [shop]).lastValue == 10)
        #expect(try backend.expectMeter("t_event_store_capacity_bytes", [shop]).lastValue == 1000)
        #expect(try backend.expectMeter("t_event_store_capacity_events", [shop]).lastValue == 5)
    }

    @Test("states are meters, and ages are seconds")
    func meters() async throws {
        let failing = status { tracker in
            (tracker.waiting, tracker.consecutiveFailures) = (3, 2)
            tracker.oldestEventTime = Date(timeIntervalSince1970: 940)
            tracker.failingSince = Date(timeIntervalSince1970: 950)
        }
        let metrics = metrics([failing])
        await metrics.report()
        let namespace = [("namespace", "shop")]
        #expect(try backend.expectMeter("t_events_waiting", namespace).lastValue == 3)
        #expect(try backend.expectMeter("t_oldest_event_age_seconds", namespace).lastValue == 60)
        #expect(try backend.expectMeter("t_tracker_failing", namespace).lastValue == 1)
        #expect(try backend.expectMeter("t_tracker_consecutive_failures", namespace).lastValue == 2)
        #expect(try backend.expectMeter("t_healthy").lastValue == 0)
    }

    @Test("a stream has its state and its reconnections; a source without one has no state")
    func stream() async throws {
        var streaming = status(nil)
        streaming.streaming = StreamStatus()
        streaming.streaming?.reconnections = 3
        streaming.document.staleSince = Date(timeIntervalSince1970: 900)
        let metrics = metrics([streaming, status(nil)])
        await metrics.report()
        #expect(try backend.expectMeter("t_stream_connected").lastValue == 0)
        #expect(try backend.expectMeter("t_document_stale").lastValue == 1)
        #expect(backend.counterTotal(label: "t_stream_reconnects_total") == 3)
        await metrics.report()
        #expect(backend.meters(label: "t_stream_connected").isEmpty)
        #expect(try backend.expectMeter("t_document_stale").lastValue == 0)
    }

    @Test("a process that starts again reports all of its own events, and none twice")
    func restart() async throws {
        for round in 1...2 {
            let service = try TestService(document: #""meta": {}"#)
            let metrics = SetupMetrics(service.setup, factory: backend, prefix: "t_")
            await service.setup.refresh()
            for _ in 0..<3 { service.tracker.track(Structured(category: "cart", action: "add")) }
            await metrics.report()
            await service.setup.shutdown()
            await metrics.report()
            #expect(total("tracked") == Int64(3 * round))
            #expect(total("sent") == Int64(3 * round))
            let applied = [("outcome", "applied")]
            #expect(backend.counterTotal(label: "t_fetches_total", dimensions: applied) == Int64(round))
            #expect(try backend.expectMeter("t_document_version").lastValue == 1)
        }
    }

    @Test("reports come at the interval, and once more when the task is cancelled")
    func interval() async throws {
        let time = ManualTime()
        let reports = Mutex((1...3).map { tracked($0) }[...])
        let metrics = SetupMetrics(factory: backend, prefix: "t_", sleep: { try await time.sleep(for: $0) }) {
            reports.withLock { $0.popFirst()! }
        }
        let task = Task { await metrics.run() }
        #expect(try await eventually { time.pendingSleeps.count == 1 })
        #expect(total("tracked") == 1)
        time.advance(by: .seconds(10))
        #expect(try await eventually { total("tracked") == 2 && time.pendingSleeps.count == 1 })
        task.cancel()
        await task.value
        #expect(total("tracked") == 3)
    }

    @Test("as a service before the setup, it reports at last what the setup has sent at the shutdown")
    func service() async throws {
        let service = try TestService()
        service.tracker.track(Structured(category: "cart", action: "add"))
        let metrics = SetupMetrics(service.setup, every: .seconds(3600), factory: backend, prefix: "t_")
        let group = ServiceGroup(
            services: [metrics, SetupService(service.setup)],
            logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
        async let run: Void = group.run()
        #expect(try await eventually { total("tracked") == 1 })
        service.tracker.track(Structured(category: "cart", action: "remove"))
        await group.triggerGracefulShutdown()
        try await run
        #expect(total("tracked") == 2 && total("sent") == 2)
    }
}

@Suite("TimedTransport", .timeLimit(.minutes(10)))
struct TimedTransportTests {
    private struct SlowTransport: HTTPTransport {
        let time: ManualTime

        func send(_ request: HTTPTransportRequest) async throws(HTTPTransportError) -> HTTPTransportResponse {
            time.advance(by: .milliseconds(250))
            guard request.method == "GET" else { throw HTTPTransportError(.timeout, reason: "the time was over") }
            return HTTPTransportResponse(status: 304)
        }

        func stream(
            _ request: HTTPTransportRequest,
            receive: @escaping @Sendable (_ head: HTTPTransportResponse, _ piece: [UInt8]) -> Bool
        ) async throws(HTTPTransportError) -> HTTPTransportResponse {
            _ = receive(HTTPTransportResponse(status: 200), [])
            return HTTPTransportResponse(status: 200)
        }
    }

    @Test("responses and failures are timed by their result")
    func durations() async throws {
        let (backend, time) = (TestMetrics(), ManualTime())
        let transport = TimedTransport(SlowTransport(time: time), factory: backend, prefix: "t_") { time.uptime }
        #expect(try await transport.send(HTTPTransportRequest(method: "GET", url: "http://a")).status == 304)
        await #expect(throws: HTTPTransportError.self) {
            try await transport.send(HTTPTransportRequest(method: "POST", url: "http://a"))
        }
        for dimensions in [[("method", "GET"), ("result", "3xx")], [("method", "POST"), ("result", "timeout")]] {
            #expect(try backend.expectTimer("t_request_duration", dimensions).values == [250_000_000])
        }
    }

    @Test("streams of the other transport are passed on")
    func streams() async throws {
        let transport = TimedTransport(SlowTransport(time: ManualTime()), factory: TestMetrics())
        let request = HTTPTransportRequest(method: "GET", url: "http://a")
        #expect(try await transport.stream(request) { head, _ in head.status == 200 }.status == 200)
    }
}
