import Foundation

extension [UInt8] {
    private static var largestFile: Int { 1 << 30 }

    /// Reads a whole file; nil where there is none.
    ///
    /// What is no file, as a pipe or a device, is an error and is not waited for; so is a file that is larger than any
    /// of the SDK's own.
    package init?(contentsOfFile path: String) throws(FileError) {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else {
            if errno == ENOENT || errno == ENOTDIR { return nil }
            throw FileError(.open, path: path)
        }
        let file = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        var information = stat()
        guard fstat(descriptor, &information) == 0 else { throw FileError(.read, path: path) }
        guard information.st_mode & S_IFMT == S_IFREG else {
            let isDirectory = information.st_mode & S_IFMT == S_IFDIR
            throw FileError(.read, path: path, errorNumber: isDirectory ? EISDIR : EINVAL)
        }
        guard information.st_size <= Self.largestFile else {
            throw FileError(.read, path: path, errorNumber: EFBIG)
        }
        do {
            // nil is the end of the file, here that of an empty one.
            self = Array(try file.read(upToCount: Self.largestFile) ?? Data())
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
