import Foundation
import TestSupport
import Testing
import TrackerCore

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
            let error = try #require(throws: FileError.self) { try [UInt8](contentsOfFile: directory.file(name)) }
            #expect(error.operation == .read)
            #expect(error.errorNumber == number, "\(name)")
        }
    }
}
