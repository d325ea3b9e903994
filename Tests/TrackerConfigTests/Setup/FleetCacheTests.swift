import Foundation
import TestSupport
import Testing
import TrackerCore
import TrackerTesting

@testable import TrackerConfig

/// A cache of the service's own, which has to be waited for.
@Suite("A cache on a network", .endsWhenItHangs)
struct FleetCacheTests {
    private let service = Service()
    private let cache = FleetCache()
    private let bundle = ConfigurationBundle(namespace: "d", network: NetworkConfiguration(endpoint: "c.example"))
    private let delay = "cache: the cache cannot be read: no answer within 1.0 seconds"
    private let outage = "cache: the document was applied but not cached: the cache is down"

    private func entry(_ version: Int, url: String = Service.url, more: String = "") -> CacheEntry {
        CacheEntry(
            url: url, version: version,
            document: Array(DocumentText.document(version, DocumentText.bundle(), more: more).utf8),
            validators: DocumentValidators(entityTag: "tag \(version)"),
            fetchTime: Date(timeIntervalSince1970: 1_700_000_000))
    }

    private func serve(_ version: Int) {
        service.serve(DocumentText.document(version, DocumentText.bundle()))
    }

    private func cached(_ options: inout SetupOptions) { options.cache = cache }

    /// Lets what waits for so long reach its end.
    private func pass(_ duration: Duration) async {
        await service.time.waitForSleep(in: duration...duration)
        service.time.advance(by: duration)
    }

    private func waitForLog(_ text: String) async throws {
        try await waitUntil("the log has '\(text)'") { service.log.contains(text) }
    }

    private func waitForVersions(_ versions: [Int]) async throws {
        try await waitUntil("the cache has the versions \(versions)") { cache.versions() == versions }
    }

    private var warnings: [[String]] { service.updates.map { $0.warnings.map(\.description) } }

    @Test("is waited for by the first fetch; until then the default is in use")
    func starts() async throws {
        cache.set(entry(2))
        cache.gate.hold()
        serve(3)
        let setup = try service.start(default: [bundle], configure: cached)
        #expect(service.trace == [#"default nil ["d"]"#])
        await cache.gate.wait(forCalls: 1)
        await setup.turn(10)
        #expect(service.fetches.isEmpty)
        cache.gate.release()
        await service.settled()
        #expect(
            service.trace == [
                #"default nil ["d"]"#, #"cached 2 ["a"]"#, #"fetched 3 ["a"]"#, #"applied 3 ["a"]"#,
            ])
        #expect(try #require(service.fetches.first).headers.contains(HTTPHeader(name: "If-None-Match", value: "tag 2")))
        #expect(warnings == [[], [], []])
        #expect(setup.status.document.since == service.time.now)
        await setup.shutdown(timeout: .zero)
        #expect(cache.versions() == [3, 2])
        #expect(cache.gate.maxActive == 1)
    }

    @Test(
        "that hangs at the start delays the first fetch by the timeout; its late document is not applied over another")
    func hangs() async throws {
        cache.set(entry(2))
        cache.gate.hold()
        serve(1)
        let setup = try service.start(configure: cached)
        await cache.gate.wait(forCalls: 1)
        #expect(service.fetches.isEmpty)
        await pass(.seconds(1))
        #expect(await service.settled().short == #"applied 1 ["a"]"#)
        #expect(warnings == [[delay]])
        #expect(service.log.contains("no answer within 1.0 seconds"))
        cache.gate.release()
        try await waitForVersions([2])
        // The store of version 1 comes after the load, and leaves the higher version before it.
        await cache.gate.wait(forCalls: 2)
        await setup.shutdown(timeout: .zero)
        #expect(service.trace == [#"fetched 1 ["a"]"#, #"applied 1 ["a"]"#])
        #expect(cache.versions() == [2, 1])
    }

    @Test("that answers late still gives its document if no other one was applied")
    func late() async throws {
        cache.set(entry(2))
        cache.gate.hold()
        service.serve(status: 500)
        let setup = try service.start(
            default: [bundle],
            configure: { options in
                cached(&options)
                options.cacheTimeout = .seconds(3)
            })
        await cache.gate.wait(forCalls: 1)
        await pass(.seconds(3))
        await service.settled()
        cache.gate.release()
        try await waitUntil("the cached document is applied") { service.updates.count == 2 }
        #expect(service.trace == [#"default nil ["d"]"#, "failed status(500)", #"cached 2 ["a"]"#])
        await setup.shutdown(timeout: .zero)
    }

    @Test("that fails is a warning and a line in the log, at the start and with each document")
    func fails() async throws {
        cache.gate.fail(true)
        serve(1)
        let setup = try await service.started(configure: cached)
        #expect(warnings == [["cache: the cache cannot be read: the cache is down"]])
        try await waitForLog("the document was applied but not cached: the cache is down")
        serve(2)
        #expect(await setup.refresh().short == #"applied 2 ["a"]"#)
        #expect(warnings.last == [outage])
        cache.gate.fail(false)
        serve(3)
        await setup.refresh()
        try await waitForVersions([3])
        await setup.shutdown(timeout: .zero)
    }

    /// A setup with version 1 in the cache, whose next call waits, and the number of the calls before it.
    private func startThenHold() async throws -> (Setup, calls: Int) {
        serve(1)
        let setup = try await service.started(configure: cached)
        try await waitForVersions([1])
        defer { cache.gate.hold() }
        return (setup, cache.gate.calls.count)
    }

    @Test("that hangs while a document is stored holds up no document, and is called again when it has returned")
    func hangsWhileRunning() async throws {
        let (setup, calls) = try await startThenHold()
        for version in 2...4 {
            serve(version)
            #expect(await setup.refresh().short == #"applied \#(version) ["a"]"#)
        }
        await cache.gate.wait(forCalls: calls + 1)
        await pass(.seconds(10))
        try await waitForLog("not cached: no answer within 10.0 seconds")
        try await waitForLog("not cached: an earlier call has not returned")
        #expect(cache.gate.calls.count == calls + 1)
        cache.gate.release()
        // Only the next document shows that the cache has returned.
        var version = 4
        try await waitUntil("a document is stored again") {
            version += 1
            serve(version)
            await setup.refresh()
            return cache.versions().first ?? 1 > 4
        }
        await setup.shutdown(timeout: .zero)
        #expect(cache.gate.maxActive == 1)
    }

    @Test("in which another process was faster: the higher version stays first", arguments: [4, 9])
    func conflict(rival: Int) async throws {
        serve(5)
        cache.lose(to: entry(1), entry(rival))
        let setup = try service.start(configure: cached)
        #expect(await service.settled().short == #"applied 5 ["a"]"#)
        await setup.shutdown(timeout: .zero)
        #expect(cache.versions() == (rival == 9 ? [9, 5] : [5, 4]))
        #expect(service.log.records.filter { $0.level == .warning }.isEmpty)
    }

    @Test("that never lets a document be stored is a warning")
    func conflicts() async throws {
        serve(1)
        cache.loseAlways()
        let setup = try await service.started(configure: cached)
        try await waitForLog("not cached: other processes replaced the entries 64 times meanwhile")
        await setup.shutdown(timeout: .zero)
    }

    @Test("loses the entries that no process can use, with a warning")
    func unusable() async throws {
        struct Forged: Error {}
        var broken = entry(8)
        broken.document = Array("{".utf8)
        cache.set(entry(9, url: "https://config.example/other.json"), broken, entry(7), entry(2))
        service.serve(status: 500)
        let setup = try await service.started(
            configure: cached,
            remote: {
                $0.verify = { bytes, _ in
                    if String(decoding: bytes, as: UTF8.self).contains(#""configurationVersion":7"#) { throw Forged() }
                }
            })
        #expect(service.trace.first == #"cached 2 ["a"]"#)
        let reasons = try #require(warnings.first)
        try #require(reasons.count == 3)
        #expect(reasons[0] == "cache: the cached document of version 9 cannot be used: it belongs to another URL")
        #expect(reasons[1].hasPrefix("cache: the cached document of version 8 cannot be used: "))
        #expect(reasons[2].hasPrefix("cache: the cached document of version 7 cannot be used: the verification failed"))
        await setup.shutdown(timeout: .zero)
        #expect(cache.versions() == [2])
    }

    @Test("is asked for the next user's documents before a switch; the last call decides")
    func users() async throws {
        let (ann, bob) = (UserSite.url("ann"), UserSite.url("bob"))
        cache.set(entry(1, url: ann), for: ann)
        cache.set(entry(2, url: bob), for: bob)
        cache.set(entry(3, url: UserSite.url(nil)), for: UserSite.url(nil))
        service.serve(status: 500)
        let setup = try await service.started(UserSite.url, default: [bundle], configure: cached)
        #expect(try await setup.switchUser(to: "ann")?.short == #"cached 1 ["a"]"#)
        cache.gate.hold()
        let calls = cache.gate.calls.count
        let first = Task.immediate { try await setup.switchUser(to: "bob")?.short }
        let second = Task.immediate { try await setup.switchUser(to: "carl")?.short }
        // Still the current user when this is called.
        let third = Task.immediate { try await setup.switchUser(to: "ann")?.short }
        await cache.gate.wait(forCalls: calls + 1)
        #expect(setup.user == "ann")
        #expect(setup.namespaces == ["a", "d"])
        cache.gate.release()
        #expect(try await first.value == #"cached 2 ["a"]"#)
        #expect(try await second.value == #"cached 3 ["a"]"#)
        #expect(try await third.value == #"cached 1 ["a"]"#)
        #expect(setup.user == "ann")
        #expect(
            service.trace.filter { $0.hasPrefix("cached") } == [3, 1, 2, 3, 1].map { #"cached \#($0) ["a"]"# })
        await setup.shutdown(timeout: .zero)
    }

    @Test("that hangs delays a switch of users by the timeout; then the default is in use")
    func hangsAtSwitch() async throws {
        service.serve(status: 500)
        let setup = try await service.started(UserSite.url, default: [bundle], configure: cached)
        cache.gate.hold()
        let calls = cache.gate.calls.count
        let change = Task.immediate { try await setup.switchUser(to: "ann")?.short }
        await cache.gate.wait(forCalls: calls + 1)
        await pass(.seconds(1))
        #expect(try await change.value == #"default nil ["d"]"#)
        #expect(setup.user == "ann")
        #expect(warnings.last == [delay])
        cache.gate.release()
        await setup.shutdown(timeout: .zero)
    }

    @Test("keeps a document that came after a switch for the user it was fetched for")
    func lateDocument() async throws {
        let ann = UserSite.url("ann")
        service.transport.hold()
        let setup = try service.start(UserSite.url, configure: cached, remote: { $0.user = "ann" })
        let held = await service.transport.next()
        service.transport.release()
        try await setup.switchUser(to: "bob")
        held.answer(200, body: entry(3, url: ann).document)
        await service.settled()
        #expect(service.updates.isEmpty)
        // The load comes after the store.
        #expect(try await setup.switchUser(to: "ann")?.short == #"cached 3 ["a"]"#)
        await setup.shutdown(timeout: .zero)
        #expect(cache.versions(ann) == [3])
    }

    @Test("goes on with the canary of an earlier process, and finds what it can be rolled back to")
    func canary() async throws {
        let rollout = #","rollout":{"percent":100,"bakeSeconds":60}"#
        var canary = entry(2, more: rollout)
        canary.fetchTime = Date(timeIntervalSince1970: Double(service.time.wallTime) / 1000)
        cache.set(canary, entry(1))
        service.serve(status: 500)
        service.collector("c.example", answers: 500)
        let setup = try await service.started(configure: cached)
        await service.time.waitForSleep(in: .seconds(3)...(.seconds(3)))
        #expect(await setup.updater.lifecycle.canary?.rollbackTarget.version == 1)
        await setup.shutdown(timeout: .zero)
    }

    @Test("that hangs leaves neither a refresh nor a shutdown without an end")
    func shutdown() async throws {
        cache.gate.hold()
        let setup = try service.start(configure: cached)
        let refresh = Task.immediate { await setup.refresh() }
        await cache.gate.wait(forCalls: 1)
        await setup.turn()
        let end = Task.immediate { await setup.shutdown(timeout: .zero) }
        #expect(await refresh.value.short == "failed shutDown")
        await pass(.milliseconds(100))
        _ = await end.value
        #expect(service.fetches.isEmpty)
        cache.gate.release()
    }

    @Test("has a document before a shutdown ends")
    func stores() async throws {
        let (setup, calls) = try await startThenHold()
        serve(2)
        await setup.refresh()
        await cache.gate.wait(forCalls: calls + 1)
        // The versions at the end of the shutdown, which could have come before the release.
        let end = Task.immediate { [cache] in
            await setup.shutdown(timeout: .seconds(5))
            return cache.versions()
        }
        await setup.turn(20)
        cache.gate.release()
        #expect(await end.value == [2, 1])
    }
}
