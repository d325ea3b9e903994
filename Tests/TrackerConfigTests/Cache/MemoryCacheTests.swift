import Foundation
import TestSupport
import Testing
import TrackerConfig
import TrackerCore

/// The cache that ends with the process; what all caches promise is checked by `Conformance`.
@Suite("The cache in memory", .endsWhenItHangs)
struct MemoryCacheTests {
    private func entry(_ text: String) -> CacheEntry {
        CacheEntry(
            url: "u", version: 1, document: Array(text.utf8), validators: DocumentValidators(),
            fetchTime: Date(timeIntervalSince1970: 0))
    }

    @Test("may be used while a change is decided, and from many threads")
    func reentrant() async throws {
        let cache = MemoryCache()
        try cache.store(entry("one"))
        let (two, three) = (entry("two"), entry("three"))
        // The change is decided anew after another one was faster.
        let attempts = Locked(0)
        _ = try cache.update("u") { stored in
            let attempt = attempts.withLock { count in
                count += 1
                return count
            }
            if attempt == 1 { #expect(cache.exchange(stored, with: [two] + stored, for: "u")) }
            return CacheChange([three] + stored.prefix(1))
        }
        #expect(attempts.withLock { $0 } == 2)
        #expect(await cache.entries(for: "u") == [three, two])
        await Threads.run(4) { worker in
            for round in 0..<Search.count(20) {
                // Others may be faster for a while, which is an error at last.
                try? cache.store(entry("\(worker) \(round)"))
                #expect(cache.find("u").entry?.url == "u")
            }
        }
        #expect(await cache.entries(for: "u").count == 2)
    }

    @Test("a change that always loses against others ends with an error")
    func conflicts() throws {
        let cache = MemoryCache()
        let attempts = Locked(0)
        #expect(throws: (any Error).self) {
            try cache.update("u") { stored in
                let attempt = attempts.withLock { count in
                    count += 1
                    return count
                }
                #expect(cache.exchange(stored, with: [entry("\(attempt)")], for: "u"))
                return CacheChange([entry("mine")])
            }
        }
        #expect(attempts.withLock { $0 } == 64)
    }
}
