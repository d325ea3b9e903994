import TestSupport
import TrackerConfig
import TrackerCore

/// Two trackers, `a` and `b`, and what their collector gets.
final class ExposureSite: Sendable {
    let registry: TrackerRegistry
    let pipeline: EventPipeline
    private let transport = ScriptedTransport()

    /// With a collector of the test's own, or over the network to an endpoint.
    init(transport isScripted: Bool? = true, endpoint: String = "collector.example") {
        pipeline = EventPipeline(stateDirectory: nil, transport: isScripted == nil ? nil : transport)
        let bundles = ["a", "b"].map { namespace in
            ConfigurationBundle(
                namespace: namespace, network: NetworkConfiguration(endpoint: endpoint),
                tracker: TrackerConfiguration { $0.base64Encoding = false },
                emitter: EmitterConfiguration { $0.bufferOption = .single })
        }
        registry = TrackerRegistry(
            defaults: bundles, pipeline: SetupPipeline(time: SystemTime()) { [pipeline] _ in pipeline })
        _ = try? registry.apply(nil)
    }

    /// Lets experiments record their exposures by tracker `a`.
    func record(_ parts: inout Experiments.Parts) {
        parts.tracker = { [registry] in registry.tracker($0) }
        parts.options.exposureNamespaces = ["a"]
    }

    /// The events so far, once they have been sent.
    func events() async -> [[String: String]] {
        for namespace in ["a", "b"] { await registry.tracker(namespace)?.flush(timeout: .seconds(300)) }
        return transport.requests.flatMap(\.events)
    }

    /// The exposures so far, as `namespace {data}`.
    func told() async -> [String] {
        await events().compactMap { event in
            guard let text = event["ue_pr"], let data = try? JSONReader.read(Array(text.utf8)).value["data"],
                data["schema"]?.string == "iglu:io.tracker-config/exposure/jsonschema/1-0-1"
            else { return nil }
            return "\(event["tna"] ?? "?") \(data["data"] ?? .null)"
        }
    }
}
