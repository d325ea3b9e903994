import Foundation
import TestSupport
import Testing
import TrackerConfig
import TrackerFeatures
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

    @Test("is not modified by its validators until it is replaced, by one of the same size too, or written to")
    func reads() async throws {
        directory.write("one", to: "a")
        let first = await fetched("a")
        #expect(first.text == "one")
        #expect(await fetched("a", try validators(first)) == .notModified)
        #expect(await fetched("a").text == "one")
        #expect(await fetched("a", DocumentValidators(entityTag: "other")).text == "one")
        directory.write("two", to: "b")
        #expect(rename(directory.file("b"), directory.file("a")) == 0)
        let second = await fetched("a", try validators(first))
        #expect(second.text == "two")
        let file = try FileHandle(forWritingTo: URL(fileURLWithPath: directory.file("a")))
        try file.seekToEnd()
        try file.write(contentsOf: Data(" more".utf8))
        try file.close()
        #expect(await fetched("a", try validators(second)).text == "two more")
    }

    @Test("a missing file, a directory, a device, a pipe and a dangling link are failures")
    func unusable() async throws {
        try FileManager.default.createSymbolicLink(atPath: directory.file("link"), withDestinationPath: "nowhere")
        for name in ["missing", "", "link", "link/x"] {
            #expect(await fetched(name).code == .file, "\(name)")
        }
        #expect(await FileSource.fetched(FileSource(path: "/dev/zero")).code == .file)
        #expect(await FileSource.fetched(FileSource(path: "")).code == .file)
        #expect(mkfifo(directory.file("pipe"), 0o600) == 0)
        #expect(await fetched("pipe") == .failed(.file, "\(directory.file("pipe")) is not a file"))
    }

    @Test("a file of exactly the limit is read, and one byte more is not")
    func size() async throws {
        directory.write("", to: "empty")
        directory.write("four", to: "four")
        #expect(await fetched("empty", maxDocumentSize: 4).text == "")
        #expect(await fetched("four", maxDocumentSize: 4).text == "four")
        #expect(await fetched("four", maxDocumentSize: 3).code == .tooLarge)
        #expect(await fetched("four", maxDocumentSize: .max).text == "four")
        // A file that says it is empty is read to its end, and no further than the limit.
        let whole = await FileSource.fetched(FileSource(path: "/proc/self/status"))
        #expect(whole.text?.hasPrefix("Name:") == true)
        #expect(await FileSource.fetched(FileSource(path: "/proc/self/status", maxDocumentSize: 10)).code == .tooLarge)
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
