import Foundation
import TestSupport
import Testing
import TrackerCore
import TrackerTesting

@testable import TrackerConfig
@testable import TrackerConsole

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

    /// Publishes a document by a signal, and waits until it is applied.
    private func publish(_ version: Int, ahead: TimeInterval, _ setup: Setup) async throws {
        // Behind the pause between two fetches that signals ask for.
        await advance(by: .seconds(60), setup)
        source.memory.publish(Self.document(version))
        source.memory.signal(.changed(version: version, published: service.time.now + ahead))
        try await waitUntil("version \(version) is applied") {
            await advance(by: .milliseconds(1), setup)
            return setup.status.document.version == version
        }
    }

    private func advance(by duration: Duration, _ setup: Setup) async {
        service.time.advance(by: duration)
        await setup.turn(20)
    }

    @Test("a source without signals has no stream, in no view")
    func none() async throws {
        let setup = try await start(streams: false)
        #expect(setup.status.streaming == nil)
        #expect(setup.status.lines.allSatisfy { $0.topic != .fetch })
        let metrics = await scrape(setup)
        #expect(metrics["stream_connected"] == nil && metrics.count("signals_total{") == 0)
        #expect(metrics["propagation_seconds_count"] == 0)
        #expect(metrics["document_stale"] == 0)
        await setup.shutdown(timeout: .zero)
    }

    @Test("an open stream shows since when, its last signal and how many there were")
    func open() async throws {
        let setup = try await start()
        let start = service.time.now
        var streaming = try #require(setup.status.streaming)
        #expect((streaming.connectedSince, streaming.lastSignalTime) == (start, start))
        #expect(!streaming.isFailing && streaming.lastFailure == nil)
        let line = try #require(setup.status.lines.first { $0.topic == .fetch })
        #expect((line.level, line.text, line.since) == (.normal, "Changes are streamed", start))
        service.time.advance(by: .seconds(5))
        let signalled = service.time.now
        source.memory.signal(.changed(version: 1))
        try await waitUntil("the signal is counted") { setup.status.streaming?.signals[.changed] == 1 }
        streaming = try #require(setup.status.streaming)
        #expect((streaming.connectedSince, streaming.lastSignalTime) == (start, signalled))
        #expect(streaming.signals == [.connected: 1, .changed: 1, NamedCode(rawValue: "ignored"): 1])
        let metrics = await scrape(setup)
        #expect(metrics.faults == [])
        #expect(metrics["stream_connected"] == 1)
        #expect(metrics[#"signals_total{kind="ignored"}"#] == 1)
        #expect(metrics[#"signals_total{kind="unreadable"}"#] == 0)
        #expect(metrics.types["trackerconfig_propagation_seconds"] == "histogram")
        // The keys are stable.
        let json = try JSONValue(encoding: streaming, by: JSONEncoder())
        #expect(
            json.object?.members.map(\.name).sorted() == ["connectedSince", "isFailing", "lastSignalTime", "signals"])
        await setup.shutdown(timeout: .zero)
        #expect(setup.status.lines.allSatisfy { $0.topic != .fetch })
    }

    @Test("a stream that is down is a warning with the reason, and a problem while polls fail too")
    func down() async throws {
        let setup = try await start()
        service.time.advance(by: .seconds(100))
        let end = service.time.now
        source.refuse(Self.cut)
        try await waitUntil("the stream is down") { setup.status.streaming?.isFailing == true }
        var streaming = try #require(setup.status.streaming)
        #expect(streaming.connectedSince == nil)
        #expect(streaming.lastFailure?.text == "the connection was reset")
        #expect((streaming.lastFailure?.firstTime, streaming.lastFailure?.count) == (end, 1))
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
            return setup.status.streaming?.lastFailure?.count ?? 0 >= 3
        }
        #expect(try line().since == end)
        source.memory.fail(FetchError(.status, reason: "the server answered 503", status: 503))
        await setup.refresh()
        #expect(try line().level == .problem)
        #expect(try line().text.hasSuffix("the connection was reset; polling fails too"))
        // The last failure stays visible once all is well.
        source.refuse(nil)
        try await waitUntil("the stream is open again") {
            await advance(by: .seconds(1), setup)
            return setup.status.streaming?.connectedSince != nil
        }
        streaming = try #require(setup.status.streaming)
        #expect(!streaming.isFailing)
        #expect(streaming.lastFailure?.firstTime == end)
        let json = try JSONValue(encoding: streaming, by: JSONEncoder())
        #expect(json.at("lastFailure.text") == "the connection was reset")
        #expect(setup.status.lines.contains { $0.level == .normal && $0.text == "Changes are streamed" })
        await setup.shutdown(timeout: .zero)
    }

    // MARK: Propagation

    @Test("the time from publication to application is counted, by the signal or else by the document")
    func propagation() async throws {
        let setup = try await start()
        try await publish(2, ahead: -0.03, setup)
        let first = setup.status.propagation
        #expect(first.count == 1 && first.counts[0...1] == [0, 0] && first.sum >= .milliseconds(29))
        // By the document itself, as a poll finds it.
        let text = service.time.now.ISO8601Format()
        service.time.advance(by: .seconds(40))
        source.memory.publish(Self.document(3, more: #","meta":{"publishedAt":"\#(text)"}"#))
        await setup.refresh()
        let second = setup.status.propagation
        #expect(second.count == 2)
        #expect(second.counts[11] == 1, "between 30 and 60 s: \(second.counts)")
        let metrics = await scrape(setup)
        #expect(metrics["propagation_seconds_count"] == 2)
        #expect(metrics[#"propagation_seconds_bucket{le="60.0"}"#] == 2)
        #expect(metrics[#"propagation_seconds_bucket{le="30.0"}"#] == 1)
        #expect(metrics[#"propagation_seconds_bucket{le="+Inf"}"#] == 2)
        // A clock that is ahead of this one.
        try await publish(4, ahead: 3600, setup)
        let third = setup.status.propagation
        #expect(third.counts[0] == 1 && third.sum == second.sum)
        await setup.shutdown(timeout: .zero)
    }

    @Test(
        "a document without a time, or published before the process followed its source, is not counted",
        arguments: ["", #","meta":{"publishedAt":"2023-11-14T22:13:19Z"}"#, #","meta":{"publishedAt":"soon"}"#])
    func unknown(more: String) async throws {
        let setup = try await start()
        service.time.advance(by: .seconds(10))
        source.memory.publish(Self.document(2, more: more))
        #expect(await setup.refresh().kind == .applied)
        #expect(setup.status.propagation.count == 0)
        await setup.shutdown(timeout: .zero)
    }
}
