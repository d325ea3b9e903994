/// The beginning of the JSON around an event's data or around its entities, as it stands in a row.
///
/// It is the same for all events, so most of it is encoded once.
///
/// Its bytes stay until the process ends, so that an event counts no references to them: threads that track would meet there.
struct Envelope: @unchecked Sendable {
    /// The parameter's name and the encoded beginning, such as `,"cx":"eyJzY2hlbWEi…`.
    let head: UnsafeRawBufferPointer

    /// The last bytes of the beginning, which base64 can only encode together with what follows them.
    let tail: UnsafeRawBufferPointer

    /// The envelope of a self-describing event, in base64 and as plain text.
    static let (encodedEvent, plainEvent) = pair(
        "{\"schema\":\"iglu:com.snowplowanalytics.snowplow/unstruct_event/jsonschema/1-0-0\",\"data\":",
        base64: "ue_px", plain: "ue_pr")

    /// The envelope of entities, in base64 and as plain text.
    static let (encodedEntities, plainEntities) = pair(
        "{\"schema\":\"iglu:com.snowplowanalytics.snowplow/contexts/jsonschema/1-0-1\",\"data\":[",
        base64: "cx", plain: "co")

    private static func pair(_ json: String, base64: String, plain: String) -> (Envelope, Envelope) {
        (Envelope(json, parameter: base64, usesBase64: true), Envelope(json, parameter: plain, usesBase64: false))
    }

    /// Creates an envelope, whose memory is never freed.
    /// - Parameters:
    ///   - json: The beginning of the JSON.
    ///   - parameter: The name on the wire.
    ///   - usesBase64: Whether the JSON is sent as base64.
    init(_ json: String, parameter: String, usesBase64: Bool) {
        let json = Array(json.utf8)
        // Base64 encodes three bytes at a time.
        let tail = usesBase64 ? json.count % 3 : 0
        var writer = ByteWriter(capacity: 256)
        writer.append(UInt8(ascii: ","))
        writer.append(quoted: parameter)
        writer.append(":\"")
        json.dropLast(tail).withUnsafeBytes { bytes in
            if usesBase64 { writer.append(base64: bytes) } else { writer.append(escaping: bytes) }
        }
        head = Self.keep(writer.array)
        self.tail = Self.keep(json.suffix(tail))
    }

    private static func keep(_ bytes: some Collection<UInt8>) -> UnsafeRawBufferPointer {
        let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: bytes.count, alignment: 1)
        memory.copyBytes(from: bytes)
        return UnsafeRawBufferPointer(memory)
    }
}
