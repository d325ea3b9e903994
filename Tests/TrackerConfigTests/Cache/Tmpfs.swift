import Foundation

/// A small disk of its own for a test, unmounted with it; needs the right to mount.
final class Tmpfs: Sendable {
    struct Refused: Error {}

    let path: String

    /// Whether this machine lets the tests mount.
    static let isAllowed = (try? Tmpfs(kilobytes: 64)) != nil

    init(kilobytes: Int) throws {
        path = NSTemporaryDirectory() + "tracker-disk-" + UUID().uuidString
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        guard Self.run("mount", "-t", "tmpfs", "-o", "size=\(kilobytes)k", "none", path) else {
            try? FileManager.default.removeItem(atPath: path)
            throw Refused()
        }
    }

    deinit {
        _ = Self.run("umount", path)
        try? FileManager.default.removeItem(atPath: path)
    }

    func makeReadOnly() throws {
        guard Self.run("mount", "-o", "remount,ro", path) else { throw Refused() }
    }

    private static func run(_ words: String...) -> Bool {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = words
        process.standardError = FileHandle.nullDevice
        guard (try? process.run()) != nil else { return false }
        process.waitUntilExit()
        return process.terminationStatus == 0
    }
}
