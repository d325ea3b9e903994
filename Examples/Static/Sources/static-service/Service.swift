import TrackerConfig
import TrackerFeatures

/// A service that is one file: Swift's libraries are linked into it, and full Foundation is not among them.
@main
enum Service {
    static func main() async throws {
        var options = SetupOptions()
        options.source = FixedDocument()
        options.cache = MemoryCache()
        options.stateDirectory = CommandLine.arguments.dropFirst().first
        let setup = try Setup(remote: RemoteConfiguration(endpoint: "https://config.example.com"), options: options)
        print(await setup.refresh())
        print("search \(setup.features.isEnabled("search") ? "on" : "off")")
        setup.tracker("shop")?.track(Structured(category: "service", action: "start"))
        await setup.shutdown(timeout: .zero)
    }
}

/// A document that is part of the service; its collector has an international host name, in Punycode.
struct FixedDocument: ConfigurationSource {
    private static let text = """
        {"$schema": "http://iglucentral.com/schemas/com.snowplowanalytics.mobile/remote_config/jsonschema/1-0-1",
         "configurationVersion": 1, "configurationBundle": [
           {"namespace": "shop", "networkConfiguration": {"endpoint": "https://xn--bcher-kva.example"}}],
         "features": {"search": {"enabled": true}}}
        """

    func fetch(_ validators: DocumentValidators?) async throws(FetchError) -> FetchedDocument? {
        FetchedDocument(Array(Self.text.utf8))
    }
}
