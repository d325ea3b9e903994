import Foundation
import TestSupport
import Testing
import TrackerConfig
import TrackerCore

/// The cache that ends with the process.
@Suite("The cache in memory")
struct MemoryCacheTests {
    private func entry(_ text: String, url: String = "u") -> CacheEntry {
        CacheEntry(url: url, version: 1, document: Array(text.utf8), validators: DocumentValidators(), fetchTime: 5)
    }

    @Test("finds the newest entry of its URL, then the one before it, then none")
    func entries() {
        let cache = MemoryCache()
        #expect(cache.entry(for: "u") { _ in .usable }.entry == nil)
        for text in ["one", "two", "three"] { cache.store(entry(text)) { _ in true } }
        cache.store(entry("other", url: "v")) { _ in true }
        #expect(cache.entry(for: "u") { _ in .usable }.entry == entry("three"))
        #expect(cache.entry(for: "v") { _ in .usable }.entry == entry("other", url: "v"))
        let found = cache.entry(for: "u") { $0 == entry("three") ? .unusable("no good") : .usable }
        #expect(found.entry == entry("two"))
        #expect(found.warnings == ["a cached document cannot be used: no good"])
        #expect(cache.entry(for: "u") { _ in .usable }.entry == entry("two"))
        #expect(cache.entry(for: "u") { _ in .unusable("no good") }.entry == nil)
        #expect(cache.entry(for: "u") { _ in .usable }.entry == nil)
    }

    @Test("may be asked within its own question, and from many threads")
    func reentrant() async {
        let cache = MemoryCache()
        cache.store(entry("one")) { _ in true }
        let found = cache.entry(for: "u") { _ in
            cache.entry(for: "u") { _ in .usable }.entry == nil ? .unusable("gone") : .usable
        }
        #expect(found.entry == entry("one"))
        await Threads.run(4) { worker in
            for round in 0..<500 {
                cache.store(entry("\(worker) \(round)")) { _ in true }
                #expect(cache.entry(for: "u") { _ in .usable }.entry?.url == "u")
            }
        }
    }
}
