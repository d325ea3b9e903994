import Glibc

/// A document in a file, such as a mounted ConfigMap. Its changes are seen at once; see ``signals()``.
package struct FileSource: ConfigurationSource {
    let path: String
    let time: any TimeSource
    let fileSystem: @Sendable (String) -> FileSystem?
    let isWatched: Bool
    private let maxDocumentSize: Int

    /// Creates a source.
    /// - Parameters:
    ///   - path: The file; symbolic links are followed at each fetch.
    ///   - maxDocumentSize: The largest document in bytes.
    ///   - isWatched: Whether it has signals.
    ///   - time: The clock of the signals.
    ///   - fileSystem: Looks the file system of a directory up.
    package init(
        path: String, maxDocumentSize: Int = 1 << 20, isWatched: Bool = true, time: any TimeSource = SystemTime(),
        fileSystem: @escaping @Sendable (String) -> FileSystem? = { FileSystem(of: $0) }
    ) {
        self.path = path
        self.isWatched = isWatched
        self.time = time
        self.fileSystem = fileSystem
        self.maxDocumentSize = maxDocumentSize
    }

    /// Reads the file if its inode, size or time differs from the last read.
    package func fetch(_ validators: DocumentValidators?) async throws(FetchError) -> FetchedDocument? {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else {
            let error = FileError(.open, path: path)
            throw FetchError(.file, reason: error.description, cause: error)
        }
        defer { close(descriptor) }
        var information = stat()
        guard fstat(descriptor, &information) == 0, information.st_mode & S_IFMT == S_IFREG else {
            throw FetchError(.file, reason: "\(path) is not a file")
        }
        guard information.st_size <= maxDocumentSize else {
            throw FetchError(.tooLarge, reason: "\(path) is larger than \(maxDocumentSize) bytes")
        }
        // The number of the inode changes where a file is replaced, its times where it is written.
        let change = information.st_ctim
        let tag = withUnsafeBytes(of: change) { bytes in
            var hash = StableHash()
            hash.combine(bytes)
            return "\(information.st_ino)-\(information.st_size)-\(hash.hex)"
        }
        if validators?.entityTag == tag { return nil }
        do throws(FileError) {
            let bytes = try [UInt8](
                contentsOf: descriptor, path: path, size: information.st_size, atMost: maxDocumentSize)
            return FetchedDocument(bytes, validators: DocumentValidators(entityTag: tag))
        } catch {
            // The file may have grown meanwhile.
            guard error.errorNumber != EFBIG else {
                throw FetchError(.tooLarge, reason: "\(path) is larger than \(maxDocumentSize) bytes")
            }
            throw FetchError(.file, reason: error.description, cause: error)
        }
    }
}
