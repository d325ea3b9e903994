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
        (self.path, self.maxDocumentSize) = (path, maxDocumentSize)
        (self.isWatched, self.fileSystem) = (isWatched, fileSystem)
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

    /// Watches the directory of the path, and the directory of its target if it is a link, with inotify.
    ///
    /// A hint follows each event that replaces the path's target or completes a write to it. An empty file is
    /// incomplete and causes no hint. The connection ends with an error if one of the directories cannot be watched or
    /// is on a file system that other machines write to.
    package func changes() -> AsyncThrowingStream<ChangeHint, any Error>? {
        guard isWatched else { return nil }
        return .connection { hint throws(FetchError) in
            let (wakeUps, wakeUp) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
            let inotify = try Inotify { wakeUp.yield() }
            try watch(inotify)
            var seen = contentTag
            hint(ChangeHint())
            for await _ in wakeUps {
                try watch(inotify)
                guard let tag = contentTag, tag != seen else { continue }
                seen = tag
                hint(ChangeHint())
            }
        }
    }

    /// Watches the current directories, the path's own first, so that no exchange of a link in it is missed.
    private func watch(_ inotify: Inotify) throws(FetchError) {
        var watches: Set<Int32> = []
        try watch(path, inotify, &watches)
        if let target = realpath(path, nil) {
            defer { free(target) }
            try watch(String(cString: target), inotify, &watches)
        }
        inotify.keep(watches)
    }

    private func watch(_ path: String, _ inotify: Inotify, _ watches: inout Set<Int32>) throws(FetchError) {
        let end = path.lastIndex(of: "/")
        let directory = end.map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? "."
        if let network = fileSystem(directory)?.remoteName {
            throw FetchError(
                .file, reason: "\(directory) is on \(network), where changes by other machines are not seen")
        }
        watches.insert(try inotify.add(directory))
    }

    /// The tag of the file; nil if it is missing or empty.
    private var contentTag: String? {
        var information = stat()
        return stat(path, &information) == 0 && information.st_size > 0 ? Self.tag(of: information) : nil
    }
}
