import Foundation
import TestSupport
import Testing
import TrackerConfig
import TrackerCore
import TrackerTesting

/// Everything at once.
@Suite("A setup under load", .endsWhenItHangs)
struct SetupStressTests {
    @Test(
        "refreshes under four threads that track and one that changes settings: every event arrives once, from one version"
    )
    func stress() async throws {
        let service = Service()
        let version = Locked(0)
        service.transport.respond { request in
            guard request.url.hasPrefix("https://config.example/") else {
                return .success(HTTPTransportResponse(status: 200))
            }
            let next = version.withLock { version in
                version += 1
                return version
            }
            let text = DocumentText.document(
                next,
                DocumentText.bundle(
                    "a", at: "c\(next % 3).example", #""tracker":{"appId":"\#(next)","sessionContext":true}"#,
                    #""subject":{"language":"\#(next)"}"#,
                    #""emitter":{"bufferOption":"\#(next % 2 == 0 ? "Single" : "LargeGroup")","threadPoolSize":\#(next % 4 + 1)}"#
                ))
            return .success(HTTPTransportResponse(status: 200, body: Array(text.utf8)))
        }
        let setup = try await service.started()
        let tracker = try #require(setup.tracker("a"))
        let accepted = Locked<[String]>([])
        let rounds = Search.count(20)
        let turns = (0..<5).map { _ in DispatchSemaphore(value: 0) }
        async let threads: Void = Threads.run(5) { thread in
            for round in 1..<rounds {
                try? turns[thread].wait(until: "the next round begins")
                if thread == 4 {
                    try? tracker.subject.set(\.userID, to: "u\(round)")
                    try? tracker.emitter.set(\.emitRange, to: round % 50 + 1)
                    continue
                }
                for number in 0..<4 {
                    let id = tracker.track(Structured(category: "thread \(thread)", action: "\(round) \(number)"))
                    if let id { accepted.withLock { $0.append(id.description) } }
                }
            }
        }
        var failed = 0
        for _ in 1..<rounds {
            for turn in turns { turn.signal() }
            if await setup.refresh().kind != .applied { failed += 1 }
            let id = tracker.track(Structured(category: "main", action: "add"))
            if let id { accepted.withLock { $0.append(id.description) } }
        }
        await threads
        #expect(failed == 0)
        await tracker.flush()
        let report = await setup.shutdown()
        let (sent, events) = (accepted.withLock { $0 }, service.delivered)
        #expect(Set(sent).count == sent.count)
        #expect(events.map { $0["eid"] ?? "" }.sorted() == sent.sorted())
        #expect(report.short == "sent \(sent.count), stored 0, dropped 0")
        let sessions = service.transport.requests.flatMap(\.payloads).flatMap(\.entities)
        #expect(sessions.compactMap { $0["data"]?["eventIndex"]?.int }.sorted() == Array(1...sent.count))
        let torn = events.filter { $0["aid"] != $0["lang"] || $0["aid"] == nil }
        #expect(torn.isEmpty)
        #expect(Set(events.map { $0["aid"] }).count >= rounds - 1)
        #expect(service.updates.map(\.version) == Array(1...rounds))
    }
}
