import TestSupport
import Testing

@testable import TrackerCore

@Suite("fallback collectors", .endsWhenItHangs)
struct FallbackTests {
    private let rig = Rig()

    private func tracker() async throws -> Tracker {
        try await rig.tracker {
            $0.network = NetworkConfiguration {
                $0.endpoint = "https://one.example"
                $0.fallbackEndpoints = ["two.example", "https://three.example"]
            }
        }
    }

    /// Lets the collectors of some hosts fail.
    private func fail(_ hosts: String...) {
        rig.transport.respond { request in
            .success(HTTPTransportResponse(status: hosts.contains { request.url.contains("//\($0).") } ? 503 : 200))
        }
    }

    private var hosts: [String] {
        rig.transport.requests.map { String($0.url.dropFirst("https://".count).prefix { $0 != "." }) }
    }

    @Test("after three failures in a row the next collector is used, at once, and its success is not held back")
    func fallsBack() async throws {
        let tracker = try await tracker()
        fail("one")
        for number in 1...3 {
            tracker.track(number...number)
            _ = await tracker.settledCounters()
            await tracker.flush(timeout: .zero)
            await rig.transport.waitForRequests(number)
        }
        await tracker.flush(timeout: .seconds(60))
        #expect(hosts == ["one", "one", "one", "two"])
        #expect(tracker.counters.sent == 3 && tracker.counters.stored == 0)
        tracker.track(4...4)
        await tracker.flush()
        #expect(hosts.last == "two")
    }

    @Test("a URL that cannot be used is refused with its place")
    func refusesURLs() async throws {
        let tracker = try await tracker()
        let error = #expect(throws: ConfigurationError.self) {
            try tracker.network.set(\.fallbackEndpoints, to: ["two.example", "ftp://x"])
        }
        #expect(error?.place == "network.fallbackEndpoints[1]")
        #expect(tracker.network.fallbackEndpoints == ["two.example", "https://three.example"])
    }

    @Test("the choice goes round, probes the first each minute, and returns to it after a success")
    func chooses() {
        var choice = CollectorChoice()
        func pass(_ hasFailed: Bool, at uptime: Int) -> (index: Int, goesOn: Bool) {
            let index = choice.next(of: 3, at: .seconds(uptime))
            return (index, choice.passEnded(index, hasFailed: hasFailed, count: 3, at: .seconds(uptime)))
        }
        for _ in 1...2 { #expect(pass(true, at: 0) == (0, false)) }
        #expect(pass(false, at: 0) == (0, true))
        for _ in 1...2 { #expect(pass(true, at: 0) == (0, false)) }
        #expect(pass(true, at: 0) == (0, true))
        #expect(pass(false, at: 59) == (1, true))
        #expect(pass(true, at: 60) == (0, true))
        #expect(pass(false, at: 61) == (1, true))
        for _ in 1...2 { #expect(pass(true, at: 62) == (1, false)) }
        #expect(pass(true, at: 62) == (1, true))
        #expect(pass(false, at: 63) == (2, true))
        #expect(pass(false, at: 122) == (0, true))
        #expect(pass(false, at: 123) == (0, true))
        // Fewer collectors than before.
        for _ in 1...3 { _ = pass(true, at: 124) }
        let only = choice.next(of: 1, at: .seconds(124))
        #expect(only == 0)
    }
}
