import Foundation
import TestSupport
import Testing
import TrackerConfig
import TrackerCore
import TrackerGrowthBook
import TrackerLoopbackServer
import TrackerTesting

@Suite("GrowthBook's server-sent events", .endsWhenItHangs)
struct GrowthBookStreamTests {
    private let site: GrowthBookSite

    init() throws {
        site = try GrowthBookSite()
        site.serve(1)
        site.offerStreams()
    }

    /// A provider whose stream is open.
    private func start(_ configure: (inout GrowthBookOptions) -> Void = { _ in }) async throws -> (
        provider: GrowthBookProvider, changes: AsyncStream<Void>.Iterator, stream: ServedStream,
        streams: AsyncStream<ServedStream>.Iterator
    ) {
        let provider = try site.provider(configure)
        var changes = provider.changes.makeAsyncIterator()
        await changes.next()
        #expect(provider.value == 1)
        var streams = site.streams.makeAsyncIterator()
        let stream = try #require(await streams.next())
        // One request for what has changed until the stream was open.
        try await waitUntil("it is answered") { provider.status.isStreaming && site.requests.count > 1 }
        return (provider, changes, stream, streams)
    }

    @Test("events bring payloads without requests")
    func events() async throws {
        var (provider, changes, stream, _) = try await start()
        let count = site.requests.count
        stream.send("features", #"{"features":{"f":{"defaultValue":2}}}"#)
        await changes.next()
        #expect(provider.value == 2)
        stream.send("other", "{}")
        stream.send("features", #"{"features":{"f":{"defaultValue":3}}}"#)
        await changes.next()
        #expect(provider.value == 3)
        #expect(site.requests.count == count)
    }

    @Test("an event without a payload makes a request, which is unconditional after one with a payload")
    func updated() async throws {
        var (provider, changes, stream, _) = try await start()
        site.serve(2)
        stream.send("features-updated", "{}")
        await changes.next()
        #expect(provider.value == 2)
        // No entity tag belongs to the payload of an event.
        stream.send("features", #"{"features":{"f":{"defaultValue":3}}}"#)
        await changes.next()
        #expect(provider.value == 3)
        stream.send("features-updated", "{}")
        await changes.next()
        #expect(provider.value == 2)
        #expect(site.requests.last?.header("If-None-Match") == nil)
    }

    @Test("an event with the payload in effect leaves the entity tag and the cache file as they are")
    func sameEvent() async throws {
        let path = site.directory.file("growthbook.json")
        let (provider, changes, stream, _) = try await start { $0.cacheFile = path }
        func number() throws -> Int? {
            // A file that is written has another number, as it replaces the old one.
            try FileManager.default.attributesOfItem(atPath: path)[.systemFileNumber] as? Int
        }
        let (written, count) = (try number(), site.requests.count)
        stream.send("features", #"{"features":{"f":{"defaultValue":1}}}"#)
        stream.send("features-updated", "{}")
        try await waitUntil("the second event has made a request") { site.requests.count > count }
        #expect(site.requests.last?.header("If-None-Match") == "\"1\"")
        #expect(try number() == written)
        withExtendedLifetime((provider, changes)) {}
    }

    @Test("a stream that drops is opened anew after a request, and requests go on while it is down")
    func drops() async throws {
        var (provider, changes, stream, streams) = try await start()
        site.serve(2)
        stream.end()
        // The pause after a first failure is at most a second.
        await site.time.waitForSleep(in: .zero ... .seconds(1))
        #expect(!provider.status.isStreaming)
        site.time.advance(by: .seconds(1))
        await changes.next()
        #expect(provider.value == 2)
        let next = try #require(await streams.next())
        next.send("features", #"{"features":{"f":{"defaultValue":3}}}"#)
        while provider.value != 3, await changes.next() != nil {}
    }

    @Test("an event that is no payload keeps the last one, and one that is too large ends the stream")
    func lies() async throws {
        var (provider, changes, stream, _) = try await start()
        stream.send("features", "<html>")
        await changes.next()
        #expect(provider.load().value == 1)
        #expect(provider.status.lastFailure?.code == .payload)
        #expect(provider.status.isStreaming)
        stream.put("data: \(String(repeating: "x", count: 9 << 20))")
        await changes.next()
        #expect(
            provider.load().notes == [
                "the stream of events \(site.stream) has an event larger than 8388608 bytes; the last payload stays in effect"
            ])
        #expect(provider.status.lastFailure?.code == .stream)
    }

    @Test("a server that offers a stream and has none is asked at the interval, and the failure is reported once")
    func missing() async throws {
        site.offerStreams(hasStreams: false)
        let provider = try site.provider()
        var changes = provider.changes.makeAsyncIterator()
        await changes.next()
        try await waitUntil("the stream has failed") { provider.status.lastFailure?.code == .stream }
        #expect(provider.load().notes.count == 1)
        for _ in 0..<3 { await site.poll() }
        #expect(provider.value == 1)
        #expect(!provider.status.isStreaming)
    }

    @Test("no stream is opened if the server offers none, or if it is switched off", arguments: [true, false])
    func off(isOffered: Bool) async throws {
        let site = try GrowthBookSite()
        site.serve(1)
        if isOffered { site.offerStreams() }
        let provider = try site.provider { if isOffered { $0.usesStreaming = false } }
        var changes = provider.changes.makeAsyncIterator()
        await changes.next()
        await site.poll()
        #expect(site.requests.count == 2)
        #expect(!provider.status.isStreaming)
        #expect(provider.status.lastFailure == nil)
    }
}
