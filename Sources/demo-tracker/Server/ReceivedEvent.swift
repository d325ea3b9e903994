import Foundation

/// An event as a tracker sent it.
struct ReceivedEvent: Sendable, Equatable {
    /// The method of the request that contained it.
    enum Method: String, Sendable {
        /// As the query of a URL.
        case get = "GET"
        /// In an envelope with others.
        case post = "POST"
    }

    /// The parameters by name, as in `e`, `tna` and `ue_px`.
    let parameters: [String: String]

    /// The method of the request that contained it.
    let method: Method

    /// The self-describing event, decoded; nil for events of other types.
    var selfDescribing: SelfDescribingJSON? {
        envelope(plain: "ue_pr", encoded: "ue_px").flatMap { SelfDescribingJSON($0.data) }
    }

    /// The entities, decoded; an entity that is not self-describing JSON is left out.
    var entities: [SelfDescribingJSON] {
        let list = envelope(plain: "co", encoded: "cx")?.data as? [Any]
        return list?.compactMap(SelfDescribingJSON.init) ?? []
    }

    private func envelope(plain: String, encoded: String) -> SelfDescribingJSON? {
        if let text = parameters[plain] { return SelfDescribingJSON(json: Data(text.utf8)) }
        return parameters[encoded].flatMap(Data.init(base64URLEncoded:)).flatMap(SelfDescribingJSON.init(json:))
    }
}

extension ReceivedEvent {
    /// The event of a query; nil where the query is empty.
    init?(query: [(name: String, value: String)]) {
        guard !query.isEmpty else { return nil }
        self.init(parameters: Dictionary(query.map { ($0.name, $0.value) }, uniquingKeysWith: { $1 }), method: .get)
    }

    /// The events of a POST's body; nil if it is no `payload_data` envelope around at least one of them.
    static func events(inEnvelope body: [UInt8]) -> [ReceivedEvent]? {
        let vendor = "iglu:com.snowplowanalytics.snowplow"
        guard let envelope = SelfDescribingJSON(json: Data(body)),
            envelope.schema.hasPrefix("\(vendor)/payload_data/jsonschema/1-"),
            let rows = envelope.data as? [[String: String]], !rows.isEmpty
        else { return nil }
        return rows.map { ReceivedEvent(parameters: $0, method: .post) }
    }
}

extension Data {
    /// Decodes the URL-safe base64 without padding (RFC 4648, 5); nil where the text is none.
    fileprivate init?(base64URLEncoded text: String) {
        guard !text.utf8.contains(where: { "+/=".utf8.contains($0) }) else { return nil }
        let standard = text.replacing("-", with: "+").replacing("_", with: "/")
        self.init(base64Encoded: standard + String(repeating: "=", count: (4 - standard.utf8.count % 4) % 4))
    }
}
