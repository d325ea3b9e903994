/// One request to a collector, planned but not written yet.
package struct CollectorRequest: Sendable {
    package let events: [StoredEvent]
    let isAnonymous: Bool
    let usesPost: Bool
    /// Whether its one event is larger than a request may be.
    let isOversized: Bool

    private static let envelope = Array(
        "{\"schema\":\"iglu:com.snowplowanalytics.snowplow/payload_data/jsonschema/1-0-4\",\"data\":[".utf8)
    // `,"stm":"1700000000000"` and the comma after the event.
    private static let overhead = 23

    /// Divides events into requests: by anonymisation, by the byte limit, one event each for GET.
    /// - Parameters:
    ///   - events: The events.
    ///   - settings: The settings to send by.
    /// - Returns: The requests, in the order of their events.
    package static func plan(_ events: [StoredEvent], settings: EffectiveSettings) -> [CollectorRequest] {
        let emitter = settings.emitter
        guard settings.network.method == .post else {
            let limit = emitter.byteLimitGet ?? .max
            return events.map { event in
                let request = CollectorRequest(
                    events: [event], isAnonymous: event.isAnonymous, usesPost: false, isOversized: false)
                // The length of a time stamp is the same for the next 260 years.
                let length = request.url(settings.endpoint, sentAt: 1_000_000_000_000).utf8.count
                guard length > limit else { return request }
                return CollectorRequest(
                    events: [event], isAnonymous: event.isAnonymous, usesPost: true, isOversized: true)
            }
        }
        let limit = emitter.byteLimitPost ?? .max
        var requests: [CollectorRequest] = []
        var open: [Bool: (events: [StoredEvent], size: Int)] = [:]
        // The last event has no comma after it.
        let empty = envelope.count + 2 - 1
        func close(_ isAnonymous: Bool) {
            guard let group = open.removeValue(forKey: isAnonymous) else { return }
            requests.append(
                CollectorRequest(events: group.events, isAnonymous: isAnonymous, usesPost: true, isOversized: false))
        }
        for event in events {
            let size = event.payload.count + overhead
            if empty + size > limit {
                requests.append(
                    CollectorRequest(
                        events: [event], isAnonymous: event.isAnonymous, usesPost: true, isOversized: true))
                continue
            }
            if let group = open[event.isAnonymous], group.size + size > limit { close(event.isAnonymous) }
            open[event.isAnonymous, default: ([], empty)].events.append(event)
            open[event.isAnonymous, default: ([], empty)].size += size
        }
        close(false)
        close(true)
        return requests
    }

    /// The size of the body before compression, in bytes.
    var bodySize: Int {
        events.reduce(Self.envelope.count + 2) { $0 + $1.payload.count + Self.overhead }
    }

    /// Writes the request.
    /// - Parameters:
    ///   - settings: What the tracker sends by.
    ///   - time: When it is sent, in milliseconds since 1970.
    /// - Returns: The request.
    func httpRequest(_ settings: EffectiveSettings, sentAt time: Int64) -> HTTPTransportRequest {
        let endpoint = settings.endpoint
        var headers = settings.requestHeaders.withUserAgent
        if isAnonymous { headers.replace("SP-Anonymous", "*") }
        guard usesPost else {
            return HTTPTransportRequest(
                method: "GET", url: url(endpoint, sentAt: time), headers: headers,
                timeout: settings.timeout, certificateFile: settings.network.certificateFile)
        }
        headers.replace("Content-Type", "application/json; charset=utf-8")
        headers.replace("Content-Encoding", nil)
        var body = body(sentAt: time)
        if settings.network.compression == true, let compressed = Gzip.compress(body) {
            headers.replace("Content-Encoding", "gzip")
            body = compressed
        }
        return HTTPTransportRequest(
            method: "POST", url: endpoint.text + settings.postPath, headers: headers, body: body,
            timeout: settings.timeout, certificateFile: settings.network.certificateFile)
    }

    private func body(sentAt time: Int64) -> [UInt8] {
        var body = Self.envelope
        body.reserveCapacity(bodySize)
        // Each event without its last brace, which comes after the time.
        let end = Array(",\"stm\":\"\(time)\"},".utf8)
        for event in events {
            body += event.payload.dropLast()
            body += end
        }
        return body.dropLast() + Array("]}".utf8)
    }

    private func url(_ endpoint: EndpointURL, sentAt time: Int64) -> String {
        // Bytes of a disk that are no object of strings give fewer parameters, and never a fault.
        let members = (try? JSONReader.read(events[0].payload))?.members ?? []
        let query =
            members.map { "\($0.name.percentEncoded)=\((($0.value.value.string ?? "").percentEncoded))" } + [
                "stm=\(time)"
            ]
        return "\(endpoint.text)/i?\(query.joined(separator: "&"))"
    }
}
