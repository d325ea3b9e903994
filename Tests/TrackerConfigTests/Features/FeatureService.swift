import TestSupport
import TrackerConfig
import TrackerCore
import TrackerTesting

/// A service whose documents have features.
final class FeatureService: Sendable {
    let service = Service()

    /// A document with one tracker.
    static func document(_ version: Int, _ features: String, experiments: String = "[]") -> String {
        """
        {"$schema":"http://iglucentral.com/schemas/com.snowplowanalytics.mobile/remote_config/jsonschema/1-0-1",
        "configurationVersion":\(version),"configurationBundle":[{"namespace":"a",
        "networkConfiguration":{"endpoint":"collector.example"}}],"features":\(features),"experiments":\(experiments)}
        """
    }

    static func `default`(_ features: String, experiments: String = "[]") throws -> Document {
        try Document(Array(document(0, features, experiments: experiments).utf8), purpose: .default)
    }

    func publish(_ version: Int, _ features: String, experiments: String = "[]") {
        service.serve(Self.document(version, features, experiments: experiments))
    }

    /// Publishes a document, and lets a setup fetch it.
    @discardableResult
    func apply(
        _ version: Int, _ features: String, experiments: String = "[]", to setup: Setup
    ) async -> ConfigurationOutcome {
        publish(version, features, experiments: experiments)
        return await setup.refresh()
    }

    /// Starts with a default and waits for the first fetch.
    func start(
        default features: String = "{}", experiments: String = "[]",
        _ configure: (inout SetupOptions) -> Void = { _ in }
    ) async throws -> Setup {
        let document = try Self.default(features, experiments: experiments)
        let setup = try service.start(default: document, configure: configure)
        await service.settled()
        return setup
    }
}

extension Features {
    /// The features and experiments of a default document, without a setup.
    /// - Parameters:
    ///   - features: The document's features.
    ///   - experiments: The document's experiments.
    ///   - options: The options.
    ///   - time: The clock.
    ///   - log: The log.
    /// - Throws: If the document cannot be read.
    convenience init(
        _ features: String, experiments: String = "[]", options: FeatureOptions = FeatureOptions(),
        time: any TimeSource = SystemTime(), log: MemoryLog? = nil
    ) throws {
        let document = try FeatureService.default(features, experiments: experiments)
        let log = Log(log, level: .trace)
        self.init(
            options, defaultFeatures: document.features, defaultExperiments: document.experiments, log: log
        ) { $0.time = time }
        for warning in replaceDocument(by: nil) { log.warning("\(warning)") }
        store.listeners.release()
        follow()
        load { log.warning("\($0)") }
    }
}
