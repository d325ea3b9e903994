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
    ///   - knownLimit: The size from which on the collector has refused bodies, if it has.
    /// - Returns: The requests, in the order of their events.
    package static func plan(
        _ events: [StoredEvent], settings: EffectiveSettings, knownLimit: Int? = nil
    ) -> [CollectorRequest] {
        let emitter = settings.emitter
        guard settings.network.method == .post else {
            let limit = emitter.byteLimitGet ?? .max
            return events.map { event in
                let request = CollectorRequest(
                    events: [event], isAnonymous: event.isAnonymous, usesPost: false, isOversized: false)
                // The length of a time stamp is the same for the next 260 years.
                let length = request.url(settings.endpoints[0], sentAt: 1_000_000_000_000).utf8.count
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
            let target = min(limit, knownLimit ?? limit)
            if let group = open[event.isAnonymous], group.size + size > target { close(event.isAnonymous) }
            open[event.isAnonymous, default: ([], empty)].events.append(event)
            open[event.isAnonymous, default: ([], empty)].size += size
        }
        close(false)
        close(true)
        return requests
    }

    /// The request as two, each with half of the events.
    var halves: [CollectorRequest] {
        let middle = events.count / 2
        return [events[..<middle], events[middle...]].map { half in
            CollectorRequest(
                events: Array(half), isAnonymous: isAnonymous, usesPost: usesPost, isOversized: isOversized)
        }
    }

    /// The size of the body before compression, in bytes.
    var bodySize: Int {
        events.reduce(Self.envelope.count + 2) { $0 + $1.payload.count + Self.overhead }
    }

    /// Writes the request.
    /// - Parameters:
    ///   - settings: What the tracker sends by.
    ///   - endpoint: The collector.
    ///   - time: When it is sent, in milliseconds since 1970.
    /// - Returns: The request.
    func httpRequest(_ settings: EffectiveSettings, to endpoint: EndpointURL, sentAt time: Int64)
        -> HTTPTransportRequest
    {
        var headers = settings.requestHeaders(for: endpoint).withUserAgent
        if isAnonymous { headers.append(HTTPHeader(name: "SP-Anonymous", value: "*")) }
        guard usesPost else {
            return HTTPTransportRequest(
                method: "GET", url: url(endpoint, sentAt: time), headers: headers,
                timeout: settings.timeout, certificateFile: settings.network.certificateFile)
        }
        headers.append(HTTPHeader(name: "Content-Type", value: "application/json; charset=utf-8"))
        var body = body(sentAt: time)
        if settings.network.compression == true, let compressed = Gzip.compress(body) {
            headers.append(HTTPHeader(name: "Content-Encoding", value: "gzip"))
            body = HTTPBody(compressed)
        }
        var request = HTTPTransportRequest(
            method: "POST", url: endpoint.text + settings.postPath, headers: headers, timeout: settings.timeout,
            certificateFile: settings.network.certificateFile)
        request.content = body
        return request
    }

    private func body(sentAt time: Int64) -> HTTPBody {
        var body = HTTPBody(capacity: 2 * events.count + 1)
        body.append(Self.envelope[...])
        // Each event without its last brace, which comes after the time.
        let end = Array(",\"stm\":\"\(time)\"}".utf8)
        let (between, last) = ((end + [UInt8(ascii: ",")])[...], (end + Array("]}".utf8))[...])
        for (index, event) in events.enumerated() {
            body.append(event.payload.dropLast())
            body.append(index < events.count - 1 ? between : last)
        }
        return body
    }

    private func url(_ endpoint: EndpointURL, sentAt time: Int64) -> String {
        var writer = ByteWriter(capacity: endpoint.text.utf8.count + events[0].payload.count * 2)
        writer.append(raw: endpoint.text)
        writer.append("/i?")
        events[0].payload.withUnsafeBytes { writer.append(queryOf: $0) }
        writer.append("&stm=")
        writer.append(decimal: time)
        return writer.text
    }
}

extension ByteWriter {
    /// Appends a JSON object of strings, as ``EventEncoder`` writes it, as the query of a URL.
    ///
    /// Bytes that are no such object give some query and never a fault: they come from a disk.
    mutating func append(queryOf object: UnsafeRawBufferPointer) {
        var isInString = false
        var index = 1
        let next = { (place: Int) in place < object.count ? object[place] : 0 }
        while index < object.count {
            let byte = object[index]
            index += 1
            if !isInString {
                switch byte {
                case UInt8(ascii: "\""): isInString = true
                case UInt8(ascii: ":"): append(UInt8(ascii: "="))
                case UInt8(ascii: ","): append(UInt8(ascii: "&"))
                default: break
                }
            } else if byte == UInt8(ascii: "\"") {
                isInString = false
            } else if byte == UInt8(ascii: "\\") {
                let escape = next(index)
                index += 1
                switch escape {
                case UInt8(ascii: "n"): append(percentEncoding: 0x0A)
                case UInt8(ascii: "r"): append(percentEncoding: 0x0D)
                case UInt8(ascii: "t"): append(percentEncoding: 0x09)
                case UInt8(ascii: "u"):
                    // The writer escapes control characters only, so the last two of the four digits say it all.
                    append(
                        percentEncoding: Self.value(ofDigit: next(index + 2)) << 4
                            | Self.value(ofDigit: next(index + 3)))
                    index += 4
                default: append(percentEncoding: escape)
                }
            } else {
                append(percentEncoding: byte)
            }
        }
    }

    /// Appends a byte as it stands in a query: as it is where it is unreserved (RFC 3986, section 2.3), else encoded.
    private mutating func append(percentEncoding byte: UInt8) {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
            UInt8(ascii: "~"):
            append(byte)
        default:
            append(UInt8(ascii: "%"))
            append(Self.hexadecimalDigit(byte >> 4))
            append(Self.hexadecimalDigit(byte & 15))
        }
    }

    /// The value of a hexadecimal digit, zero for any other byte.
    private static func value(ofDigit digit: UInt8) -> UInt8 {
        switch digit {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): digit - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): digit - UInt8(ascii: "A") + 10
        default: 0
        }
    }
}
