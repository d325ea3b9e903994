import TrackerPlatform

extension [UInt8] {
    /// The default maximum size of a file, in bytes: 1 GiB.
    package static var largestFile: Int { 1 << 30 }

    /// Reads a whole file; nil if there is none.
    ///
    /// A pipe, a device and a directory are errors; the call does not block on them.
    /// - Parameters:
    ///   - path: The file.
    ///   - limit: The maximum size of the file, in bytes; 1 GiB by default.
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
        defer { close(descriptor) }
        var information = stat()
        guard fstat(descriptor, &information) == 0 else { throw FileError(.read, path: path) }
        guard information.st_mode & S_IFMT == S_IFREG else {
            let isDirectory = information.st_mode & S_IFMT == S_IFDIR
            throw FileError(.read, path: path, errorNumber: isDirectory ? EISDIR : EINVAL)
        }
        try self.init(contentsOf: descriptor, path: path, size: information.st_size, atMost: limit)
    }

    /// Reads an open file to its end.
    /// - Parameters:
    ///   - descriptor: The open file.
    ///   - path: The file, for the error.
    ///   - size: The size that the file is expected to have, in bytes.
    ///   - limit: The maximum size of the file, in bytes.
    /// - Throws: A ``FileError`` if the file cannot be read or is larger than `limit`.
    package init(contentsOf descriptor: Int32, path: String, size: Int, atMost limit: Int) throws(FileError) {
        guard size <= limit else { throw FileError(tooLarge: path, limit: limit) }
        var bytes = try Self.read(descriptor, path, atMost: size)
        // The file may have grown meanwhile.
        while true {
            let more = try Self.read(descriptor, path, atMost: 4096)
            if more.isEmpty { break }
            guard more.count <= limit - bytes.count else { throw FileError(tooLarge: path, limit: limit) }
            bytes += more
        }
        self = bytes
    }

    private static func read(_ descriptor: Int32, _ path: String, atMost most: Int) throws(FileError) -> [UInt8] {
        // All empty arrays share one object, to which the initializer below would write.
        guard most > 0 else { return [] }
        var failure: Int32 = 0
        let bytes = [UInt8](unsafeUninitializedCapacity: most) { buffer, count in
            while true {
                let read = TrackerPlatform.read(descriptor, buffer.baseAddress, most)
                if read < 0 && errno == EINTR { continue }
                (count, failure) = read < 0 ? (0, errno) : (read, 0)
                return
            }
        }
        guard failure == 0 else { throw FileError(.read, path: path, errorNumber: failure) }
        return bytes
    }

    /// Writes a new file that only this user can read.
    /// - Parameters:
    ///   - path: The file.
    ///   - isSynced: Whether to wait until it is on the disk; true by default.
    /// - Throws: A ``FileError``; part of the file may remain.
    package func write(to path: String, isSynced: Bool = true) throws(FileError) {
        let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw FileError(.open, path: path) }
        defer { close(descriptor) }
        var written = 0
        while written < count {
            let (count, failure) = FileSizeSignal.blocked {
                let count = withUnsafeBytes {
                    TrackerPlatform.write(descriptor, $0.baseAddress! + written, $0.count - written)
                }
                return (count, errno)
            }
            if count < 0 && failure == EINTR { continue }
            guard count > 0 else { throw FileError(.write, path: path, errorNumber: failure) }
            written += count
        }
        guard !isSynced || fsync(descriptor) == 0 else { throw FileError(.write, path: path) }
    }
}
