import Foundation
import Harness
@_spi(Tools) import TrackerConfig
import TrackerFeatures

/// A cache in a directory of this process's own, whose files can be put there by hand.
final class CacheFiles {
    // A file system in memory saves the syncs.
    private static let directory =
        (FileManager.default.fileExists(atPath: "/dev/shm") ? "/dev/shm" : NSTemporaryDirectory())
        + "/fuzz-cache-\(getpid())"

    let cache: any ConfigurationCache
    private let magic: [UInt8]

    init() {
        let cache = Internals.diskCache(directory: Self.directory)
        self.cache = cache
        // Taken from a file of the cache itself: with another first line no input would be read.
        let url = "https://config.example/x"
        let entry = CacheEntry(url: url, version: 1, document: [1], validators: DocumentValidators(), fetchTime: Date())
        Self.must("an entry is stored") { try cache.update(url) { _ in [entry] } }
        let path = "\(Self.directory)/\(Self.name(of: url))"
        guard let contents = FileManager.default.contents(atPath: path).map(Array.init),
            let end = contents.firstIndex(of: UInt8(ascii: "\n")),
            let space = contents[..<end].lastIndex(of: UInt8(ascii: " "))
        else { fatalError("the cache has another form") }
        magic = Array(contents[...space])
        check(sealed(Array(contents[(end + 1)...])) == contents, "the checksum is the one of the cache")
        clear()
        atexit { try? FileManager.default.removeItem(atPath: CacheFiles.directory) }
    }

    /// The entries of a URL.
    func entries(for url: String) -> [CacheEntry] { (try? cache.entries(for: url)) ?? [] }

    /// Stores an entry in place of those of its URL.
    func store(_ entry: CacheEntry) {
        Self.must("an entry is stored") { try cache.update(entry.url) { _ in [entry] } }
    }

    /// Removes the entries of a URL.
    func remove(_ entries: [CacheEntry], for url: String) {
        for entry in entries { Self.must("an entry is removed") { try cache.remove(entry, for: url) } }
    }

    private static func must(_ words: String, _ body: () throws -> Void) {
        do {
            try body()
        } catch {
            fatalError("broken: \(words): \(error)")
        }
    }

    /// A file with a first line that fits.
    func sealed(_ rest: [UInt8]) -> [UInt8] {
        magic + Array(Self.hash(rest).utf8) + [UInt8(ascii: "\n")] + rest
    }

    func write(_ contents: [UInt8], for url: String) {
        let path = path(url)
        check(FileManager.default.createFile(atPath: path, contents: Data(contents)), "\(path) can be written")
    }

    func exists(for url: String) -> Bool {
        FileManager.default.fileExists(atPath: path(url))
    }

    /// Removes all files.
    func clear() {
        for name in (try? FileManager.default.contentsOfDirectory(atPath: Self.directory)) ?? [] {
            unlink("\(Self.directory)/\(name)")
        }
    }

    private func path(_ url: String) -> String { "\(Self.directory)/\(Self.name(of: url))" }

    private static func name(of url: String) -> String { "\(hash(url.utf8)).cache" }

    /// FNV-1a, 64 bits, in 16 digits.
    private static func hash(_ bytes: some Sequence<UInt8>) -> String {
        let value = bytes.reduce(UInt64(0xcbf2_9ce4_8422_2325)) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
        let digits = String(value, radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }
}
