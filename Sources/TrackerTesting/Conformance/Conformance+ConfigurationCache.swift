import FoundationEssentials
public import TrackerConfig
import TrackerCore

extension Conformance {
    /// Checks a cache of documents.
    ///
    /// The check uses URLs of its own, which differ each time, and removes their entries in the end, so that the cache may be a
    /// shared one.
    ///
    /// ```swift
    /// try await Conformance.check(MemoryCache())
    /// ```
    /// - Parameter cache: The cache.
    /// - Throws: ``ConformanceError`` if it breaks a promise of `ConfigurationCache`.
    public static func check(_ cache: any ConfigurationCache) async throws(ConformanceError) {
        var promises = Promises(of: "ConfigurationCache", by: cache)
        let site = "https://conformance.example/\(UUID().uuidString)"
        let url = "\(site)/a.json"
        let (first, second, third) = (entry(url, 1), entry(url, 2), entry(url, 3))

        await promises.check("storing the first entry") { promises in
            let none = try await cache.entries(for: url)
            promises.expect(none.isEmpty, "a URL without entries has an empty list", found: "\(none.count) entries")
            let isReplaced = try await cache.replace([], with: [first], for: url)
            promises.expect(isReplaced, "replace returns true if the old entries are those that are stored")
            compare(try await cache.entries(for: url), first, &promises)
        }
        await promises.check("storing a second entry") { promises in
            _ = try await cache.replace([first], with: [second, first], for: url)
            let both = try await cache.entries(for: url)
            promises.expect(
                both == [second, first], "both new entries are stored, the newest first",
                found: "versions \(both.map(\.version))")
            _ = try await cache.replace(both, with: [third, second], for: url)
            let next = try await cache.entries(for: url)
            promises.expect(
                next == [third, second], "new entries take the place of all old ones",
                found: "versions \(next.map(\.version))")
        }
        await promises.check("replacing entries that are not stored") { promises in
            let stored = try await cache.entries(for: url)
            for old in [[], [first], [second], [entry(url, 3, tag: "other"), second]] {
                let isReplaced = try await cache.replace(old, with: [entry(url, 9)], for: url)
                promises.expect(!isReplaced, "replace returns false if the URL has other entries than the old ones")
                let now = try await cache.entries(for: url)
                promises.expect(now == stored, "replace changes nothing if it returns false")
                // What was changed by mistake would spoil the next checks.
                if now != stored { _ = try await cache.replace(now, with: stored, for: url) }
            }
        }
        await promises.check("storing entries of several URLs") { promises in
            for (number, other) in ["\(site)/A.json", "\(url)?user=1", "\(url)?user=2", "\(site)/a"].enumerated() {
                let before = try await cache.entries(for: other)
                _ = try await cache.replace(before, with: [entry(other, 10 + number)], for: other)
                let after = try await cache.entries(for: other)
                promises.expect(
                    before.isEmpty && after == [entry(other, 10 + number)],
                    "each URL has entries of its own, and URLs are compared by their bytes")
                _ = try await cache.replace(after, with: [], for: other)
            }
            let stored = try await cache.entries(for: url)
            promises.expect(stored == [third, second], "each URL has entries of its own; those of others stay")
        }
        await checkContents(cache, "\(site)/contents.json", &promises)
        await checkConflicts(cache, "\(site)/conflicts.json", &promises)
        await promises.check("removing entries") { promises in
            let stored = try await cache.entries(for: url)
            let isReplaced = try await cache.replace(stored, with: [], for: url)
            let rest = try await cache.entries(for: url)
            promises.expect(isReplaced && rest.isEmpty, "an empty list of new entries removes all")
        }
        try promises.finish()
    }

    private static func checkContents(
        _ cache: any ConfigurationCache, _ url: String, _ promises: inout Promises
    ) async {
        let documents = [
            "any bytes": Array(0...255) + Array((0...255).reversed()), "no bytes": [],
            "1 MiB": Array(repeating: UInt8(ascii: "x"), count: 1 << 20),
        ]
        for (name, document) in documents.sorted(by: { $0.key < $1.key }) {
            await promises.check("storing a document of \(name)") { promises in
                var new = entry(url, 1)
                new.document = document
                let old = try await cache.entries(for: url)
                _ = try await cache.replace(old, with: [new], for: url)
                let stored = try await cache.entries(for: url)
                promises.expect(stored == [new], "a document of \(name) is stored exactly")
                _ = try await cache.replace(stored, with: [], for: url)
            }
        }
    }

    /// Lets several callers replace the same entries at one time.
    private static func checkConflicts(
        _ cache: any ConfigurationCache, _ url: String, _ promises: inout Promises
    ) async {
        await promises.check("replacing entries at one time") { promises in
            var current: [CacheEntry] = []
            for round in 0..<8 {
                let old = current
                let winners = try await withThrowingTaskGroup(of: CacheEntry?.self) { group in
                    for caller in 1...8 {
                        let new = entry(url, round * 10 + caller)
                        group.addTask { try await cache.replace(old, with: [new], for: url) ? new : nil }
                    }
                    var winners: [CacheEntry] = []
                    for try await case let new? in group { winners.append(new) }
                    return winners
                }
                current = try await cache.entries(for: url)
                promises.expect(
                    winners.count == 1 && current == winners,
                    "of callers that replace the same entries at one time, one succeeds, and its entries are stored",
                    found: "\(winners.count) that succeed")
                if winners.count != 1 { break }
            }
            _ = try await cache.replace(try await cache.entries(for: url), with: [], for: url)
        }
    }

    private static func compare(_ stored: [CacheEntry], _ entry: CacheEntry, _ promises: inout Promises) {
        guard let found = stored.first, stored.count == 1 else {
            return promises.expect(false, "an entry that was stored is returned", found: "\(stored.count) entries")
        }
        promises.expect(found.url == entry.url, "an entry keeps its URL", found: found.url)
        promises.expect(found.version == entry.version, "an entry keeps its version", found: "\(found.version)")
        promises.expect(found.document == entry.document, "an entry keeps its document")
        promises.expect(found.validators == entry.validators, "an entry keeps its validators")
        promises.expect(
            found.fetchTime == entry.fetchTime, "an entry keeps the time of its fetch to the millisecond",
            found: "\(found.fetchTime.milliseconds)")
        promises.expect(found.headers == entry.headers, "an entry keeps its headers in their order")
    }

    private static func entry(_ url: String, _ version: Int, tag: String = "\"tag ü\"") -> CacheEntry {
        CacheEntry(
            url: url, version: version, document: Array("{\"configurationVersion\":\(version)}\n".utf8),
            validators: DocumentValidators(entityTag: tag, lastModified: "Tue, 14 Nov 2023 22:13:20 GMT"),
            fetchTime: Date(milliseconds: 1_700_000_000_123),
            headers: [
                HTTPHeader(name: "X-Signature", value: "a=1; b:2"), HTTPHeader(name: "ETag", value: tag),
                HTTPHeader(name: "X-Signature", value: ""),
            ])
    }
}
