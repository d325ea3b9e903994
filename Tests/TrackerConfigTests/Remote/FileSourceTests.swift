import Foundation
import TestSupport
import Testing
import TrackerConfig
import TrackerCore
import TrackerTesting

/// A document in a file, as containers mount it.
@Suite("A document in a file", .endsWhenItHangs)
struct FileSourceTests {
    private let directory = TemporaryDirectory()

    private func fetched(_ name: String, _ validators: DocumentValidators? = nil, maxDocumentSize: Int = 1 << 20) async
        -> Fetched
    {
        await FileSource.fetched(FileSource(path: directory.file(name), maxDocumentSize: maxDocumentSize), validators)
    }

    private func validators(_ fetched: Fetched) throws -> DocumentValidators {
        guard case .document(_, let validators) = fetched else { throw FetchError(.file, reason: "\(fetched)") }
        return validators
    }

    @Test("is read, and is not modified by its validators")
    func reads() async throws {
        directory.write("one", to: "a")
        let first = await fetched("a")
        #expect(first.text == "one")
        #expect(await fetched("a", try validators(first)) == .notModified)
        #expect(await fetched("a").text == "one")
        #expect(await fetched("a", DocumentValidators(entityTag: "other")).text == "one")
    }

    @Test("replaced by a rename, with the same size, it is another")
    func renamed() async throws {
        directory.write("one", to: "a")
        let first = try validators(await fetched("a"))
        directory.write("two", to: "b")
        #expect(rename(directory.file("b"), directory.file("a")) == 0)
        #expect(await fetched("a", first).text == "two")
    }

    @Test("written to in place, it is another, also where only its length differs")
    func written() async throws {
        directory.write("one", to: "a")
        let first = try validators(await fetched("a"))
        let file = try FileHandle(forWritingTo: URL(fileURLWithPath: directory.file("a")))
        try file.seekToEnd()
        try file.write(contentsOf: Data(" more".utf8))
        try file.close()
        #expect(await fetched("a", first).text == "one more")
    }

    @Test("a ConfigMap's swap of symbolic links is followed")
    func configMap() async throws {
        let files = FileManager.default
        for (version, text) in [("..1", "one"), ("..2", "two")] {
            try files.createDirectory(atPath: directory.file(version), withIntermediateDirectories: false)
            directory.write(text, to: "\(version)/trackers.json")
        }
        try files.createSymbolicLink(atPath: directory.file("..data"), withDestinationPath: "..1")
        try files.createSymbolicLink(
            atPath: directory.file("trackers.json"), withDestinationPath: "..data/trackers.json")
        let first = await fetched("trackers.json")
        #expect(first.text == "one")
        try files.createSymbolicLink(atPath: directory.file("..new"), withDestinationPath: "..2")
        #expect(rename(directory.file("..new"), directory.file("..data")) == 0)
        let second = await fetched("trackers.json", try validators(first))
        #expect(second.text == "two")
        #expect(await fetched("trackers.json", try validators(second)) == .notModified)
    }

    @Test("a missing file, a directory, a device and a dangling link are failures")
    func unusable() async throws {
        try FileManager.default.createSymbolicLink(atPath: directory.file("link"), withDestinationPath: "nowhere")
        for name in ["missing", "", "link", "link/x"] {
            #expect(await fetched(name).code == .file, "\(name)")
        }
        #expect(await FileSource.fetched(FileSource(path: "/dev/zero")).code == .file)
        #expect(await FileSource.fetched(FileSource(path: "")).code == .file)
    }

    @Test("a pipe does not hang")
    func pipe() async throws {
        #expect(mkfifo(directory.file("pipe"), 0o600) == 0)
        #expect(await fetched("pipe") == .failed(.file, "\(directory.file("pipe")) is not a file"))
    }

    @Test("a file of exactly the limit is read, and one byte more is not", arguments: [0, 3, 4, 5])
    func size(size: Int) async throws {
        directory.write(String(repeating: "a", count: size), to: "a")
        let result = await fetched("a", maxDocumentSize: 4)
        if size <= 4 { #expect(result.text?.count == size) } else { #expect(result.code == .tooLarge) }
    }

    @Test("a file that says it is empty is read to its end and no further than the limit")
    func proc() async throws {
        let whole = await FileSource.fetched(FileSource(path: "/proc/self/status"))
        #expect(whole.text?.hasPrefix("Name:") == true)
        #expect(await FileSource.fetched(FileSource(path: "/proc/self/status", maxDocumentSize: 10)).code == .tooLarge)
    }

    @Test("no limit at all does not trap")
    func noLimit() async throws {
        directory.write("one", to: "a")
        #expect(await fetched("a", maxDocumentSize: .max).text == "one")
    }

    @Test("a setup reads it by its URL, percent-encoding and all, and again only where it is another")
    func setup() async throws {
        let service = Service()
        service.directory.write(DocumentText.document(1, DocumentText.bundle()), to: "a b.json")
        let url = "file://\(service.directory.path)/a%20b.json"
        try await service.run(url) { setup in
            #expect(await setup.refresh() == .notModified)
            service.directory.write(DocumentText.document(2, DocumentText.bundle()), to: "a b.json")
            #expect(await setup.refresh() == .applied(version: 2, namespaces: ["a"]))
        }
        // The next process knows the file by what the cache says of it.
        #expect(try await service.run(url) == .notModified)
        #expect(service.transport.requests.isEmpty)
    }
}
