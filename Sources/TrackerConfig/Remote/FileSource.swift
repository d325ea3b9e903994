package import TrackerFeatures
import TrackerPlatform

/// A document in a file, such as a mounted ConfigMap. Changes are noticed at once; see ``changes()``.
package struct FileSource: ConfigurationSource {
    let path: String
    let fileSystem: @Sendable (String) -> FileSystem?
    let isWatched: Bool
    private let maxDocumentSize: Int

    /// Creates a source.
    /// - Parameters:
    ///   - path: The file; symbolic links are followed at each fetch.
    ///   - maxDocumentSize: The maximum size of the document in bytes.
    ///   - isWatched: Whether the source sends hints.
    ///   - fileSystem: Returns the file system of a directory.
    package init(
        path: String, maxDocumentSize: Int = 1 << 20, isWatched: Bool = true,
        fileSystem: @escaping @Sendable (String) -> FileSystem? = { FileSystem(of: $0) }
    ) {
        self.path = path
        self.isWatched = isWatched
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
        let tag = Self.tag(of: information)
        if validators?.entityTag == tag { return nil }
        do throws(FileError) {
            let bytes = try [UInt8](
                contentsOf: descriptor, path: path, size: information.st_size, atMost: maxDocumentSize)
            return FetchedDocument(bytes, validators: DocumentValidators(entityTag: tag))
        } catch {
            // The file may have grown in the meantime.
            guard error.errorNumber != EFBIG else {
                throw FetchError(.tooLarge, reason: "\(path) is larger than \(maxDocumentSize) bytes")
            }
            throw FetchError(.file, reason: error.description, cause: error)
        }
    }

    /// A tag that changes with the file: a replacement changes the number of the inode, a write changes the time.
    static func tag(of information: stat) -> String {
        withUnsafeBytes(of: information.st_ctim) { bytes in
            var hash = StableHash()
            hash.combine(bytes)
            return "\(information.st_ino)-\(information.st_size)-\(hash.hex)"
        }
    }
}
