import Foundation

/// A small disk of its own for a test, unmounted with it; needs the right to mount.
package final class Tmpfs: Sendable {
    package struct Refused: Error {}

    package let path: String

    /// Whether this machine lets the tests mount.
    package static let isAllowed = (try? Tmpfs(kilobytes: 64)) != nil

    package init(kilobytes: Int) throws {
        path = NSTemporaryDirectory() + "tracker-disk-" + UUID().uuidString
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        guard Self.run("mount", "-t", "tmpfs", "-o", "size=\(kilobytes)k", "none", path) else {
            try? FileManager.default.removeItem(atPath: path)
            throw Refused()
        }
    }

    deinit {
        // Lazily: what a test let go of may still be about to close its files.
        _ = Self.run("umount", "-l", path)
        try? FileManager.default.removeItem(atPath: path)
    }

    package func makeReadOnly() throws {
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
