/// One request to a collector, planned but not written yet.
package struct CollectorRequest: Sendable {
    package private(set) var events: [StoredEvent]
    let usesPost: Bool
    /// Whether its only event is larger than a request may be.
    let isOversized: Bool

    private static let envelope = Array(
        "{\"schema\":\"iglu:com.snowplowanalytics.snowplow/payload_data/jsonschema/1-0-4\",\"data\":[".utf8)
    // The bytes of `,"stm":"1700000000000"` and of the comma after the event.
    private static let overhead = 23

    /// Divides events into requests: by anonymisation, by the byte limit, one event each for GET.
    /// - Parameters:
    ///   - events: The events.
    ///   - settings: The settings of the requests.
    /// - Returns: The requests, in the order of their events.
    package static func plan(_ events: [StoredEvent], settings: EffectiveSettings) -> [CollectorRequest] {
        guard settings.network.method == .post else {
            let limit = settings.emitter.byteLimitGet ?? .max
            return events.map { event in
                // A GET without parameters would be answered with 200, and a damaged event would count as sent.
                guard event.members != nil else {
                    return CollectorRequest(events: [event], usesPost: true, isOversized: false)
                }
                let request = CollectorRequest(events: [event], usesPost: false, isOversized: false)
                // The length of a time stamp is the same for the next 260 years.
                guard request.url(settings.endpoint, sentAt: 1_000_000_000_000).utf8.count > limit else {
                    return request
                }
                return CollectorRequest(events: [event], usesPost: true, isOversized: true)
            }
        }
        let limit = settings.emitter.byteLimitPost ?? .max
        var requests: [CollectorRequest] = []
        // The last request that is not oversized, and its size; by anonymisation.
        var open: [Bool: (index: Int, size: Int)] = [:]
        // The last event has no comma after it.
        let empty = envelope.count + 2 - 1
        for event in events {
            let size = event.payload.count + overhead
            if let last = open[event.isAnonymous], last.size + size <= limit {
                requests[last.index].events.append(event)
                open[event.isAnonymous] = (last.index, last.size + size)
            } else {
                let isOversized = empty + size > limit
                if !isOversized { open[event.isAnonymous] = (requests.count, empty + size) }
                requests.append(CollectorRequest(events: [event], usesPost: true, isOversized: isOversized))
            }
        }
        return requests
    }

    /// The size of the body before compression, in bytes.
    var bodySize: Int {
        events.reduce(Self.envelope.count + 2) { $0 + $1.payload.count + Self.overhead }
    }

    /// Writes the request.
    /// - Parameters:
    ///   - settings: The settings of the tracker.
    ///   - time: The time of sending, in milliseconds since 1970.
    /// - Returns: The request.
    func httpRequest(_ settings: EffectiveSettings, sentAt time: Int64) -> HTTPTransportRequest {
        var headers = settings.requestHeaders.withUserAgent
        if events[0].isAnonymous { headers.replace("SP-Anonymous", "*") }
        var body: [UInt8]?
        if usesPost {
            let text = self.body(sentAt: time)
            let compressed = settings.network.compression == true ? Gzip.compress(text) : nil
            headers.replace("Content-Type", "application/json; charset=utf-8")
            headers.replace("Content-Encoding", compressed.map { _ in "gzip" })
            body = compressed ?? text
        }
        return HTTPTransportRequest(
            method: usesPost ? "POST" : "GET",
            url: usesPost ? settings.endpoint.text + settings.postPath : url(settings.endpoint, sentAt: time),
            headers: headers, body: body, timeout: settings.timeout, certificateFile: settings.network.certificateFile)
    }

    private func body(sentAt time: Int64) -> [UInt8] {
        var body = Self.envelope
        body.reserveCapacity(bodySize)
        // Each event without its last brace, which comes after the time.
        let end = Array(",\"stm\":\"\(time)\"},".utf8)
        for event in events {
            // Without the type it would be an array, which is built byte by byte.
            body += event.payload.dropLast() as ArraySlice<UInt8>
            body += end
        }
        body.removeLast()
        body += "]}".utf8
        return body
    }

    private func url(_ endpoint: EndpointURL, sentAt time: Int64) -> String {
        let parameters = (events[0].members ?? []).map { member in
            "\(member.name.percentEncoded)=\((member.value.string ?? "").percentEncoded)"
        }
        let query = parameters + ["stm=\(time)"]
        return "\(endpoint.text)/i?\(query.joined(separator: "&"))"
    }
}
