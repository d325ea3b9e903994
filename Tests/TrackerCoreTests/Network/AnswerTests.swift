import TestSupport
import Testing
import TrackerCore
import TrackerLoopbackServer
import TrackerPlatform
import TrackerTesting

/// What is said of a request that something between the service and its collector answers.
@Suite("Answers of collectors and proxies", .endsWhenItHangs, .mayBlock)
struct AnswerTests {
    /// Tracks an event and waits for the end of a request; the event stays.
    private static func lastResponse(from endpoint: String, method: NetworkConfiguration.Method = .post) async throws
        -> String?
    {
        let network = NetworkConfiguration { ($0.endpoint, $0.method) = (endpoint, method) }
        let pipeline = EventPipeline(stateDirectory: nil)
        let tracker = try Tracker(ConfigurationBundle(namespace: "ns", network: network), pipeline: pipeline)
        tracker.track(1...1)
        try await waitUntil("a request has ended") { await tracker.status.lastResponse != nil }
        let response = await tracker.status.lastResponse
        #expect(tracker.counters.delivery == Delivery(sent: 0, stored: 1))
        await pipeline.shutdown(timeout: .zero)
        return response
    }

    @Test("a failure names the server, and a redirect its target, without secrets")
    func redirect() async throws {
        let server = try LoopbackServer { _ in
            .response(status: 301, headers: [("Location", "https://user:word@c.example/x?token=a")])
        }
        let target = "a redirect to https://***@c.example/x?token=***"
        let endpoint = "http://user:word@127.0.0.1:\(server.port)"
        #expect(
            try await Self.lastResponse(from: endpoint)
                == "127.0.0.1:\(server.port) answered 301, \(target)")
        #expect(
            try await Self.lastResponse(from: endpoint, method: .get)
                == "127.0.0.1:\(server.port) answered 301, \(target)")
    }

    @Test("a proxy that refuses a request is named, and its answer drops no event")
    func proxy() async {
        await #expect(processExitsWith: .success) {
            let status = Locked(407)
            let server = try LoopbackServer { _ in .response(status: status.withLock { $0 }) }
            for name in ["http_proxy", "https_proxy"] { setenv(name, server.url, 1) }
            for name in ["no_proxy", "NO_PROXY"] { unsetenv(name) }
            let sentence = "the proxy answered 407: its URL needs a user and a password"
            #expect(try await Self.lastResponse(from: "http://collector.example.invalid") == sentence)
            #expect(try await Self.lastResponse(from: "https://collector.example.invalid") == sentence)
            status.exchange(403)
            let response = try await Self.lastResponse(from: "https://collector.example.invalid")
            #expect(response == "the proxy answered 403")
        }
    }
}
