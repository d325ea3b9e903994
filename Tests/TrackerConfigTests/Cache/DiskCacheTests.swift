import Foundation
import TestSupport
import Testing
import TrackerConfig
import TrackerFeatures
import TrackerTesting

/// The cache of real files.
@Suite("The cache on disk", .endsWhenItHangs)
struct DiskCacheTests {
    private let directory = TemporaryDirectory()
    private var path: String { directory.file("cache") }
    private var cache: DiskCache { DiskCache(directory: path) }

    private let url = "https://config.example/x"

    private func entry(_ text: String, url: String = "https://config.example/x") -> CacheEntry {
        CacheEntry(
            url: url, version: ["one": 1, "two": 2][text] ?? 3, document: Array(text.utf8),
            validators: DocumentValidators(entityTag: "\(text.count)"), fetchTime: Date(timeIntervalSince1970: 5))
    }

    /// The files but the lock's.
    private var names: [String] {
        let all = (try? FileManager.default.contentsOfDirectory(atPath: path).sorted()) ?? []
        return all.filter { !$0.hasSuffix(".lock") }
    }

    private func write(_ bytes: Data, to name: String) throws {
        try bytes.write(to: URL(fileURLWithPath: "\(path)/\(name)"))
    }

    private func contents(_ name: String) throws -> Data {
        try #require(FileManager.default.contents(atPath: "\(path)/\(name)"))
    }

    private func find(_ url: String = "https://config.example/x") -> (entry: CacheEntry?, warnings: [String]) {
        DiskCache.find(url, in: path)
    }

    @Test("what was stored comes back, byte for byte; the one before it is kept beside it and no other file")
    func stores() throws {
        #expect(find().entry == nil && find().warnings.isEmpty)
        #expect(!directory.names.contains("cache"))
        for text in ["one", "two", "three\u{0}\n"] { try cache.store(entry(text)) }
        #expect(find().entry == entry("three\u{0}\n"))
        #expect(find().warnings.isEmpty)
        #expect(names.count == 2)
        let previous = try #require(names.first { $0.hasSuffix(".previous") })
        let current = try #require(names.first { $0.hasSuffix(".cache") })
        #expect(previous == "\(current).previous")
        try FileManager.default.removeItem(atPath: "\(path)/\(current)")
        #expect(find().entry == entry("two"))
    }

    @Test("files are for their user only, and their names do not show the URL and never change")
    func modes() throws {
        try cache.store(entry("one"))
        try cache.store(entry("two"))
        for name in names {
            let attributes = try FileManager.default.attributesOfItem(atPath: "\(path)/\(name)")
            #expect(attributes[.posixPermissions] as? Int == 0o600)
            #expect(!name.contains("config") && !name.contains("example"))
        }
        let attributes = try FileManager.default.attributesOfItem(atPath: path)
        #expect(attributes[.posixPermissions] as? Int == 0o700)
        // FNV-1a of the URL, worked out by hand: other releases must find the same file.
        #expect(names.first == "\(fnv("https://config.example/x")).cache")
    }

    private func fnv(_ text: String) -> String {
        let hash = text.utf8.reduce(UInt64(0xcbf2_9ce4_8422_2325)) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
        let digits = String(hash, radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }

    @Test("a damaged file is set aside and the one before it is used, then none")
    func damaged() throws {
        try cache.store(entry("one"))
        try cache.store(entry("two"))
        let (current, previous) = (names[0], names[1])
        let (two, one) = (try contents(current), try contents(previous))
        var changed = two
        changed[two.count / 2] ^= 0x20
        for broken in [Data(), two.prefix(1), two.prefix(two.count / 2), two.dropLast(), changed] {
            try write(broken, to: current)
            try write(one, to: previous)
            var found = find()
            #expect(found.entry == entry("one"))
            #expect(found.warnings.count == 1)
            #expect(found.warnings[0].hasSuffix("\(current) cannot be used and was set aside: it is damaged"))
            #expect(!names.contains(current) && names.contains("\(current).unusable"))
            // What was set aside is not looked at again.
            #expect(find().warnings.isEmpty)
            try write(one.dropLast(), to: previous)
            found = find()
            #expect(found.entry == nil)
            #expect(found.warnings.count == 1)
        }
    }

    @Test("an entry of another URL under this one's name is not used")
    func otherURL() throws {
        try cache.store(entry("one"))
        let name = names[0]
        let one = try contents(name)
        try cache.store(entry("other", url: "https://config.example/y"))
        let other = try #require(names.first { $0 != name })
        try write(one, to: other)
        let found = find("https://config.example/y")
        #expect(found.entry == nil)
        #expect(found.warnings.map { $0.hasSuffix("it belongs to another URL") } == [true])
    }

    @Test("the file of an entry that is removed gets another name; the one before it stays and is used")
    func unusable() throws {
        try cache.store(entry("one"))
        try cache.store(entry("two"))
        let current = names[0]
        try cache.remove(entry("two"), for: url)
        #expect(names.contains("\(current).unusable") && !names.contains(current))
        #expect(cache.entries(for: url) == [entry("one")])
        // A new one takes the free place and the good old one stays behind it.
        try cache.store(entry("three"))
        #expect(cache.entries(for: url) == [entry("three"), entry("one")])
        try FileManager.default.removeItem(atPath: "\(path)/\(names[0])")
        #expect(find().entry == entry("one"))
        try cache.remove(entry("one"), for: url)
        #expect(cache.entries(for: url) == [])
        #expect(names.allSatisfy { $0.hasSuffix(".unusable") })
    }

    @Test(
        "a full disk is an error that leaves what was there, and nothing half",
        .enabled(if: Tmpfs.isAllowed, "no mount here"))
    func full() throws {
        let disk = try Tmpfs(kilobytes: 64)
        let cache = DiskCache(directory: disk.path)
        try cache.store(entry("one"))
        let large = CacheEntry(
            url: "https://config.example/x", version: 1, document: Array(repeating: 97, count: 100_000),
            validators: DocumentValidators(), fetchTime: Date(timeIntervalSince1970: 6))
        let error = try #require(throws: FileError.self) { try cache.store(large) }
        #expect(error.operation == .write)
        #expect(error.errorNumber == ENOSPC)
        let left = try FileManager.default.contentsOfDirectory(atPath: disk.path).filter { !$0.hasSuffix(".lock") }
        #expect(left.map { $0.hasSuffix(".cache") } == [true])
        #expect(cache.entries(for: "https://config.example/x").first == entry("one"))
    }

    @Test("several writers and readers of one directory never see half an entry, and always one")
    func concurrent() async throws {
        @Sendable func entry(_ number: Int) -> CacheEntry {
            CacheEntry(
                url: "https://config.example/x", version: 1 + number,
                document: Array(repeating: UInt8(number % 251), count: 1 + number * 37),
                validators: DocumentValidators(entityTag: "\(number)"),
                fetchTime: Date(timeIntervalSince1970: Double(number)))
        }
        try cache.store(entry(0))
        await Threads.run(6) { worker in
            let cache = DiskCache(directory: path)
            for round in 1...Search.count(12) {
                if worker < 3 {
                    do {
                        try cache.store(entry(round * 3 + worker))
                    } catch let error as FileError where error.errorNumber == EWOULDBLOCK {
                        // On a busy machine the others may have the lock for longer than a writer waits.
                    } catch {
                        Issue.record(error)
                    }
                } else {
                    let found = DiskCache.find("https://config.example/x", in: path)
                    #expect(found.warnings.isEmpty)
                    let number = found.entry.map { Int($0.fetchTime.timeIntervalSince1970) }
                    #expect(number != nil && found.entry == number.map { entry($0) })
                }
            }
        }
        #expect(names.count == 2)
    }
}
