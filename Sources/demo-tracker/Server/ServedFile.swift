import Foundation
import TrackerCore

/// A regular file with its current content.
struct ServedFile {
    /// The bytes.
    let content: [UInt8]

    /// Reads a file at a path relative to `directory`; nil if it does not exist or is outside.
    init?(path: String, in directory: String) {
        // C strings end at the first zero byte. Without O_NONBLOCK, opening a named pipe would wait for a writer.
        let descriptor = open(directory + path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }

        var status = stat()
        guard !path.utf8.contains(0), fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG,
            Self.isOpen(descriptor, below: directory),
            // An unreadable file counts as missing.
            let content = try? [UInt8](
                contentsOf: descriptor, path: path, size: Int(status.st_size), atMost: [UInt8].largestFile)
        else { return nil }
        self.content = content
    }

    /// A strong entity tag: equal for equal bytes, also on other machines.
    var entityTag: String {
        var hash = StableHash()
        hash.combine(content)
        return "\"\(hash.hex)\""
    }

    /// Checks the path of the open file, because a symbolic link could be exchanged before the file is opened.
    private static func isOpen(_ descriptor: Int32, below directory: String) -> Bool {
        guard let resolved = realpath(directory, nil) else { return false }
        defer { free(resolved) }
        let root = String(cString: resolved)
        // nil if /proc is not mounted.
        let place = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\(descriptor)")
        // Compare bytes: as a String, different spellings of an accent would be equal.
        return place?.utf8.starts(with: (root == "/" ? root : "\(root)/").utf8) ?? false
    }
}
