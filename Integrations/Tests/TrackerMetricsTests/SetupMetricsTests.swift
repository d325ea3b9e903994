import Foundation
import IntegrationTesting
import Logging
import MetricsTestKit
import ServiceLifecycle
import Synchronization
import Testing
import TrackerCore
import TrackerLifecycle
import TrackerTesting

@testable import TrackerConfig
@testable import TrackerMetrics

@Suite("SetupMetrics", .timeLimit(.minutes(10)))
struct SetupMetricsTests {
    private let backend = TestMetrics()

    private func metrics(_ readings: [[Metric]]) -> SetupMetrics {
        let rest = Mutex(readings[...])
        return SetupMetrics(factory: backend, prefix: "t_") { rest.withLock { $0.popFirst()! } }
    }

    private func total(_ outcome: String) -> Int64 {
        backend.counterTotal(label: "t_events_\(outcome)_total", dimensions: [("namespace", "shop")])
    }

    private func tracked(_ count: Int) -> [Metric] {
        [
            Metric("events_tracked_total", Double(count), [("namespace", "shop")]),
            Metric("events_waiting", 3, [("namespace", "shop")]),
        ]
    }

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

    @Test("a namespace that is removed and set up again has each event once; its meters are destroyed meanwhile")
    func removal() async throws {
        let metrics = metrics([tracked(5), [], tracked(7)])
        await metrics.report()
        await metrics.report()
        #expect(backend.meters(label: "t_events_waiting").isEmpty)
        await metrics.report()
        #expect(total("tracked") == 7)
        #expect(try backend.expectMeter("t_events_waiting", [("namespace", "shop")]).lastValue == 3)
    }

    @Test("every metric that the alerts and the dashboard name is reported, with the labels that Prometheus reads")
    func names() async throws {
        let service = try TestService(document: #""features": {"a": {"enabled": true}}, "rollout": {"percent": 100}"#)
        await service.setup.refresh()
        service.tracker.track(Structured(category: "cart", action: "add"))
        await SetupMetrics(service.setup, factory: backend).report()
        let monitoring = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "../../../Examples/Monitoring").standardized
        let named = try ["alerts.yml", "grafana-dashboard.json"].map { name in
            String(decoding: try Data(contentsOf: monitoring.appending(path: name)), as: UTF8.self)
        }.joined().matches(of: /trackerconfig_[a-z_]+/).map { String($0.output) }
        let reported = Set(backend.counters.map(\.label) + backend.meters.map(\.label))
        // Only with a stream, a canary, and evaluations; request durations are TimedTransport's.
        let missing = Set(named).subtracting(reported).filter {
            !$0.contains("stream_") && !$0.contains("request_duration")
        }
        #expect(
            missing.isSubset(of: ["trackerconfig_rollout_failure_ratio", "trackerconfig_feature_evaluations_total"]))
        #expect(backend.meters(label: "trackerconfig_document_info").map(\.lastValue) == [1])
        let dropped = [("namespace", "shop"), ("reason", "queue_full")]
        #expect(backend.counterTotal(label: "trackerconfig_events_dropped_total", dimensions: dropped) == 0)
        await service.setup.shutdown(timeout: .zero)
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
