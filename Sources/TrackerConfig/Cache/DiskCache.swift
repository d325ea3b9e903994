import Foundation

/// A cache of one file per URL, with the document before it beside it.
///
/// A file is written under another name, synced and renamed, so that no reader ever finds half of one; several processes
/// may share the directory.
public struct DiskCache: ConfigurationCache {
    private let directory: String

    /// Creates a cache.
    /// - Parameter directory: Where its files are; it is made at the first ``store(_:)``.
    public init(directory: String) {
        self.directory = directory
    }

    /// Finds the newest entry of a URL that can be used: the current one, else the one before it.
    /// - Parameters:
    ///   - url: The URL that the document was fetched from.
    ///   - isUsable: Says why an entry cannot be used, nil where it can.
    /// - Returns: The entry, and a sentence for each that was set aside.
    public func entry(
        for url: String, isUsable: (CacheEntry) -> String?
    ) -> (entry: CacheEntry?, warnings: [String]) {
        var warnings: [String] = []
        for path in [current(url), previous(url)] {
            let reason: String
            switch Self.read(path) {
            case .success(nil): continue
            case .success(let contents?):
                let entry = CacheEntry(fileContents: contents)
                if let entry, entry.url == url {
                    guard let fault = isUsable(entry) else { return (entry, warnings) }
                    reason = fault
                } else {
                    reason = entry == nil ? "it is damaged" : "it belongs to another URL"
                }
            case .failure(let error): reason = error.description
            }
            // Where the directory is read-only it stays and will be looked at again, which does no harm.
            let done = rename(path, "\(path).unusable") == 0 ? "was set aside" : "is passed over"
            warnings.append("the cached document \(path) cannot be used and \(done): \(reason)")
        }
        return (nil, warnings)
    }

    /// Keeps an entry as the current one of its URL, and the current one as the one before it.
    /// - Parameter entry: The entry.
    /// - Throws: Where it cannot be written; what was there stays.
    public func store(_ entry: CacheEntry) throws(FileError) {
        try StandardDirectory.create(directory)
        let path = current(entry.url)
        let temporary = "\(path).\(getpid()).\(UInt64.random(in: 0...UInt64.max)).tmp"
        do throws(FileError) {
            try Self.write(entry.fileContents, to: temporary)
            // Between the two renames a reader finds the previous document, which is as good as the current one was.
            if rename(path, previous(entry.url)) != 0 && errno != ENOENT { throw FileError(.rename, path: path) }
            if rename(temporary, path) != 0 { throw FileError(.rename, path: path) }
        } catch {
            unlink(temporary)
            throw error
        }
        Self.syncDirectory(directory)
    }

    private func current(_ url: String) -> String {
        var hash = StableHash()
        hash.combine(url.utf8)
        return "\(directory)/\(hash.hex).cache"
    }

    private func previous(_ url: String) -> String {
        "\(current(url)).previous"
    }

    private static func read(_ path: String) -> Result<[UInt8]?, FileError> {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else {
            return errno == ENOENT || errno == ENOTDIR ? .success(nil) : .failure(FileError(.open, path: path))
        }
        let file = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        do {
            // nil is the end of the file, here that of an empty one.
            return .success(Array(try file.readToEnd() ?? Data()))
        } catch {
            return .failure(FileError(.read, path: path))
        }
    }

    private static func write(_ bytes: [UInt8], to path: String) throws(FileError) {
        let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw FileError(.open, path: path) }
        defer { close(descriptor) }
        var written = 0
        while written < bytes.count {
            let count = bytes.withUnsafeBytes {
                Foundation.write(descriptor, $0.baseAddress! + written, $0.count - written)
            }
            if count < 0 && errno == EINTR { continue }
            guard count > 0 else { throw FileError(.write, path: path) }
            written += count
        }
        guard fsync(descriptor) == 0 else { throw FileError(.write, path: path) }
    }

    /// Makes a rename outlive a power failure; where it cannot, the document is fetched once more.
    private static func syncDirectory(_ path: String) {
        let descriptor = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { return }
        fsync(descriptor)
        close(descriptor)
    }
}
