import TestSupport
import TrackerConfig
import TrackerCore

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
