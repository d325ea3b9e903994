/// Features from a file of its own, of the form `{"features": {…}}`; a whole document will do too.
public struct JSONFileProvider: FeatureValueProvider {
    /// What explanations call it; built in: the file's path.
    public let name: String

    /// How its encrypted variables are read; nil as ``FeatureOptions/decrypt`` says.
    public let decrypt: Decryptor?

    private let path: String
    private let interval: Duration?
    private let time: any TimeSource

    /// Creates a provider.
    /// - Parameters:
    ///   - path: The file; one that is not there counts as empty.
    ///   - name: What explanations call it; nil, which is built in, is the path.
    ///   - interval: How often it is looked whether the file has changed, 0.1 s or more; nil, which is built in, only at
    ///     ``Features/reload()``.
    ///   - decrypt: How its encrypted variables are read.
    ///   - time: The clock; another one is for tests.
    public init(
        path: String, name: String? = nil, every interval: Duration? = nil, decrypt: Decryptor? = nil,
        time: any TimeSource = SystemTime()
    ) {
        self.path = path
        self.name = name ?? path
        self.interval = interval.map { max($0, .milliseconds(100)) }
        self.decrypt = decrypt
        self.time = time
    }

    /// Reads the file.
    /// - Returns: Its features, and what is odd about it.
    /// - Throws: ``FileError`` where it cannot be read, ``ConfigurationError`` with the place where it is wrong.
    public func load() throws -> ProvidedFeatures {
        guard let text = try [UInt8](contentsOfFile: path, followsLinks: true) else { return ProvidedFeatures([]) }
        let file = try FeaturesFile(text)
        return ProvidedFeatures(file.features, warnings: file.warnings)
    }

    /// true: rules of the file may have sticky experiments, whose assignments stay stored while the file cannot be read.
    public var hasExperiments: Bool { true }

    /// An element each time when the file is another one, by its number, size or time.
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
