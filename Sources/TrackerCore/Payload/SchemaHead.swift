/// The bytes before the data of events or entities of one schema; encoded once, as they are a third of an event.
final class SchemaHead: Sendable {
    /// Whether the schema is an Iglu URI.
    let isIgluURI: Bool
    /// `{"schema":"…","data":`, which precedes the data of a further entity.
    let json: [UInt8]
    /// The beginning of an event's JSON.
    let event: Envelope
    /// The beginning of the JSON of entities, if the first one has the schema.
    let entities: Envelope

    init(_ schema: String, usesBase64: Bool) {
        var writer = ByteWriter(capacity: 256)
        writer.append("{\"schema\":")
        writer.append(quoted: schema)
        writer.append(",\"data\":")
        event = Envelope(.event, before: writer.text, usesBase64: usesBase64)
        entities = Envelope(.entities, before: writer.text, usesBase64: usesBase64)
        if !usesBase64 {
            var escaped = ByteWriter(capacity: 256)
            escaped.append(escaping: writer.bytes)
            writer = escaped
        }
        json = writer.array
        isIgluURI = schema.isIgluURI
    }
}
