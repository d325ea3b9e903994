import Foundation
import TestSupport
import Testing
import TrackerConfig
import TrackerCore
import TrackerTesting

/// A document's trackers and its features change at one instant for each event.
@Suite("Trackers and features of one event", .endsWhenItHangs)
struct OneInstantTests {
    /// A log that runs code of the test at the lines with a text, between the changes of two trackers or of the trackers
    /// and the features.
    private final class Interruption: LogSink {
        private let text: String
        private let body: @Sendable () -> Void

        init(at text: String, _ body: @escaping @Sendable () -> Void) {
            (self.text, self.body) = (text, body)
        }

        func log(_ record: LogRecord) {
            if record.message.contains(text) { body() }
        }
    }

    private static let lineOfMove = "request headers are not sent"

    private let service = Service()
    private let setups = Locked<Setup?>(nil)

    private func bundle(_ namespace: String, _ version: Int) -> String {
        DocumentText.bundle(
            namespace, at: "v\(version).example", #""tracker":{"appId":"v\#(version)","base64encoding":false}"#)
    }

    private func serve(_ version: Int, _ namespaces: String...) {
        service.serve(DocumentText.document(version, namespaces.map { bundle($0, version) }.joined(separator: ",")))
    }

    /// Starts with version 1 of the namespace `a`, whose collector's change is logged while a document is applied.
    private func start(log: any LogSink) async throws -> Setup {
        serve(1, "a")
        let code = ConfigurationBundle(
            namespace: "a",
            network: NetworkConfiguration {
                $0.endpoint = "v1.example"
                $0.requestHeaders = [HTTPHeader(name: "X-Key", value: "k")]
            })
        let setup = try await service.started(
            default: [code],
            configure: {
                $0.log = log
                $0.experiments.entityNamespaces = ["a", "b"]
            })
        setups.exchange(setup)
        return setup
    }

    /// Of each event the version of its settings and of its entity, which names none if it is missing.
    private func versions(_ setup: Setup) async -> [String] {
        for namespace in setup.namespaces { await setup.tracker(namespace)?.flush() }
        await setup.shutdown(timeout: .seconds(5))
        _ = setups.exchange(nil)
        return service.delivered.map { event in
            let text = event["co"] ?? ""
            let version = text.range(of: #""data":{"version":"#).map { text[$0.upperBound...].prefix { $0 != "," } }
            return "\(event["se_ac"] ?? ""): \(event["aid"] ?? "none") with \(version ?? "none")"
        }
    }

    private static func track(_ action: String, _ namespace: String, _ setup: Setup?) {
        setup?.tracker(namespace)?.track(Structured(category: "c", action: action))
    }

    @Test("an event between a tracker's change and the features' carries the new version in both places")
    func between() async throws {
        let setup = try await start(
            log: Interruption(at: Self.lineOfMove) { [setups] in
                Self.track("between", "a", setups.withLock { $0 })
            })
        Self.track("before", "a", setup)
        serve(2, "a")
        #expect(await setup.refresh().kind == .applied)
        Self.track("after", "a", setup)
        #expect(await versions(setup) == ["before: v1 with 1", "between: v2 with 2", "after: v2 with 2"])
    }

    @Test("the first event of a tracker that a document adds carries the version")
    func added() async throws {
        let setup = try await start(
            log: Interruption(at: Self.lineOfMove) { [setups] in
                Self.track("first", "b", setups.withLock { $0 })
            })
        serve(2, "b", "a")
        #expect(await setup.refresh().kind == .applied)
        #expect(await versions(setup) == ["first: v2 with 2"])
    }

    @Test("an event during which a document is applied is wholly of the version that it began with")
    func during() async throws {
        let setup = try await start(log: MemoryLog())
        let hasApplied = Locked(false)
        // After the setup's own entity, whose version is fixed by then.
        setup.tracker("a")?.addGlobalEntities(tag: "test") { [setups] _ in
            let setup = setups.withLock { $0 }
            guard let setup, !hasApplied.exchange(true) else { return [] }
            let isApplied = DispatchSemaphore(value: 0)
            Task.detached {
                await setup.refresh()
                isApplied.signal()
            }
            try? isApplied.wait(until: "the document is applied")
            return []
        }
        serve(2, "a")
        await Threads.run { Self.track("during", "a", setup) }
        Self.track("after", "a", setup)
        #expect(await versions(setup) == ["during: v1 with 1", "after: v2 with 2"])
    }

    @Test("an event that began before its tracker became anonymous leaves no session to those after it")
    func anonymity() async throws {
        serve(1, "a")
        let setup = try await service.started()
        let tracker = try #require(setup.tracker("a"))
        try tracker.settings.set(\.sessionContext, to: true)
        tracker.addGlobalEntities(tag: "test") { [weak tracker] _ in
            try? tracker?.settings.set(\.userAnonymisation, to: true)
            return []
        }
        tracker.track(Structured(category: "c", action: "during"))
        let during = tracker.session.id
        tracker.track(Structured(category: "c", action: "after"))
        #expect(during != nil)
        #expect(tracker.session.id != during)
        await setup.shutdown(timeout: .zero)
    }
}
