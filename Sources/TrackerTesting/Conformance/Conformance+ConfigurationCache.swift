import FoundationEssentials
public import TrackerConfig
import TrackerFeatures

extension Conformance {
    /// Checks a cache of documents.
    ///
    /// The check uses new URLs each time and removes their entries at the end, so the cache may be shared.
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

        await promises.check("storing entries") { promises in
            promises.expect(try cache.entries(for: url), is: [], "a URL without entries has an empty list")
            try cache.update(url) { _ in [first] }
            let one = try cache.entries(for: url)
            promises.expect(one, is: [first], "an entry that was stored is returned with all its fields")
            try cache.update(url) { stored in
                promises.expect(stored, is: one, "update gives the stored entries")
                return [second] + stored
            }
            try cache.update(url) { [third] + $0.prefix(1) }
            promises.expect(
                try cache.entries(for: url), is: [third, second],
                "the entries are those that update was given, the newest first")
        }
        await promises.check("storing entries of several URLs") { promises in
            for (number, other) in ["\(site)/A.json", "\(url)?user=1", "\(url)?user=2", "\(site)/a"].enumerated() {
                let (before, new) = (try cache.entries(for: other), entry(other, 10 + number))
                try cache.update(other) { _ in [new] }
                promises.expect(
                    [before, try cache.entries(for: other)], is: [[], [new]],
                    "each URL has entries of its own, and URLs are compared by their bytes")
                try cache.remove(new, for: other)
            }
            promises.expect(
                try cache.entries(for: url), is: [third, second],
                "each URL has entries of its own; those of others stay")
        }
        let documents: [(String, [UInt8])] = [
            ("any bytes", Array(0...255)), ("no bytes", []), ("1 MiB", Array(repeating: 120, count: 1 << 20)),
        ]
        for (name, document) in documents {
            await promises.check("storing a document of \(name)") { promises in
                var new = entry("\(site)/contents.json", 1)
                new.document = document
                try cache.update(new.url) { _ in [new] }
                promises.expect(
                    try cache.entries(for: new.url) == [new], "a document of \(name) is stored exactly")
                try cache.remove(new, for: new.url)
            }
        }
        await promises.check("changing entries at one time") { promises in
            let url = "\(site)/conflicts.json"
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 1...8 {
                    group.addTask {
                        for _ in 1...4 { try cache.update(url) { [entry(url, ($0.first?.version ?? 0) + 1)] } }
                    }
                }
                try await group.waitForAll()
            }
            promises.expect(
                try cache.entries(for: url).first?.version, is: 32,
                "of changes at one time, each gets the entries of the one before")
        }
        await promises.check("removing entries") { promises in
            try cache.remove(first, for: url)
            promises.expect(
                try cache.entries(for: url), is: [third, second],
                "to remove an entry that is not stored changes nothing")
            try cache.remove(third, for: url)
            promises.expect(try cache.entries(for: url), is: [second], "remove leaves the other entry")
            try cache.remove(second, for: url)
            promises.expect(try cache.entries(for: url), is: [], "remove leaves nothing of the last entry")
        }
        try promises.finish()
    }

    private static func entry(_ url: String, _ version: Int) -> CacheEntry {
        CacheEntry(
            url: url, version: version, document: Array("{\"configurationVersion\":\(version)}\n".utf8),
            validators: DocumentValidators(entityTag: "\"tag ü\"", lastModified: "Tue, 14 Nov 2023 22:13:20 GMT"),
            fetchTime: Date(milliseconds: 1_700_000_000_123),
            headers: [
                HTTPHeader(name: "X-Signature", value: "a=1; b:2"), HTTPHeader(name: "ETag", value: "\"tag ü\""),
                HTTPHeader(name: "X-Signature", value: ""),
            ])
    }
}
