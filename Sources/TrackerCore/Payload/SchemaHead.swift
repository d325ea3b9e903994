import Glibc

/// What stands before the data of all events or entities of one schema, encoded once: it is a third of an event.
final class SchemaHead: @unchecked Sendable {
    /// What the head is for.
    struct Key {
        let schema: UnsafeRawBufferPointer
        let kind: Envelope.Kind
        let usesBase64: Bool

        /// A number that differs for most keys.
        var hash: UInt64 {
            var hash = UInt64(truncatingIfNeeded: schema.count) &<< 2 | kind.rawValue &<< 1 | (usesBase64 ? 1 : 0)
            func add(_ word: UInt64) { hash = (hash ^ word) &* 0x9E37_79B9_7F4A_7C15 }
            guard schema.count >= 8 else {
                for byte in schema { add(UInt64(byte)) }
                return hash
            }
            // The last word may have bytes of the one before.
            let last = schema.count &- 8
            var index = 0
            while index < last {
                add(schema.loadUnaligned(fromByteOffset: index, as: UInt64.self))
                index &+= 8
            }
            add(schema.loadUnaligned(fromByteOffset: last, as: UInt64.self))
            return hash
        }
    }

    /// The envelope with the beginning of the event, or of the first entity.
    let envelope: Envelope
    /// `{"schema":"…","data":`, in plain text with its escapes: the beginning of a further entity.
    let json: UnsafeRawBufferPointer
    /// Whether the schema is an Iglu URI.
    let isIgluURI: Bool
    private let key: Key

    init(_ key: Key) {
        let schema = String(decoding: key.schema, as: UTF8.self)
        var writer = ByteWriter(capacity: 256)
        writer.append("{\"schema\":")
        writer.append(quoted: schema)
        writer.append(",\"data\":")
        envelope = Envelope(key.kind, before: writer.text, usesBase64: key.usesBase64)
        if !key.usesBase64 {
            var escaped = ByteWriter(capacity: 256)
            escaped.append(escaping: writer.bytes)
            writer = escaped
        }
        json = writer.bytes.copied
        isIgluURI = schema.isIgluURI
        self.key = Key(schema: key.schema.copied, kind: key.kind, usesBase64: key.usesBase64)
    }

    deinit {
        envelope.free()
        json.deallocate()
        key.schema.deallocate()
    }

    /// Whether the head is that of a key.
    func isHead(of other: Key) -> Bool {
        key.schema.count == other.schema.count && key.kind == other.kind && key.usesBase64 == other.usesBase64
            && memcmp(key.schema.baseAddress!, other.schema.baseAddress!, other.schema.count) == 0
    }
}
