import Foundation
import TrackerCore

/// A regular file as it is now.
struct ServedFile {
    /// The bytes.
    let content: [UInt8]

    /// Reads a file at a path below `directory`; nil if there is none, or if it is outside.
    init?(path: String, in directory: String) {
        // C sees a path up to its first zero. Without O_NONBLOCK, opening a named pipe would wait for a writer.
        let descriptor = open(directory + path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }

        var status = stat()
        guard !path.utf8.contains(0), fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG,
            Self.isOpen(descriptor, below: directory),
            // A file that cannot be read is not there.
            let content = try? [UInt8](
                contentsOf: descriptor, path: path, size: Int(status.st_size), atMost: [UInt8].largestFile)
        else { return nil }
        self.content = content
    }

    /// A strong entity tag: the same for the same bytes, also on another machine.
    var entityTag: String {
        var hash = StableHash()
        hash.combine(content)
        return "\"\(hash.hex)\""
    }

    /// Asks for the place of the open file: between a look at its path and the opening, a link could be exchanged.
    private static func isOpen(_ descriptor: Int32, below directory: String) -> Bool {
        guard let resolved = realpath(directory, nil) else { return false }
        defer { free(resolved) }
        let root = String(cString: resolved)
        // Nil without a /proc.
        let place = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\(descriptor)")
        // Bytes, not characters: to a String, two spellings of an accent are the same name.
        return place?.utf8.starts(with: (root == "/" ? root : "\(root)/").utf8) ?? false
    }
}
