/// Features from a file of the form `{"features": {…}}`, or from a whole document.
public struct JSONFileProvider: FeatureValueProvider {
    /// The provider's name in explanations; built in: the file's path.
    public let name: String

    // The same limit as for cached documents.
    private static let largestFile = 64 << 20
    private let path: String
    private let interval: Duration?
    private let time: any TimeSource

    /// Creates a provider.
    /// - Parameters:
    ///   - path: The path of the file, of at most 64 MiB; a missing file counts as empty.
    ///   - name: The provider's name in explanations; nil, the default, for the path.
    ///   - interval: The time between two checks for changes of the file, 0.1 s or more; nil, the default, checks only
    ///     at ``Features/reload()``.
    public init(path: String, name: String? = nil, every interval: Duration? = nil) {
        self.init(path: path, name: name, every: interval, time: SystemTime())
    }

    package init(path: String, name: String? = nil, every interval: Duration? = nil, time: any TimeSource) {
        (self.path, self.name, self.time) = (path, name ?? path, time)
        self.interval = interval.map { max($0, .milliseconds(100)) }
    }

    /// Reads the file.
    /// - Returns: The file's features and warnings.
    /// - Throws: An error if it cannot be read, or ``ConfigurationError`` with the place if its content is invalid.
    public func load() throws -> ProvidedFeatures {
        guard let text = try [UInt8](contentsOfFile: path, atMost: Self.largestFile, followsLinks: true) else {
            return ProvidedFeatures([])
        }
        return try ProvidedFeatures(json: text)
    }

    /// An element each time that the file's inode, size or time changes.
    public var changes: AsyncStream<Void> {
        guard let interval else { return AsyncStream { $0.finish() } }
        // Read now, so that changes before the first check are noticed.
        let last = Locked(FileStamp(path, followsLinks: true))
        return AsyncStream(unfolding: { [path, time] in
            while await time.sleepUnlessCancelled(for: interval) {
                let stamp = FileStamp(path, followsLinks: true)
                if last.exchange(stamp) != stamp { return () }
            }
            return nil
        })
    }
}
