package import TrackerConfig
package import TrackerTesting

/// A setup with one tracker, `shop`, whose files are in a temporary directory, and which sends events to the test.
package final class TestService: Sendable {
    package let setup: Setup
    package let source: DocumentSource
    package let collector: RecordingCollector
    package let directory: TemporaryDirectory

    /// Starts a setup.
    /// - Parameters:
    ///   - document: The members of the document that the setup fetches, as `"features": {}`; nil for none.
    ///   - configure: Changes the options.
    ///   - onSuccess: Called for each configuration that is applied.
    /// - Throws: If the setup cannot be made.
    package init(
        document: String? = nil, configure: (inout SetupOptions) -> Void = { _ in },
        onSuccess: @escaping @Sendable (ConfigurationUpdate) -> Void = { _ in }
    ) throws {
        source = DocumentSource()
        collector = RecordingCollector()
        directory = TemporaryDirectory()
        if let document { source.serve(1, document) }
        var options = SetupOptions()
        options.source = source
        options.cache = MemoryCache()
        options.stateDirectory = directory.path
        options.storesEvents = false
        options.transport = collector
        configure(&options)
        var tracker = TrackerConfiguration()
        tracker.base64Encoding = false
        setup = try Setup(
            remote: RemoteConfiguration(endpoint: "http://config.example.com/shop.json"),
            default: [
                ConfigurationBundle(
                    namespace: "shop", network: NetworkConfiguration(endpoint: "http://collector.example.com"),
                    tracker: tracker)
            ], version: 0, options: options, onSuccess: onSuccess)
    }

    /// The tracker.
    package var tracker: Tracker { setup.tracker("shop")! }
}
