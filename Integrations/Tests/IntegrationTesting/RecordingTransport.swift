import FoundationEssentials
import Synchronization
package import TrackerConfig

/// A transport that answers each request at once and remembers it.
package final class RecordingTransport: HTTPTransport {
    private struct State {
        var requests: [HTTPTransportRequest] = []
        var status = 200
    }

    private let state = Mutex(State())

    package init() {}

    /// All requests so far.
    package var requests: [HTTPTransportRequest] { state.withLock { $0.requests } }

    /// Answers all later requests with a status; 200 at the beginning.
    package func answer(_ status: Int) {
        state.withLock { $0.status = status }
    }

    package func send(_ request: HTTPTransportRequest) async throws(HTTPTransportError) -> HTTPTransportResponse {
        state.withLock { state in
            state.requests.append(request)
            return HTTPTransportResponse(status: state.status)
        }
    }

    /// The events that arrived, each as the fields of the tracker protocol.
    package func events() throws -> [[String: String]] {
        try requests.filter { $0.method == "POST" }.flatMap { request in
            try JSONDecoder().decode(Payload.self, from: Data(request.body ?? [])).data
        }
    }

    private struct Payload: Decodable {
        let data: [[String: String]]
    }
}

extension [String: String] {
    /// The data of an event's entities of a schema, as `trace_context`.
    package func entities(_ name: String) throws -> [JSONValue] {
        let contexts = try JSONDecoder().decode(JSONValue.self, from: Data((self["co"] ?? #"{"data":[]}"#).utf8))
        return (contexts["data"]?.array ?? []).filter { $0["schema"]?.string?.contains("/\(name)/") == true }
            .compactMap { $0["data"] }
    }
}
