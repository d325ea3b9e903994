import TrackerCore
import TrackerLoopbackServer
import TrackerTesting

/// The protocol of a Snowplow collector: its responses, and the events of its requests.
enum Collector {
    /// Answers `POST /VENDOR/VERSION` and `GET /i`; nil for every other request.
    /// - Parameter request: The request.
    /// - Returns: The answer, and the events of the request in their order.
    static func answer(_ request: ServerRequest) -> (reply: ServerReply, events: [EventPayload])? {
        let parts = request.path.split(separator: "/", omittingEmptySubsequences: false)
        let isVendorPath = parts.count == 3 && parts[0].isEmpty && !parts[1].isEmpty && !parts[2].isEmpty
        guard request.method == "GET" && request.path == "/i" || request.method == "POST" && isVendorPath else {
            return nil
        }
        let headers = request.headers.map { HTTPHeader(name: $0.name, value: $0.value) }
        let events = HTTPTransportRequest(
            method: request.method, url: request.target, headers: headers, body: request.body
        ).payloads
        let (status, text) = events.isEmpty ? (400, "no events") : (200, "ok")
        let type = (name: "Content-Type", value: "text/plain")
        return (.response(status: status, headers: [type], body: Array(text.utf8)), events)
    }
}
