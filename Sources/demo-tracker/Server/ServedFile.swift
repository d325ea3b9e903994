import Glibc
import TrackerCore

/// A regular file as it is now.
struct ServedFile {
    /// The bytes.
    let content: [UInt8]

    /// When it was last changed, in seconds since 1970.
    let seconds: Int

    /// Reads a file at a path below `directory`; nil if there is none, or if it is outside.
    init?(path: String, in directory: String) {
        guard Self.isPlain(path) else { return nil }
        // Without O_NONBLOCK, opening a named pipe would wait for a writer.
        let descriptor = open(directory + path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }

        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG,
            Self.isOpen(descriptor, below: directory),
            let content = Self.read(descriptor, expecting: Int(status.st_size))
        else { return nil }
        self.content = content
        seconds = status.st_mtim.tv_sec
    }

    /// A strong entity tag: the same for the same bytes, also on another machine.
    var entityTag: String {
        var hash = StableHash()
        hash.combine(content)
        return "\"\(hash.hex)\""
    }

    /// Whether the path is one from the root without a step upwards, and C sees all of it.
    private static func isPlain(_ path: String) -> Bool {
        let parts = path.utf8.split(separator: UInt8(slash))
        return path.utf8.first == UInt8(slash) && !path.utf8.contains(0)
            && !parts.contains { $0.elementsEqual("..".utf8) }
    }

    /// Asks for the place of the open file: between a look at its path and the opening, a link could be exchanged.
    private static func isOpen(_ descriptor: Int32, below directory: String) -> Bool {
        guard let root = realpath(directory, nil) else { return false }
        defer { free(root) }
        var place = [CChar](repeating: 0, count: Int(PATH_MAX))
        let length = readlink("/proc/self/fd/\(descriptor)", &place, place.count)
        let rootLength = strlen(root)
        // Bytes, not characters: to a String, two spellings of an accent are the same name.
        return length > rootLength && memcmp(place, root, rootLength) == 0
            && (place[rootLength] == slash || root[rootLength - 1] == slash)
    }

    private static let slash = CChar(0x2f)

    private static func read(_ descriptor: Int32, expecting size: Int) -> [UInt8]? {
        var content: [UInt8] = []
        var received = -1
        repeat {
            let piece = [UInt8](unsafeUninitializedCapacity: max(4096, size - content.count)) { bytes, count in
                received = Glibc.read(descriptor, bytes.baseAddress, bytes.count)
                count = max(0, received)
            }
            content = content.isEmpty ? piece : content + piece
        } while received > 0
        return received == 0 ? content : nil
    }
}
