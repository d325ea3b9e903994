package import TrackerCore
import TrackerLoopbackServer

extension HTTPTransportRequest {
    private static let envelope = "iglu:com.snowplowanalytics.snowplow/payload_data/jsonschema/"

    /// The events of a request to a collector, from a POST request's envelope or a GET request's query; empty for any
    /// other request.
    package var payloads: [EventPayload] {
        guard method == "POST" else {
            let query = ServerRequest(target: url).query
            guard method == "GET", query.contains(where: { $0.name == "eid" }) else { return [] }
            return [EventPayload(JSONObject(query.map { ($0.name, .string($0.value)) }))]
        }
        let isCompressed = headers.contains { $0.name.lowercased() == "content-encoding" && $0.value == "gzip" }
        let bytes = isCompressed ? body.flatMap { Gzip.decompress($0) } : body
        // A body that is not JSON holds no events.
        guard let bytes, let envelope = try? JSONReader.read(written: bytes).value,
            envelope["schema"]?.string?.hasPrefix(Self.envelope) == true
        else { return [] }
        return (envelope["data"]?.array ?? []).compactMap { $0.object.map(EventPayload.init) }
    }
}

extension EventPayload {
    /// The parameters by name.
    package var texts: [String: String] {
        Dictionary(parameters.members.map { ($0.name, $0.value.string ?? "") }) { first, _ in first }
    }
}
