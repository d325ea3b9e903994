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

    /// Takes all room that is left.
    package func fill() throws {
        let file = open("\(path)/filler", O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
        guard file >= 0 else { throw Refused() }
        defer { close(file) }
        let block = [UInt8](repeating: 0, count: 4096)
        while write(file, block, block.count) > 0 {}
    }

    /// Gives the room back that ``fill()`` took.
    package func empty() throws {
        guard unlink("\(path)/filler") == 0 else { throw Refused() }
    }
}
