import TestSupport
import Testing
import TrackerCore
import TrackerTesting

@Suite("The durations of requests", .endsWhenItHangs)
struct DurationHistogramTests {
    @Test("a pipeline measures from the request to its end, also if it fails")
    func measured() async throws {
        let rig = Rig()
        let tracker = try await rig.tracker()
        rig.transport.hold()
        tracker.track(1...1)
        let flush = Task { await tracker.flush(timeout: .seconds(60)) }
        let held = await rig.transport.next()
        rig.time.advance(by: .milliseconds(40))
        held.answer(400)
        _ = await flush.value
        #expect(tracker.requestDurations(ofFailures: true).counts[3] == 1)
        #expect(tracker.requestDurations(ofFailures: true).counts.reduce(0, +) == 1)
        #expect(tracker.requestDurations(ofFailures: false).counts.allSatisfy { $0 == 0 })
        #expect(tracker.counters.requestsByCode == ["400": 1])
    }

    @Test("requests are counted by 32 codes at most: the status, or the code of the failure")
    func codes() {
        let emitter = NamespaceEmitter(namespace: "a", index: 0)
        let cut = HTTPTransportError(.timeout, reason: "the body did not come", status: 200)
        emitter.countEnd(of: .failure(cut), after: .zero)
        emitter.countEnd(of: .failure(HTTPTransportError(.timeout, reason: "no answer")), after: .zero)
        for status in 500..<600 { emitter.countEnd(of: .success(HTTPTransportResponse(status: status)), after: .zero) }
        let codes = emitter.counters.requestsByCode
        #expect((codes["200"], codes["timeout"], codes["529"], codes["530"]) == (1, 1, 1, nil))
        #expect(codes["other"] == 70)
        #expect(codes.count == 33)
        emitter.countEnd(of: .success(HTTPTransportResponse(status: 529)), after: .zero)
        #expect(emitter.counters.requestsByCode["529"] == 2)
    }
}
