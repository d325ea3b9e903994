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
        guard mount("none", path, "tmpfs", 0, "size=\(kilobytes)k") == 0 else {
            try? FileManager.default.removeItem(atPath: path)
            throw Refused()
        }
    }

    deinit {
        // Lazily: what a test let go of may still be about to close its files.
        umount2(path, Int32(MNT_DETACH))
        try? FileManager.default.removeItem(atPath: path)
    }

    package func makeReadOnly() throws {
        guard mount("none", path, "tmpfs", UInt(MS_REMOUNT | MS_RDONLY), nil) == 0 else { throw Refused() }
    }
}
