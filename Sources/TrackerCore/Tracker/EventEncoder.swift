/// Writes an event to the bytes that will be stored and sent: a JSON object whose values are all strings.
struct EventEncoder: ~Copyable {
    /// An event with all that was fixed when it was tracked.
    struct Source {
        let content: EventContent
        let entities: [Entity]
        let moreEntities: [Entity]
        let id: EventID
        let wallTime: Int64
        let trueTime: Int64?
        let session: Session.Stamp?
        /// The screen viewed last; for a screen view, its own.
        let screen: Screen?
        let previousScreen: Screen?
        let settings: EffectiveSettings
    }

    // Room for most events, and small enough for what malloc keeps ready for each thread.
    private(set) var row = ByteWriter(capacity: 1008)
    private var scratch = ByteWriter(capacity: 1008)

    /// Writes an event without fault into ``row``.
    mutating func encode(_ source: Source) {
        row.removeAll()
        row.append("{\"e\":\"")
        switch source.content {
        case .selfDescribing, .screenView, .invalid: row.append("ue")
        case .parameters(let type, _): row.append(raw: type.rawValue)
        }
        row.append("\",\"eid\":\"")
        row.append(source.id)
        row.append("\",\"dtm\":\"")
        row.append(decimal: source.wallTime)
        if let time = source.trueTime {
            row.append("\",\"ttm\":\"")
            row.append(decimal: time)
        }
        row.append(UInt8(ascii: "\""))
        row.append(source.settings.parameters)
        switch source.content {
        case .selfDescribing(let schema, let data): append(schema: schema, data: data, source.settings)
        case .screenView(let view):
            let screen = Screen(view: view, id: source.id)
            append(
                schema: ScreenView.schema,
                data: screen.eventData(previous: source.previousScreen), source.settings)
        case .parameters(_, let parameters):
            for parameter in parameters {
                if let value = parameter.value { row.append(parameter: parameter.name, value) }
            }
        case .invalid: break
        }
        appendEntities(source)
        row.append(UInt8(ascii: "}"))
    }

    private mutating func append(schema: String, data: JSONObject, _ settings: EffectiveSettings) {
        scratch.removeAll()
        scratch.append("{\"schema\":\"iglu:com.snowplowanalytics.snowplow/unstruct_event/jsonschema/1-0-0\",\"data\":")
        scratch.append(schema: schema, data: data)
        scratch.append(UInt8(ascii: "}"))
        appendScratch(base64: ",\"ue_px\":\"", plain: ",\"ue_pr\":\"", settings)
    }

    private mutating func appendEntities(_ source: Source) {
        let settings = source.settings
        let screen = settings.hasScreen ? source.screen : nil
        let isEmpty =
            source.entities.isEmpty && source.moreEntities.isEmpty && source.session == nil && screen == nil
            && settings.entities.isEmpty
        if isEmpty { return }
        scratch.removeAll()
        scratch.append("{\"schema\":\"iglu:com.snowplowanalytics.snowplow/contexts/jsonschema/1-0-1\",\"data\":[")
        append(entities: source.entities)
        append(entities: source.moreEntities)
        if let session = source.session {
            session.write(to: &scratch, isAnonymous: settings.isUserAnonymous)
            scratch.append(UInt8(ascii: ","))
        }
        if let screen { append(entities: [screen.entity]) }
        scratch.append(settings.entities)
        // Each entity brought a comma after it; the last one is one too many.
        scratch.removeLast(1)
        scratch.append("]}")
        appendScratch(base64: ",\"cx\":\"", plain: ",\"co\":\"", settings)
    }

    private mutating func append(entities: [Entity]) {
        for entity in entities {
            scratch.append(entity: entity)
            scratch.append(UInt8(ascii: ","))
        }
    }

    private mutating func appendScratch(base64: StaticString, plain: StaticString, _ settings: EffectiveSettings) {
        if settings.usesBase64 {
            row.append(base64)
            row.append(base64: scratch.bytes)
        } else {
            row.append(plain)
            row.append(escaping: scratch.bytes)
        }
        row.append(UInt8(ascii: "\""))
    }
}

extension ByteWriter {
    /// Appends `,"name":"value"`.
    mutating func append(parameter name: String, _ value: String) {
        append(UInt8(ascii: ","))
        append(quoted: name)
        append(UInt8(ascii: ":"))
        append(quoted: value)
    }

    /// Appends an entity as self-describing JSON.
    mutating func append(entity: Entity) {
        append(schema: entity.schema, data: entity.data)
    }

    /// Appends self-describing JSON.
    mutating func append(schema: String, data: JSONObject) {
        append("{\"schema\":")
        append(quoted: schema)
        append(",\"data\":")
        append(json: data)
        append(UInt8(ascii: "}"))
    }
}
