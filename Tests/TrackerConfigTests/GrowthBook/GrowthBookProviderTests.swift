import Foundation
import TestSupport
import Testing
import TrackerConfig
import TrackerFeatures
import TrackerGrowthBook
import TrackerLoopbackServer
import TrackerTesting

@Suite("The provider of GrowthBook's features", .endsWhenItHangs)
struct GrowthBookProviderTests {
    private let site: GrowthBookSite

    init() throws { site = try GrowthBookSite() }

    @Test("the payload is fetched when changes are followed, then at an interval, and only if it is another one")
    func polls() async throws {
        site.serve(1)
        let provider = try site.provider { $0.headers = [HTTPHeader(name: "Authorization", value: "secret")] }
        #expect(provider.load().features.isEmpty)
        #expect(site.requests.isEmpty)
        var changes = provider.changes.makeAsyncIterator()
        await changes.next()
        #expect(provider.value == 1)
        await site.time.waitForSleep(in: .seconds(54) ... .seconds(66))
        site.serve(2)
        site.time.advance(by: .seconds(66))
        await changes.next()
        #expect(provider.value == 2)
        await site.poll()
        #expect(provider.status.lastSuccess == site.time.now)
        let requests = site.requests
        #expect(requests.map { $0.header("If-None-Match") } == [nil, "\"1\"", "\"2\""])
        #expect(requests.allSatisfy { $0.path == GrowthBookSite.path && $0.header("Authorization") == "secret" })
    }

    @Test("a server without entity tags makes no change as long as the payload is the same")
    func untagged() async throws {
        site.reply(.response(status: 200, body: Array(#"{"features":{"f":{"defaultValue":1}}}"#.utf8)))
        let provider = try site.provider()
        let changes = Locked(0)
        let reader = Task { for await _ in provider.changes { changes.withLock { $0 += 1 } } }
        try await waitUntil("the payload is there") { provider.value == 1 }
        await site.poll()
        await site.poll()
        site.serve(2)
        await site.poll()
        try await waitUntil("the other payload is a change") { provider.value == 2 && changes.withLock { $0 > 1 } }
        #expect(changes.withLock { $0 } == 2)
        reader.cancel()
    }

    private static let endless = ServerReply.stream(status: 200) { writer in
        while writer.write(Array(repeating: 0x20, count: 100_000)) {}
    }

    private static func text(_ text: String) -> ServerReply { .response(status: 200, body: Array(text.utf8)) }

    @Test("the client's key is in no error, wherever a redirect has it")
    func hidesKey() async throws {
        site.serve(1)
        let provider = try site.provider()
        var changes = provider.changes.makeAsyncIterator()
        await changes.next()
        site.reply(.response(status: 302, headers: [("Location", "/sub/sdk-1?of=sdk-1")]))
        await site.poll()
        let note = try #require(provider.load().notes.first)
        #expect(note.contains("/sub/***?of=*** after 1 redirect") && !note.contains("sdk-1"), "\(note)")
    }

    @Test(
        "what is no payload keeps the last good one, is reported once and counted",
        arguments: [
            (
                text("<html><body>Bad gateway</body></html>"), NamedCode<FetchError>.payload,
                "/api/features/***: the response is not JSON, it begins with \"<html>\"; is a proxy in between?"
            ),
            (text(#"{"features":{"f":{"defau"#), .payload, "the payload cannot be used: "),
            (text(#"{"features":{"f":7}}"#), .payload, "features.f: expected an object, found a number"),
            (text(#"{"encryptedFeatures":"a.b"}"#), .decryption, "no closure to decrypt it is set"),
            (.response(status: 500), .status, "/api/features/***: status 500"),
            (.drop, .transport, "cannot fetch http://127.0.0.1:"),
            (endless, .tooLarge, "larger than 8388608 bytes"),
        ])
    func lies(reply: ServerReply, code: NamedCode<FetchError>, reason: String) async throws {
        site.serve(1)
        let provider = try site.provider()
        var changes = provider.changes.makeAsyncIterator()
        await changes.next()
        #expect(provider.load().notes.isEmpty)
        await site.time.waitForSleepers()
        site.reply(reply)
        site.time.advance(by: .seconds(66))
        await changes.next()
        let loaded = provider.load()
        #expect(loaded.value == 1)
        #expect(loaded.notes.count == 1)
        #expect(loaded.notes.first?.contains(reason) == true)
        #expect(loaded.notes.first?.hasSuffix("; the last payload stays in effect") == true)
        await site.poll()
        #expect(provider.load().notes.isEmpty)
        #expect(provider.status.lastFailure?.code == code)
        // After a success the next failure is news.
        site.serve(2)
        await site.poll()
        #expect(provider.value == 2)
        #expect(provider.status.lastFailure == nil)
        site.reply(reply)
        await site.poll()
        #expect(provider.load().notes.count == 1)
    }

    @Test("the warnings of a payload are returned once, and those of the next only if they are new")
    func warnings() async throws {
        site.serve(#"{"features":{"f":{"rules":[{"force":1,"foo":1}]}}}"#)
        let provider = try site.provider()
        var changes = provider.changes.makeAsyncIterator()
        await changes.next()
        #expect(provider.load().warnings.map(\.place) == ["features.f.rules[0].foo"])
        #expect(provider.load().warnings.isEmpty)
        site.serve(#"{"features":{"f":{"rules":[{"force":2,"foo":1},{"force":1,"coverage":"x"}]}}}"#)
        await site.poll()
        #expect(provider.load().warnings.map(\.place) == ["features.f.rules[1].coverage"])
    }

    @Test("features read a provider's values, log its failures, and stop its requests when they are released")
    func inFeatures() async throws {
        site.serve(1)
        let provider = try site.provider()
        var options = FeatureOptions()
        options.providers = [provider]
        var features: Features? = Features(options: options, log: site.log)
        var values = features?.changes(of: "f", variable: "value", as: Int.self).makeAsyncIterator()
        #expect(await values?.next()?.new == 1)
        #expect(features?.isEnabled("f") == true)
        #expect(features?.detail("f", variable: "value", default: 0).source == .provider("growthbook"))
        site.reply(.response(status: 503))
        await site.poll()
        let line = "/api/features/***: status 503; the last payload stays in effect"
        try await waitUntil("the failure is logged") { site.log.contains(line) }
        site.serve(2)
        await site.poll()
        #expect(await values?.next()?.new == 2)
        values = nil
        features = nil
        try await waitUntil("the provider's requests have ended") { site.time.pendingSleeps.isEmpty }
    }

    @Test("a source that cannot be used is an error", arguments: ["", "ftp://x.example/a", "https://"])
    func unusable(source: String) {
        #expect(throws: ConfigurationError.self) { try GrowthBookProvider(source: source) }
    }
}
