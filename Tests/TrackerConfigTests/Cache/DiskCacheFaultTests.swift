import Foundation
import TestSupport
import Testing
import TrackerConfig
import TrackerFeatures
import TrackerTesting

/// The cache on disk beside other processes, killed ones among them, and with odd things in its directory.
@Suite("The cache on disk among others", .endsWhenItHangs)
struct DiskCacheFaultTests {
    /// What can stand in a file's place.
    enum Oddity: CaseIterable, Sendable {
        case directory, fullDirectory, pipe, endlessDevice, loop, danglingLink, hugeFile

        func put(at path: String) throws {
            let files = FileManager.default
            try? files.removeItem(atPath: path)
            switch self {
            case .directory: try files.createDirectory(atPath: path, withIntermediateDirectories: false)
            case .fullDirectory: try files.createDirectory(atPath: "\(path)/x", withIntermediateDirectories: true)
            case .pipe: #expect(mkfifo(path, 0o600) == 0)
            case .endlessDevice: try files.createSymbolicLink(atPath: path, withDestinationPath: "/dev/zero")
            case .loop: try files.createSymbolicLink(atPath: path, withDestinationPath: path)
            case .danglingLink: try files.createSymbolicLink(atPath: path, withDestinationPath: "nowhere")
            case .hugeFile:
                #expect(files.createFile(atPath: path, contents: nil))
                #expect(truncate(path, 1 << 40) == 0)
            }
        }
    }

    private static let url = "https://config.example/x"
    private let directory = TemporaryDirectory()
    private var cache: DiskCache { DiskCache(directory: directory.path) }
    private var current: String {
        directory.file(directory.names.first { $0.hasSuffix(".cache") } ?? "none")
    }

    private func entry(_ version: Int) -> CacheEntry {
        CacheEntry(
            url: Self.url, version: version, document: Array("document \(version)".utf8),
            validators: DocumentValidators(entityTag: "\(version)"), fetchTime: Date(timeIntervalSince1970: 5))
    }

    private func find() -> (entry: CacheEntry?, warnings: [String]) {
        DiskCache.find(Self.url, in: directory.path)
    }

    private func empty() throws {
        try FileManager.default.removeItem(atPath: directory.path)
        try FileManager.default.createDirectory(atPath: directory.path, withIntermediateDirectories: false)
    }

    @Test("what stands in the current entry's place is set aside with a reason, and waited for by nobody")
    func oddCurrent() throws {
        for oddity in Oddity.allCases {
            try cache.store(entry(1))
            let path = current
            try? FileManager.default.removeItem(atPath: "\(path).previous")
            try cache.store(entry(2))
            try oddity.put(at: path)
            let found = find()
            #expect(found.entry == entry(1), "\(oddity)")
            #expect(found.warnings.map { $0.contains("was set aside: cannot ") } == [true], "\(oddity)")
            #expect(find().warnings.isEmpty, "\(oddity)")
            try cache.store(entry(3))
            #expect(find().entry == entry(3), "\(oddity)")
            try empty()
        }
    }

    @Test("what stands in the place of either entry does not keep the next from being stored")
    func oddWhileRunning() throws {
        for oddity in Oddity.allCases {
            for suffix in ["", ".previous"] {
                try cache.store(entry(1))
                let path = current
                try oddity.put(at: path + suffix)
                try cache.store(entry(2))
                #expect(find().entry == entry(2), "\(oddity)\(suffix)")
                try cache.store(entry(3))
                try FileManager.default.removeItem(atPath: path)
                #expect(find().entry == entry(2), "\(oddity)\(suffix)")
                try empty()
            }
        }
    }

    /// Takes a lock, which a child that another test forks in this moment holds until it runs its program.
    private func take(_ path: String) async throws -> FileLock {
        var lock: FileLock?
        try await waitUntil("the lock is free") {
            lock = try FileLock(path: path)
            return lock != nil
        }
        return try #require(lock)
    }

    @Test("a file that another process is about to replace is left to it", .mayBlock)
    func lockedMeanwhile() async throws {
        try cache.store(entry(1))
        let lock = try await take("\(current).lock")
        try withExtendedLifetime(lock) {
            let error = #expect(throws: FileError.self) { try cache.remove(entry(1), for: Self.url) }
            #expect(error?.operation == .lock)
            #expect(find().entry == entry(1))
            let whole = try Data(contentsOf: URL(fileURLWithPath: current))
            directory.write("garbage", to: (current as NSString).lastPathComponent)
            #expect(find().warnings.map { $0.hasSuffix("is passed over: it is damaged") } == [true])
            try whole.write(to: URL(fileURLWithPath: current))
        }
        #expect(find().entry == entry(1))
    }

    @Test("a lower version is not stored over a higher one, and not where a kill left only the one before")
    func lower() throws {
        try cache.store(entry(3))
        try cache.store(entry(2))
        #expect(find().entry == entry(3))
        // Between its two renames a process was killed.
        #expect(rename(current, "\(current).previous") == 0)
        try cache.store(entry(2))
        #expect(find().entry == entry(3))
        try cache.store(entry(4))
        #expect(find().entry == entry(4))
        try FileManager.default.removeItem(atPath: current)
        #expect(find().entry == entry(3))
    }

    @Test("a damaged entry never takes the place of the good one before it")
    func damaged() throws {
        try cache.store(entry(1))
        try cache.store(entry(2))
        directory.write("garbage", to: (current as NSString).lastPathComponent)
        try cache.store(entry(3))
        try FileManager.default.removeItem(atPath: current)
        #expect(find().entry == entry(1))
    }

    @Test("what killed processes left half written goes with the next store, however many they were")
    func leftovers() async throws {
        try cache.store(entry(1))
        let path = current
        for version in 2...6 {
            try await leaveHalf(path)
            #expect(directory.names.count <= 4, "\(directory.names)")
            if version % 3 == 0 {
                try cache.store(entry(version))
                #expect(directory.names.filter { $0.hasSuffix(".tmp") } == [])
            }
        }
        #expect(find().entry == entry(6))
    }

    private func leaveHalf(_ path: String) async throws {
        let lock = try await take("\(path).lock")
        let temporary = AtomicFile.temporaryPath(for: path, under: lock)
        #expect(access(temporary, F_OK) != 0)
        try Array("half".utf8).write(to: temporary)
    }

    @Test("directories in the places of the lock and of the temporary file do not keep an entry from being stored")
    func oddHelpers() throws {
        try cache.store(entry(1))
        let path = current
        for suffix in [".lock", ".tmp"] {
            for oddity in [Oddity.directory, .fullDirectory] {
                try oddity.put(at: path + suffix)
                let next = try #require(find().entry).version + 1
                try cache.store(entry(next))
                #expect(find().entry == entry(next), "\(oddity)\(suffix)")
            }
            #expect(directory.names.contains { $0.hasSuffix("\(suffix).unusable") })
        }
    }

    @Test("a link in the place of the lock is not followed, and said")
    func linkedLock() throws {
        try cache.store(entry(1))
        directory.write("precious", to: "victim")
        try FileManager.default.removeItem(atPath: "\(current).lock")
        try FileManager.default.createSymbolicLink(
            atPath: "\(current).lock", withDestinationPath: directory.file("victim"))
        let error = #expect(throws: FileError.self) { try cache.store(entry(2)) }
        #expect(error?.description.hasSuffix("it is a symbolic link, which is not followed") == true)
        #expect(try String(contentsOfFile: directory.file("victim"), encoding: .utf8) == "precious")
    }

    @Test("an entry beyond the bound is set aside with a sentence and not read")
    func bound() throws {
        let cache = DiskCache(directory: directory.path, maxDocumentSize: 10)
        var large = entry(1)
        large.document = Array(repeating: 0x20, count: 1 << 20)
        try cache.store(large)
        let found = DiskCache.find(Self.url, in: directory.path, maxDocumentSize: 10)
        #expect(found.entry == nil)
        #expect(found.warnings.map { $0.contains("it is larger than ") } == [true])
        try cache.store(entry(2))
        #expect(cache.entries(for: Self.url).first == entry(2))
    }
}
