import Foundation

extension [UInt8] {
    /// Reads a whole file; nil where there is none.
    package init?(contentsOfFile path: String) throws(FileError) {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else {
            if errno == ENOENT || errno == ENOTDIR { return nil }
            throw FileError(.open, path: path)
        }
        let file = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        do {
            // nil is the end of the file, here that of an empty one.
            self = Array(try file.readToEnd() ?? Data())
        } catch {
            throw FileError(.read, path: path)
        }
    }

    /// Writes a new file that only this user can read, and waits until it is on the disk.
    package func write(to path: String) throws(FileError) {
        let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw FileError(.open, path: path) }
        defer { close(descriptor) }
        var written = 0
        while written < count {
            let count = withUnsafeBytes { Foundation.write(descriptor, $0.baseAddress! + written, $0.count - written) }
            if count < 0 && errno == EINTR { continue }
            guard count > 0 else { throw FileError(.write, path: path) }
            written += count
        }
        guard fsync(descriptor) == 0 else { throw FileError(.write, path: path) }
    }
}
