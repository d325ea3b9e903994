import Testing
import TrackerConfig
import TrackerFeatures
import TrackerGrowthBook

/// The features of a payload, as a service gets them from GrowthBook's provider.
struct GrowthBookService {
    /// A server that answers each request with one payload.
    private struct Server: HTTPTransport {
        let payload: JSONObject

        func send(_ request: HTTPTransportRequest) async throws(HTTPTransportError) -> HTTPTransportResponse {
            HTTPTransportResponse(status: 200, body: Array("\(JSONValue.object(payload))".utf8))
        }
    }

    let features: Features

    /// Fetches the payload, with the options of a service that sets none.
    init(_ payload: JSONObject) async throws {
        let provider = try Self.provider(payload)
        for await _ in provider.changes { break }
        features = Features(provider.load().features)
    }

    /// A provider of the payload.
    static func provider(_ payload: JSONObject, usesStickyBuckets: Bool = false) throws -> GrowthBookProvider {
        var options = GrowthBookOptions()
        options.usesStickyBuckets = usesStickyBuckets
        return try GrowthBookProvider(
            source: "https://growthbook.example/api/features/sdk-1", options: options,
            transport: Server(payload: payload))
    }

    /// What a feature is, in the words of GrowthBook's SDKs: `value`, `on`, `source`, `ruleId` and the variation's key.
    func result(of feature: String, _ context: FeatureContext) -> JSONObject { features.result(of: feature, context) }
}

extension Features {
    /// What a feature of GrowthBook's is, in the words of GrowthBook's SDKs.
    func result(of feature: String, _ context: FeatureContext) -> JSONObject {
        guard names.contains(feature) else {
            return ["value": nil, "on": false, "source": "unknownFeature", "ruleId": "", "key": nil]
        }
        let enabled = detail(feature, for: context)
        if enabled.reason == .disabled {
            return ["value": nil, "on": false, "source": "prerequisite", "ruleId": "", "key": nil]
        }
        let read = detail(feature, variable: "value", default: JSONValue.null, for: context)
        let source = enabled.variant != nil ? "experiment" : enabled.rule != nil ? "force" : "defaultValue"
        return [
            // A null has no variable, which leaves the value to a later rule.
            "value": read.rule == enabled.rule ? read.value : .null, "on": .bool(enabled.value),
            "source": .string(source), "ruleId": .string(enabled.rule ?? ""),
            "key": enabled.variant.map(JSONValue.string) ?? .null,
        ]
    }
}
