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
        case inventsEntries = "a URL without entries has an empty list"
        case denies = "replace returns true if the old entries are those that are stored"
        case losesEntries = "an entry that was stored is returned"
        case losesURL = "an entry keeps its URL"
        case losesVersion = "an entry keeps its version"
        case losesValidators = "an entry keeps its validators"
        case roundsTime = "an entry keeps the time of its fetch to the millisecond"
        case losesHeaders = "an entry keeps its headers in their order"
        case reverses = "both new entries are stored, the newest first"
        case appends = "new entries take the place of all old ones"
        case ignoresOld = "replace returns false if the URL has other entries than the old ones"
        case changesAndDenies = "replace changes nothing if it returns false"
        case foldsCase = "each URL has entries of its own, and URLs are compared by their bytes"
        case sharesEntries = "each URL has entries of its own; those of others stay"
        case storesText = "a document of any bytes is stored exactly"
        case boundsDocuments = "a document of 1 MiB is stored exactly"
        case losesEmpty = "a document of no bytes is stored exactly"
        case isNotAtomic =
            "of callers that replace the same entries at one time, one succeeds, and its entries are stored"
        case keepsRemoved = "an empty list of new entries removes all"
        case throwsErrors = "storing the first entry throws no error"
    }

    private struct Failure: Error {}

    private let defect: Defect
    private let stored = Locked<[String: [CacheEntry]]>([:])

    init(_ defect: Defect) {
        self.defect = defect
    }

    private func key(_ url: String) -> String {
        switch defect {
        case .foldsCase: url.lowercased()
        // Only the last entry is kept, whatever its URL.
        case .sharesEntries: "all"
        default: url
        }
    }

    private func damaged(_ entry: CacheEntry) -> CacheEntry {
        var entry = entry
        switch defect {
        case .losesURL: entry.url = "https://other.example"
        case .losesVersion: entry.version = 0
        case .losesValidators: entry.validators.lastModified = nil
        case .roundsTime: entry.fetchTime = Date(timeIntervalSince1970: entry.fetchTime.timeIntervalSince1970.rounded())
        case .losesHeaders: entry.headers.sort { $0.name < $1.name }
        case .storesText: entry.document = Array(String(decoding: entry.document, as: UTF8.self).utf8)
        case .boundsDocuments: entry.document = Array(entry.document.prefix(65_536))
        default: break
        }
        return entry
    }

    func entries(for url: String) async throws -> [CacheEntry] {
        let stored = stored.withLock { $0[key(url)] ?? [] }
        switch defect {
        case .inventsEntries where stored.isEmpty:
            return [
                CacheEntry(
                    url: url, version: 0, document: [], validators: DocumentValidators(),
                    fetchTime: Date(timeIntervalSince1970: 0))
            ]
        case .losesEntries: return []
        case .losesEmpty: return stored.filter { !$0.document.isEmpty }
        case .throwsErrors: throw Failure()
        default: return stored
        }
    }

    func replace(_ old: [CacheEntry], with new: [CacheEntry], for url: String) async throws -> Bool {
        let isCurrent = stored.withLock { $0[key(url)] ?? [] } == old
        if defect == .isNotAtomic { for _ in 0..<20 { await Task.yield() } }
        return stored.withLock { stored in
            let isCurrent = defect == .isNotAtomic ? isCurrent : stored[key(url)] ?? [] == old
            if defect == .changesAndDenies, !isCurrent { stored[key(url)] = new }
            guard isCurrent || defect == .ignoresOld else { return false }
            if defect == .keepsRemoved, new.isEmpty { return true }
            var entries = new.map(damaged)
            if defect == .reverses { entries.reverse() }
            if defect == .appends { entries += stored[key(url)] ?? [] }
            stored[key(url)] = entries
            return defect != .denies
        }
    }
}
