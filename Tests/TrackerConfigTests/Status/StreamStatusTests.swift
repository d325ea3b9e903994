import Foundation
import TestSupport
import Testing
import TrackerConfig
import TrackerConsole
import TrackerFeatures
import TrackerTesting

/// What an operator sees of a stream of changes.
@Suite("The status of a stream", .endsWhenItHangs)
struct StreamStatusTests {
    private static let cut = FetchError(.transport, reason: "the connection was reset")

    private let service = Service()
    private let source = UnsteadySource(document(1))

    private static func document(_ version: Int, more: String = "") -> String {
        DocumentText.document(version, DocumentText.bundle(), more: more)
    }

    private func start(streams: Bool = true, every interval: Duration? = .seconds(3600)) async throws -> Setup {
        source.memory.streams = streams
        let setup = try service.start(configure: { $0.source = source }, remote: { $0.pollInterval = interval })
        await service.settled()
        guard streams else { return setup }
        // The connection leads to a fetch of its own.
        try await waitUntil("the stream is open and its fetch is over") {
            let status = setup.status
            let hasFetched = status.fetches.values.reduce(0, +) > 1 && !status.isFetching
            return hasFetched && status.streaming?.connectedSince != nil
        }
        return setup
    }

    private func scrape(_ setup: Setup) async -> Exposition {
        Exposition(await ConsoleBrowser(setup).send("GET", "metrics").text)
    }

    private func advance(by duration: Duration, _ setup: Setup) async {
        service.time.advance(by: duration)
        await setup.turn(20)
    }

    @Test("a source without a stream has none in any view")
    func none() async throws {
        let setup = try await start(streams: false)
        #expect(setup.status.streaming == nil)
        #expect(setup.status.lines.allSatisfy { $0.topic != .fetch })
        let metrics = await scrape(setup)
        #expect(metrics["stream_connected"] == nil && metrics["stream_reconnects_total"] == nil)
        #expect(metrics["document_stale"] == 0)
        await setup.shutdown(timeout: .zero)
    }

    @Test("an open stream shows since when, its last hint and how often it was opened again")
    func open() async throws {
        let setup = try await start()
        let start = service.time.now
        var streaming = try #require(setup.status.streaming)
        #expect((streaming.connectedSince, streaming.lastHintTime) == (start, nil))
        #expect(streaming.outage == nil)
        let line = try #require(setup.status.lines.first { $0.topic == .fetch })
        #expect((line.level, line.text, line.since) == (.normal, "Changes are streamed", start))
        service.time.advance(by: .seconds(5))
        let hinted = service.time.now
        source.memory.hint(ChangeHint(version: 1))
        try await waitUntil("the hint has come") { setup.status.streaming?.lastHintTime == hinted }
        streaming = try #require(setup.status.streaming)
        #expect((streaming.connectedSince, streaming.reconnections) == (start, 0))
        let metrics = await scrape(setup)
        #expect(metrics.faults == [])
        #expect(metrics["stream_connected"] == 1 && metrics["stream_reconnects_total"] == 0)
        // The keys are stable.
        let json = try JSONValue(encoding: streaming, by: JSONEncoder())
        #expect(json.object?.members.map(\.name).sorted() == ["connectedSince", "lastHintTime", "reconnections"])
        await setup.shutdown(timeout: .zero)
        #expect(setup.status.lines.allSatisfy { $0.topic != .fetch })
    }

    @Test("a stream that is down is a warning with the reason, and a problem while polls fail too")
    func down() async throws {
        let setup = try await start()
        service.time.advance(by: .seconds(100))
        let end = service.time.now
        source.refuse(Self.cut)
        try await waitUntil("the stream is down") { setup.status.streaming?.outage != nil }
        let streaming = try #require(setup.status.streaming)
        #expect(streaming.connectedSince == nil)
        #expect(streaming.outage?.text == "the connection was reset")
        #expect((streaming.outage?.firstTime, streaming.outage?.count) == (end, 1))
        func line() throws -> StatusLine {
            try #require(setup.status.lines.first { $0.text.hasPrefix("The stream of changes is down") })
        }
        #expect(try line().text == "The stream of changes is down (1 try): the connection was reset; polling goes on")
        #expect(try (line().level, line().topic, line().since) == (.warning, .fetch, end))
        #expect(await scrape(setup)["stream_connected"] == 0)
        #expect(await ConsoleBrowser(setup).send("GET", "health").json["status"] == "warn")
        // It goes on to fail, and then the polls.
        try await waitUntil("the stream has failed three times") {
            await advance(by: .seconds(1), setup)
            return setup.status.streaming?.outage?.count ?? 0 >= 3
        }
        #expect(try line().since == end)
        source.memory.fail(FetchError(.status, reason: "the server answered 503", status: 503))
        await setup.refresh()
        #expect(try line().level == .problem)
        #expect(try line().text.hasSuffix("the connection was reset; polling fails too"))
        source.refuse(nil)
        try await waitUntil("the stream is open again") {
            await advance(by: .seconds(1), setup)
            return setup.status.streaming?.connectedSince != nil
        }
        #expect(setup.status.streaming?.outage == nil && setup.status.streaming?.reconnections == 1)
        #expect(setup.status.lines.contains { $0.level == .normal && $0.text == "Changes are streamed" })
        await setup.shutdown(timeout: .zero)
    }
}
