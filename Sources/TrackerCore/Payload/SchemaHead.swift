/// What stands before the data of all events or entities of one schema, encoded once: it is a third of an event.
final class SchemaHead: Sendable {
    /// Whether the schema is an Iglu URI.
    let isIgluURI: Bool
    /// `{"schema":"…","data":`, as it stands before the data of a further entity.
    let json: [UInt8]
    /// The beginning of an event's JSON.
    let event: Envelope
    /// The beginning of the JSON of entities, of which the first has the schema.
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
