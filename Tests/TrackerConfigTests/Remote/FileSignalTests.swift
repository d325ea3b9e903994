import Foundation
import TestSupport
import Testing
import TrackerCore
import TrackerTesting

@testable import TrackerConfig

/// The signals of a document in a file, with the system's own inotify. The clock stands still, unless a test moves it.
@Suite("Signals of a file", .endsWhenItHangs)
struct FileSignalTests {
    private let directory = TemporaryDirectory()
    private let time = ManualTime()

    private func listen(to name: String = "a", at path: String? = nil) async throws -> FileListener {
        let listener = try FileListener(FileSource(path: path ?? directory.file(name), time: time))
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

    @Test("a file that is moved to the path is fetched at once")
    func renamed() async throws {
        directory.write("one", to: "a")
        let listener = try await listen()
        #expect(listener.text == "one")
        for text in ["two", "three"] {
            directory.write(text, to: "b")
            move("b", to: "a")
            try await listener.wait { $0.text == text }
        }
        await listener.close()
    }

    @Test("a file that is written in place is fetched when it is closed, under whichever name it was opened")
    func written() async throws {
        directory.write("one", to: "a")
        #expect(Glibc.link(directory.file("a"), directory.file("b")) == 0)
        let listener = try await listen()
        for name in ["a", "b"] {
            let file = try FileHandle(forWritingTo: URL(filePath: directory.file(name)))
            try file.truncate(atOffset: 0)
            try file.write(contentsOf: Data("half ".utf8))
            await time.waitForSleep(in: .seconds(1) ... .seconds(1))
            try file.write(contentsOf: Data(name.utf8))
            let before = listener.changes
            try file.close()
            try await listener.wait { $0.text == "half \(name)" }
            #expect(listener.changes == before + 1)
        }
        await listener.close()
    }

    @Test("a file that is written and not closed is fetched when it has been left alone for a second")
    func unclosed() async throws {
        directory.write("one", to: "a")
        let listener = try await listen()
        let file = try FileHandle(forWritingTo: URL(filePath: directory.file("a")))
        try file.write(contentsOf: Data("two".utf8))
        await time.waitForSleep(in: .seconds(1) ... .seconds(1))
        #expect(listener.text == "one" && listener.changes == 0)
        time.advance(by: .seconds(1))
        try await listener.wait { $0.text == "two" }
        try file.close()
        await listener.close()
    }

    @Test("a ConfigMap's swap is seen, also when the directory before is removed, and one after the other")
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
        // A link to an absolute path, and one through the directory above.
        try makeDirectory("far/away")
        directory.write("far", to: "far/away/a")
        try link("..data", to: directory.file("far/away/../away/"))
        try await listener.wait { $0.text == "far" }
        directory.write("close", to: "b")
        move("b", to: "far/away/a")
        try await listener.wait { $0.text == "close" }
        await listener.close()
    }

    @Test("what does not exist yet is seen when it is made: directories, a link that leads nowhere, the file")
    func missing() async throws {
        let listener = try await listen(to: "x/y/a")
        #expect(listener.text == nil)
        try makeDirectory("x")
        try makeDirectory("z")
        try link("x/y", to: "../z/w")
        try makeDirectory("z/v")
        directory.write("one", to: "z/v/a")
        move("z/v", to: "z/w")
        try await listener.wait(moving: time) { $0.text == "one" }
        await listener.close()
    }

    @Test("a removed file is fetched after a second, and one that is made again meanwhile at once")
    func removed() async throws {
        directory.write("one", to: "a")
        let listener = try await listen()
        unlink(directory.file("a"))
        await time.waitForSleep(in: .seconds(1) ... .seconds(1))
        #expect(listener.text == "one" && listener.changes == 0)
        directory.write("two", to: "a")
        try await listener.wait { $0.text == "two" }
        #expect(!listener.hasFailed)
        unlink(directory.file("a"))
        try await listener.wait(moving: time) { $0.hasFailed }
        await listener.close()
    }

    @Test("directories may be moved away, removed and made again, also those above")
    func movedDirectories() async throws {
        try makeDirectory("x/y")
        directory.write("one", to: "x/y/a")
        let listener = try await listen(to: "x/y/a")
        // Of the directory above, and then what is in its place.
        move("x", to: "old")
        try makeDirectory("x/y")
        directory.write("two", to: "x/y/a")
        try await listener.wait(moving: time) { $0.text == "two" }
        directory.write("not here", to: "old/y/a")
        try FileManager.default.removeItem(atPath: directory.file("x"))
        try await listener.wait(moving: time) { $0.hasFailed }
        move("old", to: "x")
        try await listener.wait(moving: time) { $0.text == "not here" }
        try FileManager.default.removeItem(atPath: directory.file("x/y"))
        try makeDirectory("x/y")
        directory.write("three", to: "x/y/a")
        try await listener.wait(moving: time) { $0.text == "three" }
        await listener.close()
    }

    @Test("after a disk was unmounted, the directory below it is watched", .enabled(if: Tmpfs.isAllowed))
    func unmounted() async throws {
        let disk = try Tmpfs(kilobytes: 64)
        try Data("one".utf8).write(to: URL(filePath: "\(disk.path)/a"), options: [])
        let listener = try await listen(at: "\(disk.path)/a")
        #expect(umount2(disk.path, 0) == 0)
        try await listener.wait(moving: time) { $0.hasFailed }
        try Data("two".utf8).write(to: URL(filePath: "\(disk.path)/a"), options: [])
        try await listener.wait(moving: time) { $0.text == "two" }
        await listener.close()
    }

    @Test("files beside the document signal nothing")
    func others() async throws {
        directory.write("one", to: "a")
        let listener = try await listen()
        for number in 0..<100 { directory.write("\(number)", to: "log") }
        directory.write("two", to: "b")
        move("b", to: "a")
        try await listener.wait { $0.text == "two" }
        // The move itself may be seen in two turns.
        #expect(1...2 ~= listener.changes)
        await listener.close()
    }

    @Test("links that lead in a circle end no process, and are seen when they lead somewhere")
    func circle() async throws {
        try link("a", to: "b")
        try link("b", to: "a")
        let listener = try await listen()
        directory.write("one", to: "c")
        try link("b", to: "c")
        try await listener.wait { $0.text == "one" }
        await listener.close()
    }

    @Test("events that the system has lost count as a change")
    func overflow() async throws {
        try makeDirectory("x")
        directory.write("one", to: "x/a")
        let inotify = try Inotify {}
        var watched = try WatchedPath(directory.file("x/a"), inotify) { FileSystem(of: $0) }
        move("x", to: "y")
        try makeDirectory("x")
        let lost = Inotify.Event(watch: -1, mask: UInt32(IN_Q_OVERFLOW), name: "")
        #expect(try watched.take(lost) == .onceQuiet)
        // What it leads to now is watched.
        _ = inotify.take()
        directory.write("two", to: "x/a")
        var effects: [WatchedPath.Effect] = []
        try await waitUntil("the write in the directory that was made anew is seen") {
            for event in inotify.take() { try watched.take(event).map { effects.append($0) } }
            return effects.contains(.now)
        }
    }

    @Test(
        "on a network's file system it says that it is only polled",
        arguments: [(0x6969, "NFS"), (0x6573_5546, "FUSE")])
    func network(type: Int, name: String) async throws {
        directory.write("one", to: "a")
        let listener = try FileListener(FileSource(path: directory.file("a")) { _ in FileSystem(type: type) })
        try await listener.wait { $0.hasEnded }
        let reason = "\(directory.path) is on \(name), where changes by other machines are not seen"
        #expect(listener.failure?.reason == reason)
        #expect(!listener.isConnected)
    }

    @Test("a process without descriptors gets a sentence, and a connection when it has some", .mayBlock)
    func limits() async {
        await #expect(processExitsWith: .success) {
            let directory = TemporaryDirectory()
            directory.write("one", to: "a")
            let source = FileSource(path: directory.file("a"))
            var limit = rlimit()
            getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
            var none = rlimit(rlim_cur: 0, rlim_max: limit.rlim_max)
            setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &none)
            let refused = try FileListener(source)
            // Without a descriptor Swift's clock cannot sleep either.
            while refused.failure == nil { await Task.yield() }
            setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
            #expect(
                refused.failure?.reason
                    == "cannot watch files for changes: the limit of open files, or fs.inotify.max_user_instances, is reached"
            )
            let listener = try FileListener(source)
            try await listener.wait { $0.isConnected }
            await listener.close()
        }
    }

    @Test("20 connections have a descriptor each, which no child inherits, one thread, and leave nothing", .mayBlock)
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
            let first = try FileListener(FileSource(path: directory.file("a")))
            try await first.wait { $0.isConnected }
            let threads = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/task").count
            let listeners = try (0..<20).map { _ in try FileListener(FileSource(path: directory.file("a"))) }
            for listener in listeners { try await listener.wait { $0.isConnected } }
            for name in try descriptors() {
                let flags = try String(contentsOfFile: "/proc/self/fdinfo/\(name)", encoding: .utf8)
                #expect(flags.contains("flags:\t02004000"), "\(flags)")
            }
            #expect(try descriptors().count == 21)
            directory.write("two", to: "a")
            for listener in listeners { try await listener.wait { $0.text == "two" } }
            // Dispatch's, which come with work and go, and the pool's.
            #expect(try FileManager.default.contentsOfDirectory(atPath: "/proc/self/task").count < threads + 16)
            for listener in listeners + [first] { await listener.close() }
            try await waitUntil("no descriptor is left") { try descriptors().isEmpty }
        }
    }
}
