import Foundation
import TestSupport
import Testing
import TrackerCore
import TrackerTesting

@testable import TrackerConfig
@testable import TrackerConsole

/// What Prometheus scrapes.
@Suite("Console: metrics", .endsWhenItHangs)
struct ConsoleMetricsTests {
    private let service = Service()

    /// Starts with a tracker that sends each event at once.
    private func start(_ url: String = Service.url, more: String = "") async throws -> Setup {
        let bundle = DocumentText.bundle("a", at: "one.example", #""emitter":{"bufferOption":"Single"}"#)
        service.serve(DocumentText.document(2, bundle, more: more))
        let setup = try service.start(url)
        await service.settled()
        return setup
    }

    private func scrape(_ setup: Setup) async -> (Exposition, ConsoleBrowser.Answer) {
        // Until here each namespace's delivery has told what it did.
        for namespace in setup.namespaces { _ = await setup.tracker(namespace)?.status }
        let answer = await ConsoleBrowser(setup).send("GET", "metrics")
        return (Exposition(answer.text), answer)
    }

    @Test("every metric is described once and has a type, and no series is there twice")
    func wellFormed() async throws {
        let setup = try await start()
        await setup.tracker("a")?.deliver()
        let (metrics, answer) = await scrape(setup)
        #expect(answer.header("Content-Type") == "text/plain; version=0.0.4; charset=utf-8")
        #expect(metrics.faults == [])
        #expect(metrics.types.keys.allSatisfy { $0.hasPrefix("trackerconfig_") })
        #expect(metrics.types["trackerconfig_events_sent_total"] == "counter")
        #expect(metrics.types["trackerconfig_process_info"] == "gauge")
        #expect(metrics.types["trackerconfig_request_duration_seconds"] == "histogram")
        await setup.shutdown(timeout: .zero)
    }

    @Test("events are counted by outcome and by the reason of their loss, which begins at 0")
    func events() async throws {
        let setup = try await start()
        let tracker = try #require(setup.tracker("a"))
        await tracker.deliver()
        service.collector("one.example", answers: 400)
        await tracker.deliver()
        let (metrics, _) = await scrape(setup)
        for (outcome, count) in ["tracked": 2.0, "sent": 1, "retried": 0, "sampled_out": 0] {
            #expect(metrics[#"events_\#(outcome)_total{namespace="a"}"#] == count, "\(outcome)")
        }
        #expect(metrics.count("events_total") == 0)
        #expect(metrics[#"events_dropped_total{namespace="a",reason="rejected"}"#] == 1)
        #expect(metrics[#"events_dropped_total{namespace="a",reason="expired"}"#] == 0)
        #expect(metrics[#"events_waiting{namespace="a"}"#] == 0)
        // Names of the SDK are in snake case.
        #expect(metrics[#"events_dropped_total{namespace="a",reason="queue_full"}"#] == 0)
        #expect(metrics[#"requests_total{namespace="a",code="200"}"#] == 1)
        #expect(metrics[#"requests_total{namespace="a",code="400"}"#] == 1)
        #expect(metrics[#"oldest_event_age_seconds{namespace="a"}"#] == 0)
        #expect(metrics[#"event_store_used_bytes{namespace="a"}"#] == 0)
        #expect(metrics[#"event_store_capacity_events{namespace="a"}"#] == 100_000)
        // A collector that rejects is no less a fault than one that is down.
        #expect(metrics[#"tracker_failing{namespace="a"}"#] == 1)
        await setup.shutdown(timeout: .zero)
    }

    @Test("a collector that is down shows in the tracker's metrics and in the lines of the status")
    func failing() async throws {
        let setup = try await start()
        service.collector("one.example", answers: 503)
        setup.tracker("a")?.track(Structured(category: "cart", action: "add"))
        // The wait before the next try.
        await service.time.waitForSleep(in: .zero ... .milliseconds(400))
        service.time.advance(by: .seconds(50))
        let (metrics, _) = await scrape(setup)
        #expect(metrics[#"tracker_failing{namespace="a"}"#] == 1)
        #expect(metrics[#"tracker_consecutive_failures{namespace="a"}"#] ?? 0 >= 1)
        #expect(metrics[#"events_waiting{namespace="a"}"#] == 1)
        #expect(metrics[#"oldest_event_age_seconds{namespace="a"}"#] == 50)
        #expect(metrics[#"events_retried_total{namespace="a"}"#] ?? 0 >= 1)
        #expect(metrics[#"requests_total{namespace="a",code="503"}"#] ?? 0 >= 1)
        #expect(metrics[#"event_store_used_bytes{namespace="a"}"#] ?? 0 > 100)
        #expect(metrics[#"event_store_capacity_bytes{namespace="a"}"#] ?? 0 >= Double(EventStore.defaultMemoryBytes))
        #expect(metrics[#"status_lines{level="problem",topic="tracker"}"#] == 1)
        await setup.shutdown(timeout: .zero)
    }

    @Test("the durations of requests are counted in each range that holds them")
    func durations() async throws {
        let setup = try await start()
        let tracker = try #require(setup.tracker("a"))
        service.transport.hold()
        tracker.track(Structured(category: "cart", action: "add"))
        let held = await service.transport.next()
        service.transport.release()
        service.time.advance(by: .milliseconds(250))
        held.answer(200)
        await tracker.flush()
        let (metrics, _) = await scrape(setup)
        func bucket(_ bound: String) -> Double? {
            metrics[#"request_duration_seconds_bucket{namespace="a",outcome="success",le="\#(bound)"}"#]
        }
        #expect(["0.1", "0.25", "0.5", "60.0", "+Inf"].map(bucket) == [0, 1, 1, 1, 1])
        #expect(metrics[#"request_duration_seconds_count{namespace="a",outcome="success"}"#] == 1)
        #expect(metrics[#"request_duration_seconds_count{namespace="a",outcome="failure"}"#] == 0)
        let sum = try #require(metrics[#"request_duration_seconds_sum{namespace="a",outcome="success"}"#])
        #expect(abs(sum - 0.25) < 1e-9)
        await setup.shutdown(timeout: .zero)
    }

    @Test("the document is told with its version, state and source, and a rejected one until the source serves another")
    func document() async throws {
        let setup = try await start("https://config.example/trackers.json?key=SECRET")
        let browser = ConsoleBrowser(setup)
        var (metrics, answer) = await scrape(setup)
        #expect(metrics["document_version"] == 2)
        let source = "https://config.example/trackers.json?key=***"
        #expect(metrics[#"document_info{version="2",state="fetched",source="\#(source)"}"#] == 1)
        #expect(!answer.text.contains("SECRET"))
        #expect(metrics["healthy"] == 1)
        #expect(metrics[#"fetches_total{outcome="applied"}"#] == 1)
        #expect(metrics[#"fetches_total{outcome="not_modified"}"#] == 0)
        #expect(metrics[#"document_last_change_timestamp_seconds{kind="rejected"}"#] == nil)
        #expect(metrics[#"document_pending{kind="rejected"}"#] == 0)
        #expect(metrics["fetch_outage_seconds"] == 0)
        service.serve("{")
        var outcome = await browser.send("POST", "refresh").json.at("outcome")
        #expect((outcome.at("kind"), outcome.at("isTrouble")) == ("rejected", true))
        (metrics, answer) = await scrape(setup)
        #expect(metrics["document_version"] == 2)
        #expect(metrics[#"fetches_total{outcome="rejected"}"#] == 1)
        #expect(metrics[#"document_pending{kind="rejected"}"#] == 1)
        let rejected = metrics[#"document_last_change_timestamp_seconds{kind="rejected"}"#]
        #expect(rejected == service.time.now.timeIntervalSince1970)
        service.serve(status: 404)
        await setup.refresh()
        service.time.advance(by: .seconds(90))
        (metrics, answer) = await scrape(setup)
        #expect(metrics["fetch_outage_seconds"] == 90)
        #expect(metrics[#"document_pending{kind="rejected"}"#] == 1)
        // A version for other instances is no trouble.
        service.serve(DocumentText.document(3, DocumentText.bundle(), more: #","rollout":{"percent":0}"#))
        outcome = await browser.send("POST", "refresh").json.at("outcome")
        #expect((outcome.at("kind"), outcome.at("isTrouble")) == ("held", false))
        (metrics, answer) = await scrape(setup)
        #expect(metrics[#"document_pending{kind="rejected"}"#] == 0)
        #expect(metrics[#"rollout_ratio{version="3",state="held"}"#] == 0)
        await setup.shutdown(timeout: .zero)
    }

    @Test("without any configuration the state of the document is none")
    func noDocument() async throws {
        service.serve(status: 404)
        let setup = try service.start()
        await service.settled()
        let (metrics, _) = await scrape(setup)
        #expect(metrics["healthy"] == 0)
        #expect(metrics["document_version"] == nil)
        #expect(metrics[#"document_info{version="",state="none",source="\#(Service.url)"}"#] == 1)
        #expect(metrics["trackers"] == 0)
        #expect(metrics.faults == [])
        await setup.shutdown(timeout: .zero)
    }

    @Test("a canary is told with its share and state, and a refresh that finds a reverted one is trouble")
    func canary() async throws {
        let setup = try await start()
        #expect(await scrape(setup).0[#"rollout_state{state="none"}"#] == 1)
        let tracker = try #require(setup.tracker("a"))
        for _ in 0..<20 { await tracker.deliver() }
        let bundle = DocumentText.bundle("a", at: "two.example", #""emitter":{"bufferOption":"Single"}"#)
        service.serve(DocumentText.document(3, bundle, more: #","rollout":{"percent":100,"bakeSeconds":100}"#))
        await setup.refresh()
        let (metrics, _) = await scrape(setup)
        #expect(metrics[#"rollout_state{state="baking"}"#] == 1)
        #expect(metrics[#"rollout_state{state="none"}"#] == 0)
        #expect(metrics[#"rollout_ratio{version="3",state="baking"}"#] == 1)
        #expect(metrics["rollout_included"] == 1)
        service.collector("two.example", answers: 400)
        for _ in 0..<20 { await tracker.deliver() }
        service.time.advance(by: .seconds(5))
        _ = await setup.updater.observeCanary()
        #expect(await scrape(setup).0[#"rollout_ratio{version="3",state="reverted"}"#] == 1)
        let found = await ConsoleBrowser(setup).send("POST", "refresh").json.at("outcome")
        #expect((found.at("kind"), found.at("isTrouble")) == ("held", true))
        await setup.shutdown(timeout: .zero)
    }

    @Test("evaluations are counted by their results, of at most 1,000 features")
    func features() async throws {
        let rules = #"{"rules":[{"id":"pro","condition":{"plan":"pro"},"enabled":true}]}"#
        let features = (0...1000).map { #""f\#($0)":\#(rules)"# }.joined(separator: ",")
        let setup = try await start(more: #","features":{\#(features)}"#)
        let pro = FeatureContext(attributes: ["plan": "pro"])
        for number in 0...1000 { #expect(setup.features.isEnabled("f\(number)", for: pro)) }
        _ = setup.features.isEnabled("f0", for: FeatureContext(userID: "u"))
        try setup.features.overrides.setEnabled(false, for: "f1")
        let (metrics, _) = await scrape(setup)
        #expect(metrics["features"] == 1001)
        // The first one has two results.
        #expect(metrics.count("feature_evaluations_total{") == 1001)
        #expect(metrics[#"feature_evaluations_total{feature="f0",result="targeting_match"}"#] == 1)
        #expect(metrics[#"feature_evaluations_total{feature="f0",result="default"}"#] == 1)
        #expect(metrics["overrides"] == 1)
        #expect(metrics["override_age_seconds"] == 0)
        service.time.advance(by: .seconds(90_000))
        #expect(await scrape(setup).0["override_age_seconds"] == 90_000)
        await setup.shutdown(timeout: .zero)
    }

    @Test("no value of a label can end its line or its quotation")
    func escaped() {
        var text = MetricsText("x: Help.\ny: Help.")
        text.add(Metric("x", 1.5, [("name", "a\"b\\c\nd\u{1}é")]))
        #expect(
            text.text.split(separator: "\n") == [
                "# HELP trackerconfig_x Help.", "# TYPE trackerconfig_x gauge",
                #"trackerconfig_x{name="a\"b\\c\nd\\u{1}é"} 1.5"#,
            ])
    }
}
