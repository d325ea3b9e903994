import FoundationEssentials
import TestSupport
import Testing
import TrackerConfig
import TrackerCore
import TrackerTesting

@Suite("Conformance of ConfigurationCache", .endsWhenItHangs)
struct ConfigurationCacheConformanceTests {
    @Test("the library's caches keep all promises")
    func own() async throws {
        let directory = TemporaryDirectory()
        try await Conformance.check(MemoryCache())
        try await Conformance.check(DiskCache(directory: directory.file("cache")))
        try await Conformance.check(BrokenCache(.none))
    }

    @Test("each broken promise is found", arguments: BrokenCache.Defect.allCases.filter { $0 != .none })
    func broken(defect: BrokenCache.Defect) async {
        await expectBroken([defect.rawValue]) { try await Conformance.check(BrokenCache(defect)) }
    }

    @Test("the error names the implementation and the protocol")
    func words() async {
        let error = await #expect(throws: ConformanceError.self) {
            try await Conformance.check(BrokenCache(.keepsRemoved))
        }
        #expect(error?.description.hasPrefix("BrokenCache breaks a promise of ConfigurationCache:\n- ") == true)
    }
}

/// A cache that breaks one promise.
final class BrokenCache: ConfigurationCache {
    /// The promise that is broken, as the check words it.
    enum Defect: String, CaseIterable, Sendable {
        case none
        case hidesEntries = "update gives the stored entries"
        case losesFields = "an entry that was stored is returned with all its fields"
        case reverses = "the entries are those that update was given, the newest first"
        case foldsCase = "each URL has entries of its own, and URLs are compared by their bytes"
        case storesText = "a document of any bytes is stored exactly"
        case isNotAtomic = "of changes at one time, each gets the entries of the one before"
        case keepsRemoved = "remove leaves nothing of the last entry"
        case throwsErrors = "storing entries throws no error"
    }

    private struct Failure: Error {}

    private let defect: Defect
    private let stored = Locked<[String: [CacheEntry]]>([:])

    init(_ defect: Defect) {
        self.defect = defect
    }

    private func key(_ url: String) -> String { defect == .foldsCase ? url.lowercased() : url }

    private func damaged(_ entry: CacheEntry) -> CacheEntry {
        var entry = entry
        if defect == .losesFields { entry.headers.sort { $0.name < $1.name } }
        if defect == .storesText { entry.document = Array(String(decoding: entry.document, as: UTF8.self).utf8) }
        return entry
    }

    func entries(for url: String) throws -> [CacheEntry] {
        if defect == .throwsErrors { throw Failure() }
        return stored.withLock { $0[key(url)] ?? [] }
    }

    func update(_ url: String, _ change: ([CacheEntry]) -> [CacheEntry]) throws {
        stored.withLock { stored in
            let entries = change(defect == .hidesEntries ? [] : stored[key(url)] ?? []).map(damaged)
            // As if another caller had read the entries before this change was stored.
            if defect == .isNotAtomic, entries.first?.version == 5 { return }
            stored[key(url)] = defect == .reverses ? entries.reversed() : entries
        }
    }

    func remove(_ entry: CacheEntry, for url: String) throws {
        stored.withLock { stored in
            if defect == .keepsRemoved, stored[key(url)] == [entry] { return }
            stored[key(url)]?.removeAll { $0 == entry }
        }
    }
}
