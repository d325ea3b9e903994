import InMemoryTracing
import IntegrationTesting
import Synchronization
import Testing
import Tracing
import TrackerConfig
import TrackerFeatures
import TrackerTesting
import TrackerTracing

/// A tracer in memory whose contexts are written as W3C Trace Context has it.
private struct W3CTracer: Tracer {
    let memory: InMemoryTracer

    init() {
        let (traces, spans) = (Counter(digits: 32), Counter(digits: 16))
        memory = InMemoryTracer(idGenerator: .init(nextTraceID: traces.next, nextSpanID: spans.next))
    }

    func startSpan<Instant: TracerInstant>(
        _ operationName: String, context: @autoclosure () -> ServiceContext, ofKind kind: SpanKind,
        at instant: @autoclosure () -> Instant, function: String, file fileID: String, line: UInt
    ) -> InMemorySpan {
        memory.startSpan(
            operationName, context: context(), ofKind: kind, at: instant(), function: function, file: fileID, line: line
        )
    }

    func forceFlush() {}

    func extract<Carrier, Extract: Extractor>(
        _ carrier: Carrier, into context: inout ServiceContext, using extractor: Extract
    ) where Extract.Carrier == Carrier {}

    func inject<Carrier, Inject: Injector>(
        _ context: ServiceContext, into carrier: inout Carrier, using injector: Inject
    ) where Inject.Carrier == Carrier {
        guard let span = context.inMemorySpanContext else { return }
        injector.inject("00-\(span.traceID)-\(span.spanID)-01", forKey: "traceparent", into: &carrier)
    }

    private final class Counter: Sendable {
        private let digits: Int
        private let count = Mutex(0)

        init(digits: Int) {
            self.digits = digits
        }

        func next() -> String {
            let number = count.withLock { count in
                count += 1
                return count
            }
            let text = String(number, radix: 16)
            return String(repeating: "0", count: digits - text.count) + text
        }
    }
}

@Suite("TraceContext", .timeLimit(.minutes(10)))
struct TraceContextTests {
    private static let trace = "4bf92f3577b34da6a3ce929d0e0e4736"
    private static let span = "00f067aa0ba902b7"

    @Test("a traceparent is read")
    func valid() throws {
        let context = try #require(TraceContext(traceParent: "00-\(Self.trace)-\(Self.span)-01"))
        #expect(context.traceID == Self.trace)
        #expect(context.spanID == Self.span)
        #expect(context.isSampled)
        #expect(TraceContext(traceParent: "00-\(Self.trace)-\(Self.span)-00")?.isSampled == false)
        // Of a later version, which may have more.
        #expect(TraceContext(traceParent: "01-\(Self.trace)-\(Self.span)-03-more")?.isSampled == true)
    }

    @Test(
        "what is no traceparent is refused",
        arguments: [
            "", "00", "00-\(trace)-\(span)", "ff-\(trace)-\(span)-01", "00-\(trace)-\(span)-01-more",
            "00-\(trace.uppercased())-\(span)-01", "00-00000000000000000000000000000000-\(span)-01",
            "00-\(trace)-0000000000000000-01", "00-\(trace)-\(span)-1", "00-\(trace)0-\(span)-01",
            "0x-\(trace)-\(span)-01",
        ])
    func invalid(text: String) {
        #expect(TraceContext(traceParent: text) == nil)
    }

    @Test("each event has the trace and the span in which it was tracked, and none outside of a trace")
    func events() async throws {
        let service = try TestService()
        service.tracker.add(.traceContext)
        let tracer = W3CTracer()
        await withTracer(tracer) {
            await withTaskGroup(of: Void.self) { group in
                for number in 0..<50 {
                    group.addTask {
                        withSpan("request") { span in
                            let trace = TraceContext.current?.traceID
                            service.tracker.track(
                                Structured(category: "request", action: trace ?? "none", label: "\(number)"))
                        }
                    }
                }
            }
        }
        service.tracker.track(Structured(category: "request", action: "outside"))
        await service.setup.shutdown()
        let events = service.collector.events
        #expect(events.count == 51)
        var traces: Set<String> = []
        for event in events {
            if event.name == "outside" {
                #expect(event.entities.isEmpty)
            } else {
                #expect(event.entities.count == 1)
                let trace = try #require(event.entity("trace_context"))
                #expect(trace["traceId"]?.string == event.name)
                #expect(trace["spanId"]?.string?.count == 16)
                #expect(trace["sampled"] == true)
                traces.insert(event.name)
            }
        }
        #expect(traces.count == 50)
    }
}

@Suite("TracedSource", .timeLimit(.minutes(10)))
struct TracedSourceTests {
    @Test("each fetch has a span with its result, without secrets of the URL")
    func fetches() async throws {
        let tracer = W3CTracer()
        let source = DocumentSource()
        let traced = TracedSource(source, url: "https://me:secret@config.example.com:8443/a@b.json?token=secret#x")
        try await withTracer(tracer) {
            await #expect(throws: FetchError.self) { try await traced.fetch(nil) }
            source.serve(1)
            _ = try await traced.fetch(nil)
        }
        let spans = tracer.memory.finishedSpans
        #expect(spans.map(\.operationName) == ["fetch configuration", "fetch configuration"])
        #expect(spans.allSatisfy { $0.kind == .client && $0.parentSpanID == nil })
        for span in spans {
            #expect(span.attributes.get("url.full") == .string("https://config.example.com:8443/a@b.json"))
        }
        #expect(spans[0].attributes.get("trackerconfig.fetch.result") == .string("status"))
        #expect(spans[0].attributes.get("http.response.status_code") == .int64(404))
        #expect(spans[0].errors.count == 1)
        #expect(spans[0].status?.code == .error)
        #expect(spans[1].attributes.get("trackerconfig.fetch.result") == .string("document"))
        #expect(spans[1].status == nil)
    }

    @Test("a setup's fetches are traced")
    func setup() async throws {
        let tracer = W3CTracer()
        try await withTracer(tracer) {
            let source = DocumentSource()
            source.serve(1)
            let service = try TestService {
                $0.source = TracedSource(source, url: "https://config.example.com/shop.json")
            }
            await service.setup.refresh()
            await service.setup.shutdown(timeout: .zero)
        }
        #expect(!tracer.memory.finishedSpans.isEmpty)
    }
}

@Suite("Evaluation attributes", .timeLimit(.minutes(10)))
struct EvaluationAttributesTests {
    private func recorded<Value>(
        _ detail: EvaluationDetail<Value>, variable: String?, for context: FeatureContext? = nil
    ) throws -> SpanAttributes {
        let tracer = W3CTracer()
        withTracer(tracer) {
            withSpan("request") { $0.recordEvaluation(detail, of: "checkout", variable: variable, for: context) }
        }
        let event = try #require(tracer.memory.finishedSpans.first?.events.first)
        #expect(event.name == "feature_flag.evaluation")
        return event.attributes
    }

    @Test("an experiment's variant, the reason and the unit are recorded, and the value is not")
    func variant() throws {
        let text = """
            {
              "features": { "checkout": { "enabled": true, "rules": [{ "id": "r", "experiment": "e" }] } },
              "experiments": [{ "id": "e", "variants": [{ "name": "a", "values": { "checkout": { "retryLimit": 77 } } }] }]
            }
            """
        let features = Features(try ProvidedFeatures(json: Array(text.utf8)).features)
        let context = FeatureContext(userID: "u-1")
        let detail = features.detail("checkout", variable: "retryLimit", default: 3, for: context)
        let attributes = try recorded(detail, variable: "retryLimit", for: context)
        let expected: [String: SpanAttribute] = [
            "feature_flag.key": .string("checkout.retryLimit"), "feature_flag.provider.name": .string("tracker-config"),
            "feature_flag.result.reason": .string("split"), "feature_flag.result.variant": .string("a"),
            "feature_flag.context.id": .string("u-1"),
        ]
        #expect(attributes.count == expected.count)
        for (key, value) in expected { #expect(attributes.get(key) == value, "\(key)") }
    }

    @Test("the document's version and errors are recorded")
    func documentAndError() throws {
        let remote = EvaluationDetail(value: true, source: .remote(version: 4))
        let attributes = try recorded(remote, variable: nil)
        #expect(attributes.get("feature_flag.key") == .string("checkout"))
        #expect(attributes.get("feature_flag.version") == .string("4"))
        #expect(attributes.get("feature_flag.result.reason") == .string("static"))
        let error = FeatureError(.wrongType, place: "checkout.retryLimit", reason: "expected an integer, found a text")
        let failed = EvaluationDetail(value: 3, source: .fallback, reason: .error, error: error)
        let errorAttributes = try recorded(failed, variable: "retryLimit")
        #expect(errorAttributes.get("error.type") == .string("type_mismatch"))
        #expect(
            errorAttributes.get("feature_flag.error.message") == .string("expected an integer, found a text"))
    }
}
