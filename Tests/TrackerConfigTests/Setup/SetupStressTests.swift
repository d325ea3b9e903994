import Foundation
import TestSupport
import Testing
import TrackerConfig
import TrackerCore

/// Everything at once.
@Suite("A setup under load", .endsWhenItHangs)
struct SetupStressTests {
    @Test("1,000 refreshes under four trackers and a change of settings: every event arrives once, from one version")
    func stress() async throws {
        let service = Service()
        let version = Locked(0)
        service.transport.respond { request in
            guard request.url.hasPrefix("https://config.example/") else { return .success(HTTPResponse(status: 200)) }
            let next = version.withLock { version in
                version += 1
                return version
            }
            let text = DocumentText.document(
                next,
                DocumentText.bundle(
                    "a", at: "c\(next % 3).example", #""tracker":{"appId":"\#(next)"}"#,
                    #""subject":{"language":"\#(next)"}"#,
                    #""emitter":{"bufferOption":"\#(next % 2 == 0 ? "Single" : "LargeGroup")","threadPoolSize":\#(next % 4 + 1)}"#
                ))
            return .success(HTTPResponse(status: 200, body: Array(text.utf8)))
        }
        let setup = try service.start()
        await service.settled()
        let tracker = try #require(setup.tracker("a"))
        let (isOver, accepted) = (Locked(false), Locked<[String]>([]))
        let threads = (0..<5).map { worker in
            BackgroundThread {
                var own: [String] = []
                var round = 0
                while round < 200 || !isOver.withLock({ $0 }) {
                    round += 1
                    if worker == 4 {
                        tracker.subject.userId = "u\(round)"
                        tracker.emitter.emitRange = round % 50 + 1
                    } else if own.count < 4000 {
                        let id = tracker.track(Structured(category: "worker \(worker)", action: "\(round)"))
                        if let id { own.append(id.description) }
                    }
                }
                accepted.withLock { $0 += own }
            }
        }
        for _ in 1..<1000 {
            guard case .applied = await setup.refresh() else {
                Issue.record("not applied")
                return
            }
            let id = tracker.track(Structured(category: "main", action: "add"))
            if let id { accepted.withLock { $0.append(id.description) } }
        }
        isOver.withLock { $0 = true }
        for thread in threads { await thread.value }
        await tracker.flush()
        let report = await setup.shutdown()
        let (sent, events) = (accepted.withLock { $0 }, service.delivered)
        #expect(sent.count >= 800)
        #expect(Set(sent).count == sent.count)
        #expect(events.map { $0["eid"] ?? "" }.sorted() == sent.sorted())
        #expect(report.short == "sent \(sent.count), stored 0, dropped 0")
        let torn = events.filter { $0["aid"] != $0["lang"] || $0["aid"] == nil }
        #expect(torn.isEmpty)
        #expect(Set(events.map { $0["aid"] }).count >= 999)
        #expect(service.updates.map(\.version) == Array(1...1000))
    }
}

/// A thread whose end can be awaited.
private final class BackgroundThread: Sendable {
    private let ends: AsyncStream<Void>

    init(_ body: @escaping @Sendable () -> Void) {
        let (ends, end) = AsyncStream.makeStream(of: Void.self)
        self.ends = ends
        Thread {
            body()
            end.finish()
        }.start()
    }

    var value: Void {
        get async { for await _ in ends {} }
    }
}
