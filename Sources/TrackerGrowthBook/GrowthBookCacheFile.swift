import TrackerFeatures

/// The file that keeps the last good payload of a provider.
///
/// Its first line is a JSON object with the source and the validators; the payload follows as it was served, encrypted if it
/// was.
struct GrowthBookCacheFile: Sendable {
    /// A payload and by what the server knows whether it has changed.
    struct Contents: Sendable, Equatable {
        var payload: [UInt8]
        var validators: DocumentValidators
    }

    // More than the longest validators and the longest URL.
    private static let maxHeadSize = 16_384
    // Other processes hold the lock for some milliseconds.
    private static let maxWait = Duration.seconds(1)

    private let named: String
    private let source: String
    private let maxSize: Int

    private var path: String { AtomicFile.resolved(named) }

    /// - Parameters:
    ///   - path: The file, or a symbolic link to it, which stays one.
    ///   - source: The URL of the payload; a file of another source is not used.
    ///   - maxSize: The largest payload in bytes.
    init(path: String, source: String, maxSize: Int) {
        (named, self.source, self.maxSize) = (path, source, maxSize)
    }

    /// Reads the file.
    /// - Returns: The contents; nil if there is no file, or if it is of another source.
    /// - Throws: An error if it cannot be read.
    func read() throws -> Contents? {
        let limit = maxSize + Self.maxHeadSize
        guard let bytes = try [UInt8](contentsOfFile: path, atMost: limit) else { return nil }
        let head = bytes.prefix { $0 != UInt8(ascii: "\n") }
        let members = try DocumentDecoder.parse(Array(head)).value
        guard members["source"]?.string == source else { return nil }
        let validators = DocumentValidators(
            entityTag: members["entityTag"]?.string, lastModified: members["lastModified"]?.string)
        return Contents(payload: Array(bytes.dropFirst(head.count + 1)), validators: validators)
    }

    /// Writes the file, on a thread of its own.
    /// - Returns: The error if it could not be written.
    func write(_ contents: Contents) async -> FileError? {
        let head = JSONObject(present: [
            ("source", .string(source)), ("entityTag", contents.validators.entityTag.map(JSONValue.string)),
            ("lastModified", contents.validators.lastModified.map(JSONValue.string)),
        ])
        let bytes = Array("\(JSONValue.object(head))\n".utf8) + contents.payload
        let path = self.path
        return await withCheckedContinuation { continuation in
            // It waits for the disk, which Swift's cooperative pool must not.
            WorkerThread.start(name: "growthbook") {
                do throws(FileError) {
                    try StandardDirectory.create(StandardDirectory.parent(of: path))
                    let lock = try FileLock.waiting(path: "\(path).lock", atMost: Self.maxWait)
                    defer { withExtendedLifetime(lock) {} }
                    try AtomicFile.replace(path, with: bytes, under: lock)
                    continuation.resume(returning: nil)
                } catch {
                    continuation.resume(returning: error)
                }
            }
        }
    }
}
