import Foundation
import TestSupport
import Testing
import TrackerConfig
import TrackerFeatures
import TrackerGrowthBook
import TrackerLoopbackServer
import TrackerTesting

@Suite("The last good payload of GrowthBook", .endsWhenItHangs)
struct GrowthBookCacheTests {
    private let site: GrowthBookSite
    private let path: String

    init() throws {
        site = try GrowthBookSite()
        path = site.directory.file("new/growthbook.json")
    }

    /// Fetches a payload, which is kept.
    private func run(_ value: Int) async throws {
        site.serve(value)
        let provider = try site.provider { $0.cacheFile = path }
        var changes = provider.changes.makeAsyncIterator()
        await changes.next()
        await site.time.waitForSleepers()
        #expect(provider.value == value)
    }

    @Test("it is there at the next start before the server answers, and the server need not send it again")
    func restart() async throws {
        try await run(1)
        let provider = try site.provider { $0.cacheFile = path }
        #expect(provider.value == 1)
        #expect(provider.status.lastSuccess == nil)
        let count = site.requests.count
        let changes = provider.changes
        try await waitUntil("the server has answered") { provider.status.lastSuccess != nil }
        #expect(site.requests.count == count + 1)
        #expect(site.requests.last?.header("If-None-Match") == "\"1\"")
        #expect(provider.value == 1)
        withExtendedLifetime(changes) {}
    }

    @Test("what a process left that was killed while it wrote is replaced, and only its owner can read the file")
    func files() async throws {
        try await run(1)
        #expect(FileManager.default.createFile(atPath: "\(path).tmp", contents: Data("half".utf8)))
        try await run(2)
        let names = try FileManager.default.contentsOfDirectory(atPath: site.directory.file("new"))
        #expect(names.sorted() == ["growthbook.json", "growthbook.json.lock"])
        #expect(site.directory.mode(of: "new/growthbook.json") == 0o600)
    }

    @Test("a symbolic link stays one: what it leads to is read and written")
    func link() async throws {
        let files = FileManager.default
        let volume = site.directory.file("volume.json")
        try files.createDirectory(atPath: site.directory.file("new"), withIntermediateDirectories: true)
        try files.createSymbolicLink(atPath: path, withDestinationPath: volume)
        for value in [1, 2] { try await run(value) }
        #expect(try files.destinationOfSymbolicLink(atPath: path) == volume)
        let provider = try site.provider { $0.cacheFile = path }
        #expect(provider.value == 2)
    }

    @Test("it stays in effect while the server is down")
    func serverDown() async throws {
        try await run(1)
        site.stop()
        let provider = try site.provider { $0.cacheFile = path }
        var changes = provider.changes.makeAsyncIterator()
        await changes.next()
        let loaded = provider.load()
        #expect(loaded.value == 1)
        #expect(loaded.notes.first?.hasSuffix("; the last payload stays in effect") == true)
        #expect(provider.status.lastSuccess == nil)
    }

    @Test("that of another source is not used")
    func otherSource() async throws {
        try await run(1)
        var options = GrowthBookOptions()
        options.cacheFile = path
        let provider = try GrowthBookProvider(source: "\(site.source)2", options: options)
        #expect(provider.load() == ProvidedFeatures([]))
    }

    @Test("a damaged file is reported and not used", arguments: ["", "{", "{}", "payload"])
    func damaged(text: String) async throws {
        try await run(1)
        var damaged = text
        if text == "payload" {
            let file = try String(contentsOfFile: path, encoding: .utf8)
            damaged = file.replacing(#"defaultValue\":1}"#, with: #"defaultValue\":"#)
            #expect(damaged != file)
        }
        try damaged.write(toFile: path, atomically: true, encoding: .utf8)
        let provider = try site.provider { $0.cacheFile = path }
        let loaded = provider.load()
        #expect(loaded.features.isEmpty)
        // A file of another source, as one that names none, is no fault.
        #expect(loaded.notes.count == (text == "{}" ? 0 : 1))
        #expect(loaded.notes.allSatisfy { $0.hasPrefix("cache file: it is not used: ") })
    }

    @Test("a directory that cannot be written is reported, and the payload is in effect all the same")
    func unwritable() async throws {
        site.directory.write("", to: "file")
        site.serve(1)
        let provider = try site.provider { $0.cacheFile = site.directory.file("file/growthbook.json") }
        var changes = provider.changes.makeAsyncIterator()
        await changes.next()
        let loaded = provider.load()
        #expect(loaded.value == 1)
        #expect(loaded.notes.first?.hasPrefix("cache file: the payload is not kept: cannot make the directory") == true)
    }
}
