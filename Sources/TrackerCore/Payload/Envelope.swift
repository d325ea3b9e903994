/// The beginning of the JSON around an event's data or around its entities, in the form of a row.
struct Envelope: Sendable {
    /// The parameter that holds the JSON.
    enum Kind {
        case event, entities

        /// The JSON before the first event or entity.
        fileprivate var json: String {
            switch self {
            case .event: "{\"schema\":\"iglu:com.snowplowanalytics.snowplow/unstruct_event/jsonschema/1-0-0\",\"data\":"
            case .entities: "{\"schema\":\"iglu:com.snowplowanalytics.snowplow/contexts/jsonschema/1-0-1\",\"data\":["
            }
        }

        fileprivate func parameter(usesBase64: Bool) -> String {
            switch self {
            case .event: usesBase64 ? "ue_px" : "ue_pr"
            case .entities: usesBase64 ? "cx" : "co"
            }
        }
    }

    /// The parameter's name and the encoded beginning, such as `,"cx":"eyJzY2hlbWEi…`.
    let head: [UInt8]

    /// The last bytes of the beginning, which base64 can only encode together with the bytes that follow.
    let tail: [UInt8]

    /// Creates an envelope.
    /// - Parameters:
    ///   - kind: The kind of the content.
    ///   - first: The beginning of the event or of the first entity, as JSON.
    ///   - usesBase64: Whether the JSON is sent as base64.
    init(_ kind: Kind, before first: String = "", usesBase64: Bool) {
        let json = Array((kind.json + first).utf8)
        // Base64 encodes three bytes at a time.
        tail = json.suffix(usesBase64 ? json.count % 3 : 0)
        var writer = ByteWriter(capacity: 256)
        writer.append(UInt8(ascii: ","))
        writer.append(quoted: kind.parameter(usesBase64: usesBase64))
        writer.append(":\"")
        json.dropLast(tail.count).withUnsafeBytes { bytes in
            if usesBase64 { writer.append(base64: bytes) } else { writer.append(escaping: bytes) }
        }
        head = writer.array
    }
}
