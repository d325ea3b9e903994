import Foundation

extension [UInt8] {
    /// The bound of a file whose reader names none, in bytes: 1 GiB.
    package static var largestFile: Int { 1 << 30 }

    /// Reads a whole file; nil if there is none.
    ///
    /// A pipe, a device and a directory are errors, and are not waited for.
    /// - Parameters:
    ///   - path: The file.
    ///   - limit: The largest file that is read, in bytes; 1 GiB by default.
    ///   - followsLinks: Whether the path may be a symbolic link; false by default. Its directory may always be one.
    /// - Throws: A ``FileError`` if the file cannot be read or is larger than `limit`.
    package init?(
        contentsOfFile path: String, atMost limit: Int = Self.largestFile, followsLinks: Bool = false
    ) throws(FileError) {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | (followsLinks ? 0 : O_NOFOLLOW))
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
        guard information.st_size <= limit else { throw FileError(tooLarge: path, limit: limit) }
        let data: Data
        do {
            // nil is the end of the file, here that of an empty one. One byte more tells a file that grew meanwhile.
            data = try file.read(upToCount: limit < .max ? limit + 1 : .max) ?? Data()
        } catch {
            throw FileError(.read, path: path)
        }
        guard data.count <= limit else { throw FileError(tooLarge: path, limit: limit) }
        self = Array(data)
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
