/// Features from a file of the form `{"features": {…}}`, or from a whole document.
public struct JSONFileProvider: FeatureValueProvider {
    /// The provider's name in explanations; built in: the file's path.
    public let name: String

    /// Decrypts its encrypted variables; nil uses ``FeatureOptions/decrypt``.
    public let decrypt: (@Sendable (EncryptedVariable) throws -> JSONValue)?

    // As a cached document.
    private static let largestFile = 64 << 20
    private let path: String
    private let interval: Duration?
    private let time: any TimeSource

    /// Creates a provider.
    /// - Parameters:
    ///   - path: The file, of at most 64 MiB; a missing file counts as empty.
    ///   - name: The provider's name in explanations; nil, which is built in, is the path.
    ///   - interval: The time between two checks for changes of the file, 0.1 s or more; nil, the default, checks only
    ///     at ``Features/reload()``.
    ///   - decrypt: Decrypts its encrypted variables.
    public init(
        path: String, name: String? = nil, every interval: Duration? = nil,
        decrypt: (@Sendable (EncryptedVariable) throws -> JSONValue)? = nil
    ) {
        self.init(path: path, name: name, every: interval, decrypt: decrypt, time: SystemTime())
    }

    package init(
        path: String, name: String? = nil, every interval: Duration? = nil,
        decrypt: (@Sendable (EncryptedVariable) throws -> JSONValue)? = nil, time: any TimeSource
    ) {
        self.path = path
        self.name = name ?? path
        self.interval = interval.map { max($0, .milliseconds(100)) }
        self.decrypt = decrypt
        self.time = time
    }

    /// Reads the file.
    /// - Returns: Its features and warnings.
    /// - Throws: An error if it cannot be read, ``ConfigurationError`` with the place if its content is wrong.
    public func load() throws -> ProvidedFeatures {
        guard let text = try [UInt8](contentsOfFile: path, atMost: Self.largestFile, followsLinks: true) else {
            return ProvidedFeatures([])
        }
        return try ProvidedFeatures(json: text)
    }

    /// true: rules of the file may have sticky experiments, whose assignments stay stored while the file cannot be read.
    public var hasExperiments: Bool { true }

    /// An element each time that the file's inode, size or time changes.
    public var changes: AsyncStream<Void> {
        guard let interval else { return AsyncStream { $0.finish() } }
        // Of several changes that are not read yet, one is as good as all.
        return AsyncStream(bufferingPolicy: .bufferingNewest(1)) { [path, time] continuation in
            // At once, so that what changes before the task runs counts.
            let first = FileStamp(path, followsLinks: true)
            let task = Task {
                var last = first
                while await time.sleepUnlessCancelled(for: interval) {
                    let stamp = FileStamp(path, followsLinks: true)
                    if stamp != last { continuation.yield() }
                    last = stamp
                }
                continuation.finish()
            }
            continuation.onTermination = { _ in task.cancel() }
        }
    }
}
