import TrackerFeatures

/// The file that keeps the last good payload of a provider as served: a JSON object with the payload, its source and
/// its validators.
struct GrowthBookCacheFile: Sendable {
    // As a JSON string, a payload has at most twice its size. The rest exceeds the longest validators and URL.
    private static let maxSize = 2 * GrowthBookSource.maxPayloadSize + 16_384

    /// The path of the file, or of a symbolic link to it, which is not replaced.
    let named: String
    /// The URL of the payload; a file of another source is not used.
    let source: String

    private var path: String { AtomicFile.resolved(named) }

    /// Reads the file.
    /// - Returns: The payload; nil if there is no file, or if it has another source.
    /// - Throws: An error if it cannot be read.
    func read() throws -> FetchedDocument? {
        guard let bytes = try [UInt8](contentsOfFile: path, atMost: Self.maxSize) else { return nil }
        let file = try DocumentDecoder(bytes).root.value
        guard file["source"]?.string == source, let payload = file["payload"]?.string else { return nil }
        let validators = DocumentValidators(
            entityTag: file["entityTag"]?.string, lastModified: file["lastModified"]?.string)
        return FetchedDocument(Array(payload.utf8), validators: validators)
    }

    /// Writes the file on a separate thread.
    /// - Returns: The error if it could not be written.
    func write(_ document: FetchedDocument) async -> FileError? {
        let file = JSONObject(present: [
            ("source", .string(source)), ("entityTag", document.validators.entityTag.map(JSONValue.string)),
            ("lastModified", document.validators.lastModified.map(JSONValue.string)),
            ("payload", .string(String(decoding: document.bytes, as: UTF8.self))),
        ])
        let (path, bytes) = (path, Array("\(JSONValue.object(file))".utf8))
        return await withCheckedContinuation { continuation in
            // It waits for the disk, which must not block Swift's cooperative pool.
            WorkerThread.start(name: "growthbook") {
                do throws(FileError) {
                    try StandardDirectory.create(StandardDirectory.parent(of: path))
                    // Other processes hold the lock for some milliseconds.
                    let lock = try FileLock.waiting(path: "\(path).lock", atMost: .seconds(1))
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
