import Foundation
import TestSupport
import Testing
import TrackerConfig
import TrackerCore
import TrackerTesting

/// The hints of a document in a file, with the system's own inotify.
@Suite("Hints of a file", .endsWhenItHangs)
struct FileHintTests {
    private let directory = TemporaryDirectory()

    private func listen(to name: String = "a", at path: String? = nil) async throws -> FileListener {
        let listener = FileListener(FileSource(path: path ?? directory.file(name)))
        try await listener.wait { $0.isConnected }
        return listener
    }

    private func link(_ name: String, to target: String) throws {
        try FileManager.default.createSymbolicLink(atPath: directory.file("new link"), withDestinationPath: target)
        move("new link", to: name)
    }

    private func move(_ name: String, to other: String) {
        #expect(rename(directory.file(name), directory.file(other)) == 0)
    }

    private func makeDirectory(_ name: String) throws {
        try FileManager.default.createDirectory(atPath: directory.file(name), withIntermediateDirectories: true)
    }

    @Test("a file that is moved to the path, or removed and made again, gives one")
    func replaced() async throws {
        directory.write("one", to: "a")
        let listener = try await listen()
        #expect(listener.current.text == "one")
        for text in ["two", "three"] {
            directory.write(text, to: "b")
            move("b", to: "a")
            try await listener.wait { $0.text == text }
        }
        unlink(directory.file("a"))
        try Data("four".utf8).write(to: URL(filePath: directory.file("a")), options: [])
        try await listener.wait { $0.text == "four" }
        #expect(listener.current.failure == nil)
        await listener.close()
    }

    @Test("a file that is written in place gives one when it is closed, under whichever name it was opened")
    func written() async throws {
        directory.write("one", to: "a")
        #expect(Glibc.link(directory.file("a"), directory.file("b")) == 0)
        let listener = try await listen()
        for name in ["a", "b"] {
            let file = try FileHandle(forWritingTo: URL(filePath: directory.file(name)))
            try file.truncate(atOffset: 0)
            try file.write(contentsOf: Data("half ".utf8))
            try file.write(contentsOf: Data(name.utf8))
            let before = listener.current.hints
            try file.close()
            try await listener.wait { $0.text == "half \(name)" }
            #expect(listener.current.hints == before + 1)
        }
        await listener.close()
    }

    @Test("a ConfigMap's swap gives one, also when the directory before is removed, and so does one behind the link")
    func configMap() async throws {
        try makeDirectory("..1")
        directory.write("1", to: "..1/a")
        try link("..data", to: "..1")
        try link("a", to: "..data/a")
        let listener = try await listen()
        for number in 2...5 {
            try makeDirectory("..\(number)")
            directory.write("\(number)", to: "..\(number)/a")
            try link("..data", to: "..\(number)")
            try await listener.wait { $0.text == "\(number)" }
            try FileManager.default.removeItem(atPath: directory.file("..\(number - 1)"))
        }
        try makeDirectory("far/away")
        directory.write("far", to: "far/away/a")
        try link("..data", to: directory.file("far/away/../away/"))
        try await listener.wait { $0.text == "far" }
        // In the directory that the path leads to, and then in its place.
        directory.write("close", to: "b")
        move("b", to: "far/away/a")
        try await listener.wait { $0.text == "close" }
        try makeDirectory("other")
        directory.write("other", to: "other/a")
        move("far/away", to: "old")
        move("other", to: "far/away")
        try await listener.wait { $0.text == "other" }
        await listener.close()
    }

    @Test("files beside the document, and an empty one that is being made, give none")
    func others() async throws {
        directory.write("one", to: "a")
        let listener = try await listen()
        for number in 0..<100 { directory.write("\(number)", to: "log") }
        unlink(directory.file("a"))
        let file = open(directory.file("a"), O_CREAT | O_WRONLY, 0o600)
        directory.write("two", to: "b")
        move("b", to: "a")
        close(file)
        try await listener.wait { $0.text == "two" }
        #expect(listener.current.hints == 1)
        await listener.close()
    }

    @Test("a directory that is missing, or moved away, ends the connection with a sentence, and the next one sees it")
    func missing() async throws {
        let listener = FileListener(FileSource(path: directory.file("x/a")))
        try await listener.wait { $0.failure != nil }
        let reason = "cannot watch \(directory.file("x")) for changes: No such file or directory"
        #expect(listener.current.failure?.reason == reason)
        for text in ["one", "two"] {
            try makeDirectory("x")
            directory.write(text, to: "x/a")
            try await listener.wait { $0.text == text }
            move("x", to: text)
        }
        await listener.close()
    }

    @Test(
        "on a network's file system it says that it is only polled",
        arguments: [(0x6969, "NFS"), (0x6573_5546, "FUSE")])
    func network(type: Int, name: String) async throws {
        directory.write("one", to: "a")
        let listener = FileListener(FileSource(path: directory.file("a")) { _ in FileSystem(type: type) })
        try await listener.wait { $0.failure != nil }
        let reason = "\(directory.path) is on \(name), where changes by other machines are not seen"
        #expect(listener.current.failure?.reason == reason)
        #expect(!listener.current.isConnected)
        await listener.close()
    }

    @Test("a process without descriptors gets a sentence, and a connection when it has some", .mayBlock)
    func limits() async {
        await #expect(processExitsWith: .success) {
            let directory = TemporaryDirectory()
            directory.write("one", to: "a")
            var limit = rlimit()
            getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
            var none = rlimit(rlim_cur: 0, rlim_max: limit.rlim_max)
            setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &none)
            let listener = FileListener(FileSource(path: directory.file("a")))
            // Without a descriptor Swift's clock cannot sleep either.
            while listener.current.failure == nil { await Task.yield() }
            setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
            #expect(
                listener.current.failure?.reason
                    == "cannot watch files for changes: the limit of open files, or fs.inotify.max_user_instances, is reached"
            )
            try await listener.wait { $0.isConnected }
            await listener.close()
        }
    }

    @Test("20 connections have a descriptor each, which no child inherits, and leave nothing", .mayBlock)
    func resources() async {
        await #expect(processExitsWith: .success) {
            func descriptors() throws -> [String] {
                try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").filter { name in
                    (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\(name)"))?
                        .contains("inotify") == true
                }
            }
            let directory = TemporaryDirectory()
            directory.write("one", to: "a")
            let listeners = (0..<20).map { _ in FileListener(FileSource(path: directory.file("a"))) }
            for listener in listeners { try await listener.wait { $0.isConnected } }
            for name in try descriptors() {
                let flags = try String(contentsOfFile: "/proc/self/fdinfo/\(name)", encoding: .utf8)
                #expect(flags.contains("flags:\t02004000"), "\(flags)")
            }
            #expect(try descriptors().count == 20)
            directory.write("two", to: "a")
            for listener in listeners { try await listener.wait { $0.text == "two" } }
            for listener in listeners { await listener.close() }
            try await waitUntil("no descriptor is left") { try descriptors().isEmpty }
        }
    }
}
