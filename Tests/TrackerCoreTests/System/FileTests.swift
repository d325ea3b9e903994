import Foundation
import TestSupport
import Testing
import TrackerCore
import TrackerTesting

/// Whole files, read and written.
@Suite("Files", .endsWhenItHangs)
struct FileTests {
    private let directory = TemporaryDirectory()

    @Test("what was written is read, nothing but bytes and only by this user", arguments: [0, 1, 100_000])
    func roundTrip(size: Int) throws {
        let bytes = (0..<size).map { UInt8(truncatingIfNeeded: $0) }
        try bytes.write(to: directory.file("a"))
        #expect(try [UInt8](contentsOfFile: directory.file("a")) == bytes)
        #expect(directory.mode(of: "a") == 0o600)
        #expect(try [UInt8](contentsOfFile: directory.file("b")) == nil)
    }

    @Test("a pipe is not waited for, and neither it nor a device, a directory or a file without bound is read")
    func noFile() throws {
        #expect(mkfifo(directory.file("pipe"), 0o600) == 0)
        try FileManager.default.createSymbolicLink(
            atPath: directory.file("zero"), withDestinationPath: "/dev/zero")
        #expect(FileManager.default.createFile(atPath: directory.file("huge"), contents: nil))
        #expect(truncate(directory.file("huge"), 1 << 40) == 0)
        for (name, number) in [("pipe", EINVAL), ("zero", EINVAL), ("", EISDIR), ("huge", EFBIG)] {
            let error = try #require(throws: FileError.self) {
                try [UInt8](contentsOfFile: directory.file(name), followsLinks: true)
            }
            #expect(error.operation == .read)
            #expect(error.errorNumber == number, "\(name)")
        }
    }

    @Test("a link is an error unless it is to be followed; the directory may be one")
    func links() throws {
        directory.write("text", to: "file")
        let files = FileManager.default
        try files.createSymbolicLink(atPath: directory.file("link"), withDestinationPath: directory.file("file"))
        try files.createSymbolicLink(atPath: directory.file("also"), withDestinationPath: directory.path)
        let error = #expect(throws: FileError.self) { try [UInt8](contentsOfFile: directory.file("link")) }
        #expect(error?.errorNumber == ELOOP)
        #expect(error?.description.hasSuffix("it is a symbolic link, which is not followed") == true)
        #expect(try [UInt8](contentsOfFile: directory.file("link"), followsLinks: true) == Array("text".utf8))
        #expect(try [UInt8](contentsOfFile: directory.file("also/file")) == Array("text".utf8))
        #expect(throws: FileError.self) { try FileLock(path: directory.file("link")) }
        #expect(throws: FileError.self) { try StandardDirectory.checkNoLink(directory.file("link")) }
        try StandardDirectory.checkNoLink(directory.file("file"))
        try StandardDirectory.checkNoLink(directory.file("none"))
    }

    @Test("a database that is a link is not opened")
    func linkedDatabase() throws {
        directory.write("precious", to: "victim")
        for suffix in ["", "-wal", "-journal"] {
            let path = directory.file("database\(suffix)")
            try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: directory.file("victim"))
            let error = #expect(throws: EventStoreError.self) { try SQLiteDatabase(path: directory.file("database")) }
            #expect(error?.reason.contains("symbolic link") == true)
            try FileManager.default.removeItem(atPath: path)
        }
        #expect(try [UInt8](contentsOfFile: directory.file("victim")) == Array("precious".utf8))
    }

    @Test("a file above the bound is not read, and the sentence names the bound")
    func bounds() throws {
        directory.write("12345", to: "file")
        #expect(try [UInt8](contentsOfFile: directory.file("file"), atMost: 5)?.count == 5)
        let error = #expect(throws: FileError.self) { try [UInt8](contentsOfFile: directory.file("file"), atMost: 4) }
        #expect(error?.description == "cannot read \(directory.file("file")): it is larger than 4 bytes")
    }

    @Test("a file is replaced whole, under the lock by one name, and is only this user's")
    func replaced() throws {
        let path = directory.file("file")
        let lock = try #require(try FileLock(path: directory.file("lock")))
        for (text, lock) in [("one", lock), ("two", nil), ("three", lock)] as [(String, FileLock?)] {
            try AtomicFile.replace(path, with: Array(text.utf8), under: lock)
            #expect(try [UInt8](contentsOfFile: path) == Array(text.utf8))
        }
        #expect(directory.mode(of: "file") == 0o600)
        #expect(Set(directory.names) == ["file", "lock"])
        let error = #expect(throws: FileError.self) {
            try AtomicFile.replace(path, with: [], under: lock) { () throws(FileError) in
                throw FileError(.rename, path: path, errorNumber: EIO)
            }
        }
        #expect(error?.errorNumber == EIO)
        #expect(try [UInt8](contentsOfFile: path) == Array("three".utf8))
        #expect(Set(directory.names) == ["file", "lock"])
        try AtomicFile.create(path, with: Array("late".utf8), under: lock)
        #expect(try [UInt8](contentsOfFile: path) == Array("three".utf8))
    }

    @Test("directories that others can write are warned of, unless they are sticky", arguments: [0o700, 0o755])
    func directories(mode: Int) throws {
        #expect(chmod(directory.path, mode_t(mode)) == 0)
        #expect(StandardDirectory.warning(about: directory.path) == nil)
        for others in [0o020, 0o002, 0o022] {
            #expect(chmod(directory.path, mode_t(mode | others)) == 0)
            let warning = try #require(StandardDirectory.warning(about: directory.path))
            #expect(warning.contains("(mode \(String(mode | others, radix: 8)))"))
            #expect(chmod(directory.path, mode_t(mode | others | 0o1000)) == 0)
            #expect(StandardDirectory.warning(about: directory.path) == nil)
        }
        #expect(chmod(directory.path, 0o700) == 0)
        #expect(StandardDirectory.warning(about: directory.file("none")) == nil)
    }
}
