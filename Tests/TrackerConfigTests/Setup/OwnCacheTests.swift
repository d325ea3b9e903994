import TestSupport
import Testing
import TrackerConfig
import TrackerCore
import TrackerTesting

/// A cache of the service's own.
@Suite("A cache of one's own", .endsWhenItHangs)
struct OwnCacheTests {
    /// Keeps documents as bytes in a dictionary.
    private final class DictionaryCache: ConfigurationCache {
        struct Failure: Error {}

        private let stored = Locked<[String: [[UInt8]]]>([:])
        let fails = Locked(false)

        func entries(for url: String) throws -> [CacheEntry] {
            if fails.withLock({ $0 }) { throw Failure() }
            return stored.withLock { ($0[url] ?? []).compactMap { CacheEntry(serializedBytes: $0) } }
        }

        func update(_ url: String, _ change: ([CacheEntry]) -> [CacheEntry]) throws {
            if fails.withLock({ $0 }) { throw Failure() }
            stored.withLock { stored in
                let entries = (stored[url] ?? []).compactMap { CacheEntry(serializedBytes: $0) }
                stored[url] = change(entries).map(\.serializedBytes)
            }
        }

        func remove(_ entry: CacheEntry, for url: String) throws { try update(url) { $0.filter { $0 != entry } } }
    }

    private let service = Service()
    private let cache = DictionaryCache()

    private func start(_ remote: (inout RemoteConfiguration) -> Void = { _ in }) async throws -> Setup {
        try await service.started(configure: { $0.cache = cache }, remote: remote)
    }

    @Test("keeps the promises of a cache")
    func conforms() async throws {
        try await Conformance.check(cache)
    }

    @Test("gives the document of the start, and the one before it")
    func starts() async throws {
        for version in 1...3 {
            service.serve(DocumentText.document(version, DocumentText.bundle()))
            await (try start()).shutdown(timeout: .zero)
        }
        #expect(service.trace.suffix(3) == [#"cached 2 ["a"]"#, #"fetched 3 ["a"]"#, #"applied 3 ["a"]"#])
        #expect(try cache.entries(for: Service.url).map(\.version) == [3, 2])
        let setup = try await start()
        #expect(setup.status.process.cacheDirectory == nil)
        await setup.shutdown(timeout: .zero)
    }

    @Test("loses the entries that no process can use, with a warning")
    func unusable() async throws {
        struct Forged: Error {}
        service.serve(DocumentText.document(1, DocumentText.bundle()))
        await (try start()).shutdown(timeout: .zero)
        service.serve(status: 500)
        let setup = try await start { $0.verify = { _, _ in throw Forged() } }
        #expect(setup.namespaces.isEmpty)
        #expect(service.log.contains("the cached document of version 1 cannot be used: the verification failed"))
        #expect(try cache.entries(for: Service.url).isEmpty)
        await setup.shutdown(timeout: .zero)
    }

    @Test("that fails is a warning and a line in the log, at the start and with each document, and on the page")
    func fails() async throws {
        cache.fails.withLock { $0 = true }
        service.serve(DocumentText.document(1, DocumentText.bundle()))
        let setup = try await start()
        #expect(service.trace == [#"fetched 1 ["a"]"#, #"applied 1 ["a"]"#])
        #expect(service.log.contains("cache: the cache cannot be read: Failure()"))
        service.serve(DocumentText.document(2, DocumentText.bundle()))
        await setup.refresh()
        #expect(service.log.contains("cache: the document was applied but not cached: Failure()"))
        #expect(await ConsoleBrowser(setup).get("difference")["warnings"] == ["the cache cannot be read: Failure()"])
        await setup.shutdown(timeout: .zero)
    }
}
